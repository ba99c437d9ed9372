//! What clients that show live analysis expect of its lines.

use std::collections::HashSet;

/// One move of a line of live analysis, as clients read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The move.
    pub vertex: String,
    /// Its visits.
    pub visits: u32,
    /// Its win rate, 0 to 1.
    pub winrate: f64,
    /// The score, if the line says one.
    pub lead: Option<f64>,
    /// The expected continuation.
    pub pv: Vec<String>,
}

/// A line of live analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfoLine {
    /// The moves, best first.
    pub moves: Vec<Info>,
    /// Owners of the points from the top row to the bottom row; empty if the line says nothing of them.
    pub ownership: Vec<f64>,
}

/// Is the word the name of a point of the board, or `pass`?
pub fn is_vertex(word: &str, size: usize) -> bool {
    let mut chars = word.chars();
    let Some(column) = chars.next().and_then(|letter| "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)) else {
        return word == "pass";
    };
    let row: usize = chars.as_str().parse().unwrap_or(0);
    column < size && (1..=size).contains(&row) && !chars.as_str().starts_with('0')
}

/// Reads a line by the rules that Sabaki and Lizzie go by, and insists on all that they take for granted.
///
/// Sabaki cuts off what follows `ownership` and takes it for size² numbers; it cuts the rest at each `info`, takes the
/// vertices at the end of a part for the variation, and the words before it for pairs of a key and a value. A win rate
/// with a point is a share, one without is in ten thousandths.
///
/// Lizzie cuts at ` info `, cuts the parts at single blanks, and reads pairs up to `pv` and moves to the end after it.
/// Visits, and in Leela Zero's form win rates, have to be whole numbers, or it stops reading for good.
///
/// # Errors
/// What a client would stumble over.
pub fn parse_info(line: &str, size: usize, is_katago: bool) -> Result<InfoLine, String> {
    let fail = |what: &str| Err(format!("{what}: {}", line.chars().take(600).collect::<String>()));
    if !line.starts_with("info move ") {
        return fail("the line does not start with `info move`");
    }
    if line.contains("  ") || line.trim() != line || !line.chars().all(|c| (' '..='~').contains(&c)) {
        return fail("words are separated by one blank each");
    }
    let (text, ownership) = match line.split_once(" ownership ") {
        Some((text, numbers)) => (text, numbers.split(' ').map(str::parse::<f64>).collect::<Result<Vec<_>, _>>()),
        None => (line, Ok(Vec::new())),
    };
    let Ok(ownership) = ownership else { return fail("an owner is no number") };
    if !ownership.is_empty() && ownership.len() != size * size {
        return fail("there is not one owner for each point");
    }
    if ownership.iter().any(|owner| !(-1.0..=1.0).contains(owner)) {
        return fail("an owner is out of range");
    }
    let mut moves: Vec<Info> = Vec::new();
    let mut seen = HashSet::new();
    for (order, part) in text["info ".len()..].split(" info ").enumerate() {
        let words: Vec<&str> = part.split(' ').collect();
        let Some(at) = words.iter().position(|&word| word == "pv") else { return fail("a move without variation") };
        let pv: Vec<String> = words[at + 1..].iter().map(|&word| word.to_owned()).collect();
        if pv.is_empty() || !pv.iter().all(|word| is_vertex(word, size)) {
            return fail("something else than vertices follows `pv`");
        }
        if at % 2 != 0 {
            return fail("a key has no value");
        }
        let value = |key: &str| words[..at].chunks(2).find(|pair| pair[0] == key).map(|pair| pair[1]);
        let keys: HashSet<&str> = words[..at].chunks(2).map(|pair| pair[0]).collect();
        if keys.len() * 2 != at || !keys.iter().all(|key| key.chars().all(|c| c.is_ascii_alphabetic())) {
            return fail("a key comes twice or is no word");
        }
        let vertex = value("move").unwrap_or_default().to_owned();
        if vertex != pv[0] || !seen.insert(vertex.clone()) {
            return fail("the variation starts with another move, or a move comes twice");
        }
        if value("order").and_then(|order| order.parse().ok()) != Some(order) {
            return fail("the moves do not come in their order");
        }
        let Some(visits) = value("visits").and_then(|visits| visits.parse().ok()) else { return fail("no visits") };
        let rate = |key: &str| {
            let word = value(key)?;
            match is_katago {
                true => word.contains('.').then(|| word.parse().ok()).flatten(),
                false => word.parse::<u32>().ok().map(|rate| f64::from(rate) / 10000.0),
            }
        };
        let (Some(winrate), Some(prior), Some(lcb)) = (rate("winrate"), rate("prior"), rate("lcb")) else {
            return fail("a rate is missing or has the other form");
        };
        if [winrate, prior, lcb].iter().any(|rate| !(0.0..=1.0).contains(rate)) || lcb > winrate + 1e-4 {
            return fail("a rate is out of range");
        }
        let number = |key: &str| value(key).and_then(|word| word.parse::<f64>().ok()).filter(|n| n.is_finite());
        let lead = number("scoreLead");
        if is_katago != lead.is_some() || lead != number("scoreMean") || is_katago != number("scoreStdev").is_some() {
            return fail("the score is missing, or where it should not be");
        }
        moves.push(Info { vertex, visits, winrate, lead, pv });
    }
    // A move with fewer visits stands first if it has a better win rate, and visits enough (those that KataGo asks for).
    let most = moves.iter().map(|info| info.visits).max().unwrap_or(0);
    let is_before = |a: &Info, b: &Info| a.winrate >= b.winrate - 0.001 && a.visits as f64 >= 0.15 * most as f64;
    if !moves.is_sorted_by(|a, b| a.visits >= b.visits || is_before(a, b)) {
        return fail("the moves come neither in the order of their visits nor of their values");
    }
    Ok(InfoLine { moves, ownership })
}
