//! What a person types, read as an order. This file knows no game.

use crate::engine::Level;
use crate::go::vertex::{self, Vertex};
use crate::go::{MAX_SIZE, MIN_SIZE, Move, Size};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Go on, if it is the engine's turn; else show the board again. The line is empty.
    GoOn,
    /// Show the board again.
    Board,
    /// Make this move.
    Move(Move),
    /// Take back so many moves of the person.
    Undo(usize),
    /// Say what the engine would play.
    Hint,
    /// Say who is ahead.
    Score,
    /// Play at this level; `None` asks which level is in force.
    Level(Option<Level>),
    /// Write the game to this file.
    Save(String),
    /// Go on with the game of this file.
    Load(String),
    /// Begin a new game, on a board of this size if the line names one.
    New(Option<Size>),
    /// Give the game up.
    Resign,
    /// Say what can be typed.
    Help,
    /// Leave.
    Quit,
    /// Nothing that is known, and what to tell the person.
    Unknown(String),
}

/// The words that begin an order, each with what follows and what it does: the text of `help`.
pub const WORDS: &[(&str, &str, &str)] = &[
    ("pass", "", "play no stone; two passes in a row end the game"),
    ("undo", "[N]", "take back your last move, or your last N"),
    ("hint", "", "what Kosumi would play in your place"),
    ("score", "", "who is ahead, and by how much"),
    ("level", "[RANK]", "how strong Kosumi plays: 30k to 1k, 1d to 9d, or max"),
    ("board", "", "show the board again"),
    ("save", "FILE", "write the game to an SGF file"),
    ("load", "FILE", "go on with the game of an SGF file"),
    ("new", "[SIZE]", "begin a new game"),
    ("resign", "", "give the game up"),
    ("help", "", "this list"),
    ("quit", "", "leave"),
];

/// Other words for the same orders.
const SYNONYMS: &[(&str, &str)] = &[
    ("?", "help"),
    ("h", "help"),
    ("q", "quit"),
    ("exit", "quit"),
    ("bye", "quit"),
    ("show", "board"),
    ("showboard", "board"),
    ("u", "undo"),
    ("back", "undo"),
    ("analyze", "hint"),
    ("estimate", "score"),
    ("final_score", "score"),
    ("strength", "level"),
    ("open", "load"),
    ("clear", "new"),
];

/// How alike a misspelt word and the right one are at least; 1 means equal. (A guess: it knows `udno` for `undo`, and
/// takes no word of three letters for another.)
const ALIKE: f64 = 0.75;

impl Order {
    /// Reads a line for a board of this size.
    pub fn read(line: &str, size: impl Into<Size>) -> Order {
        let size = size.into();
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = word.to_lowercase();
        // Some people write a blank inside the name of a point, also of one whose column is called as a word is.
        if lower.len() == 1 && !rest.is_empty() {
            let joined = format!("{word}{rest}");
            match vertex::parse(&joined, size) {
                Some(Vertex::On(_)) => return point(&joined, size),
                // Of these, only taking moves back goes with a number.
                Some(Vertex::OffBoard) if lower != "u" => return point(&joined, size),
                _ => {}
            }
        }
        let word = SYNONYMS.iter().find(|(other, _)| *other == lower).map_or(&*lower, |&(_, word)| word);
        match word {
            "" => Order::GoOn,
            "board" | "hint" | "score" | "resign" | "help" | "quit" if !rest.is_empty() => {
                Order::Unknown(format!("{word} stands alone, without \"{rest}\""))
            }
            "board" => Order::Board,
            "play" => match rest.rsplit(char::is_whitespace).next() {
                Some(vertex) if !vertex.is_empty() => point(vertex, size),
                _ => Order::Unknown("say where, such as D4".into()),
            },
            "undo" => match rest {
                "" => Order::Undo(1),
                number => match number.parse() {
                    Ok(number) if number > 0 => Order::Undo(number),
                    _ => Order::Unknown("undo takes a number of moves, such as undo 2".into()),
                },
            },
            "hint" => Order::Hint,
            "score" => Order::Score,
            "level" => match rest {
                "" => Order::Level(None),
                rank => rank.parse().map_or_else(
                    |error| Order::Unknown(format!("the level {error}")),
                    |level| Order::Level(Some(level)),
                ),
            },
            "save" | "load" if rest.is_empty() => Order::Unknown(format!("name a file, such as {word} game.sgf")),
            "save" => Order::Save(file(rest)),
            "load" => Order::Load(file(rest)),
            "new" => match rest {
                "" => Order::New(None),
                size => match size.parse() {
                    Ok(size) => Order::New(Some(size)),
                    Err(_) => Order::Unknown(format!(
                        "a board has {MIN_SIZE} to {MAX_SIZE} rows, such as new 13, or columns and rows, such as new \
                         9x13"
                    )),
                },
            },
            "resign" => Order::Resign,
            "help" => Order::Help,
            "quit" => Order::Quit,
            word if !rest.is_empty() && vertex::parse(word, size).is_some() => {
                Order::Unknown("type one move at a time, such as D4".into())
            }
            word => point(word, size),
        }
    }
}

/// The name of a file as a shell would read it. A terminal puts quotes around a file that is dragged into it, or
/// backslashes before its blanks. A tilde at the beginning is the person's own folder.
fn file(name: &str) -> String {
    let bare = |quote: char| name.strip_prefix(quote)?.strip_suffix(quote).filter(|bare| !bare.is_empty());
    if let Some(bare) = bare('"').or_else(|| bare('\'')) {
        return bare.into();
    }
    // On Windows, backslashes stand between folders.
    let name = if cfg!(unix) { without_backslashes(name) } else { name.into() };
    match (name.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => name,
    }
}

/// The text without the backslashes that take their meaning from the signs behind them.
fn without_backslashes(text: &str) -> String {
    let mut bare = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(next) if letter == '\\' && !next.is_alphanumeric() => bare.extend(letters.next()),
            _ => bare.push(letter),
        }
    }
    bare
}

/// Reads a word that should be the name of a point, or `pass`.
fn point(word: &str, size: Size) -> Order {
    match vertex::parse(word, size) {
        Some(Vertex::On(mv)) => Order::Move(mv),
        Some(Vertex::OffBoard) => {
            let last = vertex::of(size.last_point(), size);
            Order::Unknown(format!("{} is not on this board, which goes from A1 to {last}", word.to_uppercase()))
        }
        None => Order::Unknown(unknown(word)),
    }
}

fn unknown(word: &str) -> String {
    let mut letters = word.chars();
    if matches!(letters.next(), Some('i' | 'I')) && word.len() > 1 && letters.all(|c| c.is_ascii_digit()) {
        return "no column has the letter I; behind H comes J".into();
    }
    // A long line would make a long message.
    let shown: String = word.chars().take(40).collect();
    let names = WORDS.iter().map(|&(name, ..)| name);
    let likeness = |name: &&str| strsim::normalized_damerau_levenshtein(name, &shown.to_lowercase());
    match names.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|name| likeness(name) >= ALIKE) {
        Some(name) => format!("\"{shown}\" is neither a point nor a word that I know; did you mean {name}?"),
        None => format!("\"{shown}\" is neither a point, such as D4, nor a word that I know; help lists the words"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;

    fn told(line: &str) -> String {
        match Order::read(line, 9) {
            Order::Unknown(text) => text,
            order => panic!("{line}: {order:?}"),
        }
    }

    #[test]
    fn points_and_words_are_read_in_any_case() {
        let d4 = Order::Move(Move::Play(Point::new(3, 3, 9)));
        for line in ["d4", " D4 ", "play d4", "play black D4", "Play\td4"] {
            assert_eq!(Order::read(line, 9), d4, "{line}");
        }
        for (line, order) in [
            ("", Order::GoOn),
            ("PASS", Order::Move(Move::Pass)),
            ("undo", Order::Undo(1)),
            ("u 3", Order::Undo(3)),
            ("D 4", Order::Move(Move::Play(Point::new(3, 3, 9)))),
            ("level", Order::Level(None)),
            ("level MAX", Order::Level(Some(Level::Max))),
            ("save my game.sgf", Order::Save("my game.sgf".into())),
            ("save \"my game.sgf\"", Order::Save("my game.sgf".into())),
            ("load '/a b/c.sgf'", Order::Load("/a b/c.sgf".into())),
            ("save \"", Order::Save("\"".into())),
            #[cfg(unix)]
            ("load /a\\ b/c\\'s\\\\.sgf", Order::Load("/a b/c's\\.sgf".into())),
            ("h 3", Order::Move(Move::Play(Point::new(7, 2, 9)))),
            ("new 13", Order::New(Some(13.into()))),
            ("new 9x13", Order::New(Size::new(9, 13))),
            ("new 13 x 9", Order::New(Size::new(13, 9))),
            ("?", Order::Help),
            ("Exit", Order::Quit),
        ] {
            assert_eq!(Order::read(line, 9), order, "{line}");
        }
        // Columns that are called as words are.
        assert_eq!(Order::read("q 16", 19), Order::Move(Move::Play(Point::new(15, 15, 19))));
        assert!(told("q 16").contains("Q16 is not on this board"), "it does not end the program");
        assert_eq!(Order::read("u 3", 21), Order::Move(Move::Play(Point::new(19, 2, 21))));
        for &(word, ..) in WORDS {
            let line = if matches!(word, "save" | "load") { format!("{word} x") } else { word.to_owned() };
            assert!(!matches!(Order::read(&line, 9), Order::Unknown(_)), "{word}");
        }
    }

    #[test]
    fn a_tilde_is_the_persons_own_folder() {
        let home = std::env::home_dir().expect("a folder of one's own");
        let whole = |rest: &str| Order::Save(home.join(rest).to_string_lossy().into_owned());
        assert_eq!(Order::read("save ~/a/b.sgf", 9), whole("a/b.sgf"));
        assert_eq!(Order::read("save a~/b.sgf", 9), Order::Save("a~/b.sgf".into()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(told("e5 f5"), "type one move at a time, such as D4");
        assert_eq!(told("resign x"), "resign stands alone, without \"x\"");
        assert_eq!(told("q now"), "quit stands alone, without \"now\"");
        assert_eq!(told("k1"), "K1 is not on this board, which goes from A1 to J9");
        assert_eq!(told("i5"), "no column has the letter I; behind H comes J");
        assert!(told("udno").ends_with("did you mean undo?"), "{}", told("udno"));
        assert!(told("hnit").ends_with("did you mean hint?"), "{}", told("hnit"));
        assert!(told("list").ends_with("help lists the words"), "{}", told("list"));
        assert!(told("xyz").ends_with("help lists the words"), "{}", told("xyz"));
        assert_eq!(told("level 99k"), "the level must be a rank from 30k to 1k or 1d to 9d, such as 12k, or max");
        assert_eq!(told("new 99"), "a board has 2 to 25 rows, such as new 13, or columns and rows, such as new 9x13");
        assert_eq!(told("save"), "name a file, such as save game.sgf");
        assert!(told("undo -1").contains("number"));
        assert!(told(&"ü".repeat(100_000)).len() < 200);
    }
}
