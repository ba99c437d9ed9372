//! Games from and to SGF. Reading the format is the crate `sgf_parse`'s work; what the properties mean is here.

use std::collections::HashMap;

use sgf_parse::go::{Move as SgfMove, Point as SgfPoint, Prop};
use sgf_parse::{SgfNode, SgfParseError};

use crate::game::Game;
use crate::go::{Board, Color, IllegalMove, Komi, MAX_SIZE, MIN_SIZE, Move, Point, Ruleset, rule_keys};

/// Why a text is no game that can be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// It is no SGF, or not of Go.
    #[error("{0}")]
    Format(SgfParseError),
    /// A board that is not square or of an unknown size.
    #[error("the board is no square of {MIN_SIZE} to {MAX_SIZE}")]
    Size,
    /// A property with a value that makes no sense.
    #[error("the property {0} has no valid value")]
    Property(String),
    /// A point outside the board.
    #[error("a point lies outside the board")]
    Point,
    /// Stones that are set up without liberties.
    #[error("stones are set up without liberties")]
    Setup,
    /// A move that the rules forbid.
    #[error("move {number} is illegal: {reason}")]
    Illegal {
        /// The move, counted from 1.
        number: usize,
        /// What is wrong with it.
        reason: IllegalMove,
    },
    /// The text could not be read with the memory at hand.
    #[error("the game is too long to be read")]
    TooLong,
}

/// Names that SGF's RU property and servers use for rule sets, besides those of the presets.
const RULE_NAMES: &[(&str, &str)] = &[
    ("cn", "chinese"),
    ("area", "chinese"),
    // Ing's rules: area counting; his ko rule is nobody's but his.
    ("goe", "chinese"),
    ("ing", "chinese"),
    ("tt", "tromp-taylor"),
    ("nz", "new-zealand"),
    ("jp", "japanese"),
    ("territory", "japanese"),
];

/// Stack for reading a text: the parser's nodes are nested as deep as the game is long.
const STACK_BASE: usize = 8 << 20;
const STACK_PER_BYTE: usize = 400;

/// Longest text that is read, in bytes.
pub const LONGEST: usize = 8 << 20;

/// Reads the main line of the first game in a text, up to the position before move `until` (counted from 1) if
/// that is given. Komi and rules that the game does not name are taken from the arguments.
///
/// # Errors
/// See [`SgfError`].
pub fn load(text: &str, until: Option<usize>, rules: Ruleset, komi: Option<Komi>) -> Result<Game, SgfError> {
    if text.len() > LONGEST {
        return Err(SgfError::TooLong);
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_BASE + text.len() * STACK_PER_BYTE)
            .spawn_scoped(scope, || read(text, until, rules, komi))
            .map_err(|_| SgfError::TooLong)
            .and_then(|handle| handle.join().unwrap_or(Err(SgfError::TooLong)))
    })
}

fn read(text: &str, until: Option<usize>, rules: Ruleset, komi: Option<Komi>) -> Result<Game, SgfError> {
    let games = sgf_parse::go::parse(text).map_err(SgfError::Format)?;
    let root = games.first().ok_or(SgfError::Format(SgfParseError::NoGameTrees))?;
    let size = match root.get_property("SZ") {
        None => 19,
        Some(Prop::SZ((columns, rows))) if columns == rows => usize::from(*columns),
        Some(_) => return Err(SgfError::Size),
    };
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(SgfError::Size);
    }
    let rules = match root.get_property("RU") {
        Some(Prop::RU(name)) => recorded_rules(&name.text).unwrap_or(rules),
        _ => rules,
    };
    let komi = match root.get_property("KM") {
        Some(Prop::KM(points)) => Some(Komi::new(*points).map_err(|_| SgfError::Property("KM".into()))?),
        _ => komi,
    };
    let mut game = Game::new(size, rules, komi);
    let last = until.map_or(usize::MAX, |n| n.saturating_sub(1));
    let mut number = 0;
    for node in root.main_variation() {
        set_up(&mut game, node)?;
        for prop in node.properties() {
            let (color, mv) = match prop {
                Prop::B(mv) => (Color::Black, mv),
                Prop::W(mv) => (Color::White, mv),
                Prop::Invalid(name, _) if matches!(name.as_str(), "B" | "W" | "AB" | "AW" | "AE") => {
                    return Err(SgfError::Property(name.clone()));
                }
                _ => continue,
            };
            if number == last {
                return Ok(game);
            }
            number += 1;
            play(&mut game, color, to_move(mv, size)?, number)?;
        }
    }
    if let Some(Prop::RE(result)) = root.get_property("RE") {
        // Not "?" (unknown) or a remark.
        if ["B+", "W+", "0", "Draw", "Void"].iter().any(|known| result.text.starts_with(known)) {
            game.set_recorded_result(&result.text);
        }
    }
    Ok(game)
}

/// The rule set that a record names.
pub fn rules_by_name(name: &str) -> Option<Ruleset> {
    let known = RULE_NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name.trim())).map_or(name, |(_, preset)| preset);
    Ruleset::by_name(known)
}

/// The rule set of a record: by name, or by its parts if it has none.
fn recorded_rules(text: &str) -> Option<Ruleset> {
    rules_by_name(text).or_else(|| rule_keys::read(text.trim()).filter(|rules| rules.validate().is_ok()))
}

/// What a record says of a rule set, so that it can be restored exactly.
fn rules_text(rules: &Ruleset) -> String {
    let name = rules.name();
    if Ruleset::by_name(name) == Some(*rules) { name.into() } else { rule_keys::write(rules) }
}

fn to_move(mv: &SgfMove, size: usize) -> Result<Move, SgfError> {
    match mv {
        SgfMove::Pass => Ok(Move::Pass),
        // Before FF[4], "tt" was a pass on boards up to 19×19.
        SgfMove::Move(SgfPoint { x: 19, y: 19 }) if size <= 19 => Ok(Move::Pass),
        SgfMove::Move(point) => to_point(point, size).map(Move::Play),
    }
}

fn to_point(point: &SgfPoint, size: usize) -> Result<Point, SgfError> {
    let (x, y) = (usize::from(point.x), usize::from(point.y));
    // SGF counts rows from the top.
    if x < size && y < size { Ok(Point::new(x, size - 1 - y, size)) } else { Err(SgfError::Point) }
}

fn from_point(point: Point, size: usize) -> SgfPoint {
    SgfPoint { x: point.column(size) as u8, y: (size - 1 - point.row(size)) as u8 }
}

/// Carries out a node's set-up properties.
fn set_up(game: &mut Game, node: &SgfNode<Prop>) -> Result<(), SgfError> {
    let size = game.size();
    let mut changes: HashMap<Point, Option<Color>> = HashMap::new();
    let mut to_move = None;
    let mut handicap = None;
    for prop in node.properties() {
        let (points, color) = match prop {
            Prop::AB(points) => (points, Some(Color::Black)),
            Prop::AW(points) => (points, Some(Color::White)),
            Prop::AE(points) => (points, None),
            Prop::PL(color) => {
                to_move = Some(match color {
                    sgf_parse::Color::Black => Color::Black,
                    sgf_parse::Color::White => Color::White,
                });
                continue;
            }
            Prop::HA(stones) => {
                handicap = usize::try_from(*stones).ok();
                continue;
            }
            _ => continue,
        };
        for point in points {
            changes.insert(to_point(point, size)?, color);
        }
    }
    if changes.is_empty() && to_move.is_none() {
        return Ok(());
    }
    let stones = stones(game.position().board(), &changes);
    let black_only = stones.iter().all(|(color, _)| *color == Color::Black);
    let fresh = game.moves().is_empty() && game.start().board().empties().len() == size * size;
    let default = if fresh && black_only && !stones.is_empty() { Color::White } else { game.position().to_move() };
    let count = stones.len();
    game.set_up(stones, to_move.unwrap_or(default)).map_err(|_| SgfError::Setup)?;
    if fresh && black_only && (handicap.is_some() || count >= 2 && to_move.is_none()) {
        game.set_handicap(handicap.unwrap_or(count));
    }
    Ok(())
}

/// The stones of a board after changes.
fn stones(board: &Board, changes: &HashMap<Point, Option<Color>>) -> Vec<(Color, Point)> {
    board
        .points()
        .filter_map(|p| {
            let color = changes.get(&p).copied().unwrap_or_else(|| board.cell(p).color());
            color.map(|color| (color, p))
        })
        .collect()
}

/// Plays a recorded move. One that only superko forbids was legal where it was played: the record goes on from the
/// position that it made.
fn play(game: &mut Game, color: Color, mv: Move, number: usize) -> Result<(), SgfError> {
    match (game.play(color, mv), mv) {
        (Ok(()), _) => Ok(()),
        (Err(IllegalMove::Superko), Move::Play(point)) => {
            let mut board = game.position().board().clone();
            board.place(color, point);
            let stones = stones(&board, &HashMap::new());
            game.set_up(stones, color.other()).map_err(|_| SgfError::Setup)
        }
        (Err(reason), _) => Err(SgfError::Illegal { number, reason }),
    }
}

/// Writes a game. `result` is the text of the RE property, if the game has ended.
pub fn save(game: &Game, result: Option<&str>) -> String {
    let size = game.size();
    let text = |value: &str| sgf_parse::SimpleText { text: value.into() };
    let head = [
        Prop::GM(1),
        Prop::FF(4),
        Prop::CA(text("UTF-8")),
        Prop::AP((text("Kosumi"), text(env!("CARGO_PKG_VERSION")))),
    ];
    let mut rest = vec![Prop::KM(game.komi().points()), Prop::RU(text(&rules_text(game.rules())))];
    if let Some(result) = result {
        rest.push(Prop::RE(text(result)));
    }
    let start = game.start();
    let placed = |color: Color| {
        let board = start.board();
        board.points().filter(|&p| board.cell(p) == color.cell()).map(|p| from_point(p, size)).collect::<Vec<_>>()
    };
    // The crate would write SZ[9:9], which the format forbids for squares.
    let mut nodes = vec![format!("{}SZ[{size}]{}", props(&head), props(&rest))];
    let handicap = game.handicap();
    let has_setup = start.board().empties().len() < size * size;
    if handicap >= 2 && has_setup {
        nodes[0].push_str(&Prop::HA(handicap as i64).to_string());
    }
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        // Written point by point: the crate keeps sets, and their order would differ from run to run.
        let points = placed(color);
        if !points.is_empty() {
            nodes[0].push_str(name);
            for p in points {
                nodes[0].push_str(&format!("[{}{}]", letter(p.x), letter(p.y)));
            }
        }
    }
    if has_setup {
        nodes[0].push_str(if start.to_move() == Color::Black { "PL[B]" } else { "PL[W]" });
    }
    for &(color, mv) in game.moves() {
        let mv = mv.point().map_or(SgfMove::Pass, |p| SgfMove::Move(from_point(p, size)));
        let prop = if color == Color::Black { Prop::B(mv) } else { Prop::W(mv) };
        nodes.push(prop.to_string());
    }
    let mut sgf = String::from("(");
    for node in nodes {
        sgf.push(';');
        sgf.push_str(&node);
        sgf.push('\n');
    }
    sgf.push(')');
    sgf
}

fn props(props: &[Prop]) -> String {
    props.iter().map(Prop::to_string).collect()
}

/// SGF's letter of a column or row below 26.
fn letter(index: u8) -> char {
    char::from(b'a' + index)
}
