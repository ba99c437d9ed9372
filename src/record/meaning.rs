//! The meaning of known properties: moves, set-up stones, size, komi, rules, comments, clocks.

use crate::go::{Board, Color, Komi, MAX_SIZE, MIN_SIZE, Move, Point, PointMap, Ruleset, Size};

use super::names::{is_move, is_set_up, of_move};
use super::{NodeId, Property, Record, rules};

/// Column and row of `tt`.
const OLD_PASS: (usize, usize) = (19, 19);

/// Is `tt` a pass on a board of this size, as before FF4? It is no point on boards up to 19×19.
pub(super) fn has_old_pass(size: Size) -> bool {
    !size.contains(OLD_PASS.0, OLD_PASS.1)
}

/// The size of a record that names none (FF4, SZ).
const USUAL_SIZE: Size = Size::square(19);

/// Why a property cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// A board of an unknown size.
    #[error("a board has {MIN_SIZE} to {MAX_SIZE} columns and rows")]
    Size,
    /// A value without a meaning.
    #[error("the property {0} has no valid value")]
    Property(String),
    /// A point outside the board.
    #[error("a point lies outside the board")]
    Point,
}

/// Fox and Tygem write komi in hundredths (`KM[375]`, `KM[650]`). Whole numbers from this value on count as hundredths.
/// A guess: no komi of a real game is near it.
const LEAST_HUNDREDTHS: f64 = 100.0;

/// The points of a komi. Records in Chinese tradition give komi in stones of two points each, recognized by a quarter
/// or three quarters. `None` if the text is no number.
fn komi_points(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    // Rust takes "nan" and "inf" for numbers; a program may write a komi that it does not know as NaN.
    let points = text.parse().ok().filter(|points: &f64| points.is_finite())?;
    let is_whole = !text.contains(['.', 'e', 'E']) && points >= LEAST_HUNDREDTHS;
    let points = if is_whole { points / 100.0 } else { points };
    // Three decimals mean points, see `komi_value`.
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let in_stones = decimals < 3 && (points * 2.0).fract().abs() == 0.5;
    Some(if in_stones { points * 2.0 } else { points })
}

/// Komi as a value that cannot be read as hundredths or stones.
pub fn komi_value(komi: Komi) -> String {
    let points = komi.points();
    if (points * 2.0).fract().abs() == 0.5 {
        format!("{points:.3}")
    } else if points.fract() == 0.0 && points >= LEAST_HUNDREDTHS {
        format!("{points:.1}")
    } else {
        komi.to_string()
    }
}

/// A move as a value.
pub fn move_value(mv: Move, size: impl Into<Size>) -> String {
    mv.point().map_or_else(String::new, |point| point_value(point, size))
}

/// A point as a value: its column and its row, which SGF counts from the top.
pub fn point_value(point: Point, size: impl Into<Size>) -> String {
    let size = size.into();
    let letter = |index: usize| char::from(b'a' + index as u8);
    [letter(point.column(size)), letter(size.height() - 1 - point.row(size))].iter().collect()
}

fn invalid(property: &Property<'_>) -> ValueError {
    ValueError::Property(property.name().into())
}

/// Column and row of a point, counted from the upper left corner.
fn place(text: &str) -> Option<(usize, usize)> {
    let index = |byte: u8| match byte {
        b'a'..=b'z' => Some(usize::from(byte - b'a')),
        b'A'..=b'Z' => Some(usize::from(byte - b'A') + 26),
        _ => None,
    };
    match text.trim().as_bytes() {
        &[column, row] => Some((index(column)?, index(row)?)),
        _ => None,
    }
}

/// The stones that a node adds or removes, and the side to move that it names.
#[derive(Clone, Debug)]
pub struct SetUp {
    /// The new contents of a point; `None` for no change.
    changes: PointMap<Option<Option<Color>>>,
    changes_stones: bool,
    /// The side to move, if the node names one.
    pub to_move: Option<Color>,
}

impl SetUp {
    /// Does the node add or remove stones?
    pub fn changes_stones(&self) -> bool {
        self.changes_stones
    }

    /// The stones on a board after the set-up.
    pub fn stones(&self, board: &Board) -> Vec<(Color, Point)> {
        let after = |point| self.changes[point].unwrap_or_else(|| board.cell(point).color());
        board.points().filter_map(|point| Some((after(point)?, point))).collect()
    }
}

/// What a side's clock shows after a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeLeft {
    /// Time left in seconds.
    pub seconds: Option<f64>,
    /// Moves left in this byo-yomi period.
    pub moves: Option<u32>,
}

impl Record {
    /// A new node with a move.
    pub fn add_move(&mut self, parent: NodeId, color: Color, mv: Move, size: impl Into<Size>) -> NodeId {
        let child = self.add_child(parent);
        self.set(child, of_move(color), &[&move_value(mv, size)]);
        child
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// If no board has this size.
    pub fn size(&self) -> Result<Size, ValueError> {
        let property = self.property(NodeId::ROOT, "SZ").filter(|size| !size.value().trim().is_empty());
        let Some(property) = property else { return Ok(USUAL_SIZE) };
        let (columns, rows) = property.value().split_once(':').unwrap_or((property.value(), property.value()));
        let side = |text: &str| text.trim().parse().map_err(|_| ValueError::Size);
        Size::new(side(columns)?, side(rows)?).ok_or(ValueError::Size)
    }

    /// Is the record of Go, and not of another game?
    pub fn is_of_go(&self) -> bool {
        self.property(NodeId::ROOT, "GM").is_none_or(|game| game.value().trim() == "1")
    }

    /// The first node of the main line that says something of the game by this property. Mostly this is the root. But
    /// FF4 lets a later node say it.
    pub fn node_with(&self, name: &str) -> Option<NodeId> {
        self.main_line().find(|&node| self.property(node, name).is_some())
    }

    /// Komi in points.
    ///
    /// # Errors
    /// If the value is a number but no komi. (Other text gives `None`.)
    pub fn komi(&self) -> Result<Option<Komi>, ValueError> {
        let property = self.node_with("KM").and_then(|node| self.property(node, "KM"));
        let Some(property) = property else { return Ok(None) };
        let points = komi_points(property.value());
        points.map(|points| Komi::new(points).map_err(|_| invalid(&property))).transpose()
    }

    /// The rule set, if the record names a known one in any of the forms of [`rules`].
    pub fn rules(&self) -> Option<Ruleset> {
        let text = self.text(self.node_with("RU")?, "RU")?;
        rules::read(&text, &Ruleset::default()).ok().filter(|rules| rules.validate().is_ok())
    }

    /// The name of rules that the record has and [`Record::rules`] does not know.
    pub fn unknown_rules(&self) -> Option<String> {
        let text = self.text(self.node_with("RU")?, "RU").filter(|text| !text.trim().is_empty());
        text.filter(|_| self.rules().is_none())
    }

    /// The result in the record's form (`B+3.5`, `W+R`, `0`, `Void`). `None` for a remark or "unknown".
    pub fn result(&self) -> Option<String> {
        let known = |result: &String| ["B+", "W+", "0", "Draw", "Void"].iter().any(|known| result.starts_with(known));
        self.text(NodeId::ROOT, "RE").filter(known)
    }

    /// Number of handicap stones that a node names. `None` also for more stones than the board has points.
    pub fn handicap(&self, node: NodeId) -> Option<usize> {
        let stones = self.property(node, "HA")?.value().trim().parse().ok()?;
        (stones <= self.size().map_or(0, Size::points)).then_some(stones)
    }

    /// A player's name.
    pub fn player(&self, color: Color) -> Option<String> {
        self.text(NodeId::ROOT, if color == Color::Black { "PB" } else { "PW" })
    }

    /// A player's rank.
    pub fn rank(&self, color: Color) -> Option<String> {
        self.text(NodeId::ROOT, if color == Color::Black { "BR" } else { "WR" })
    }

    /// The date of the game in the record's form (FF4: `1996-05-06,07`).
    pub fn date(&self) -> Option<String> {
        self.text(NodeId::ROOT, "DT")
    }

    /// The comment on a node.
    pub fn comment(&self, node: NodeId) -> Option<String> {
        self.text(node, "C")
    }

    /// The name of a node.
    pub fn node_name(&self, node: NodeId) -> Option<String> {
        self.text(node, "N")
    }

    /// What a side's clock shows after this node's move.
    pub fn time_left(&self, node: NodeId, color: Color) -> TimeLeft {
        let (seconds, moves) = if color == Color::Black { ("BL", "OB") } else { ("WL", "OW") };
        let value = |name| self.property(node, name).map(|property| property.value().trim());
        let seconds = value(seconds).and_then(|value| value.parse().ok()).filter(|seconds: &f64| seconds.is_finite());
        TimeLeft { seconds, moves: value(moves).and_then(|value| value.parse().ok()) }
    }

    /// Does a node have a move?
    pub fn has_move(&self, node: NodeId) -> bool {
        self.properties(node).any(|property| is_move(property.name()))
    }

    /// A node's move on a board of this size.
    ///
    /// # Errors
    /// If the value is no move, or the point lies outside the board.
    pub fn move_at(&self, node: NodeId, size: impl Into<Size>) -> Result<Option<(Color, Move)>, ValueError> {
        let size = size.into();
        let Some(property) = self.properties(node).find(|property| is_move(property.name())) else { return Ok(None) };
        let color = if property.name() == of_move(Color::Black) { Color::Black } else { Color::White };
        let mv = match property.value().trim() {
            "" => Move::Pass,
            "tt" if has_old_pass(size) => Move::Pass,
            value => {
                let (column, row) = place(value).ok_or_else(|| invalid(&property))?;
                if !size.contains(column, row) {
                    return Err(ValueError::Point);
                }
                Move::Play(Point::new(column, size.height() - 1 - row, size))
            }
        };
        Ok(Some((color, mv)))
    }

    /// The first child of a node with this move.
    pub fn child_with_move(&self, node: NodeId, color: Color, mv: Move, size: impl Into<Size>) -> Option<NodeId> {
        let size = size.into();
        self.children(node).find(|&child| self.move_at(child, size) == Ok(Some((color, mv))))
    }

    /// The set-up of a node on a board of this size; `None` if the node has none.
    ///
    /// # Errors
    /// If a value is no point, or the point lies outside the board.
    pub fn set_up(&self, node: NodeId, size: impl Into<Size>) -> Result<Option<SetUp>, ValueError> {
        let size = size.into();
        if !self.properties(node).any(|property| is_set_up(property.name())) {
            return Ok(None);
        }
        let mut set_up = SetUp { changes: PointMap::filled(None), changes_stones: false, to_move: None };
        for property in self.properties(node) {
            let color = match property.name() {
                "AB" => Some(Color::Black),
                "AW" => Some(Color::White),
                "AE" => None,
                "PL" => {
                    set_up.to_move = match property.value().trim().as_bytes().first() {
                        Some(b'B' | b'b' | b'1') => Some(Color::Black),
                        Some(b'W' | b'w' | b'2') => Some(Color::White),
                        _ => None,
                    };
                    continue;
                }
                _ => continue,
            };
            for value in property.values() {
                // Some programs write an empty list as `AB[]`.
                if value.trim().is_empty() {
                    continue;
                }
                let (from, to) = value.split_once(':').unwrap_or((value, value));
                let corners = place(from).zip(place(to)).ok_or_else(|| invalid(&property))?;
                let ((a, b), (c, d)) = corners;
                if !size.contains(a.max(c), b.max(d)) {
                    return Err(ValueError::Point);
                }
                set_up.changes_stones = true;
                for column in a.min(c)..=a.max(c) {
                    for row in b.min(d)..=b.max(d) {
                        set_up.changes[Point::new(column, size.height() - 1 - row, size)] = Some(color);
                    }
                }
            }
        }
        Ok(Some(set_up))
    }
}
