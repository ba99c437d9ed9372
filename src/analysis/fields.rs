//! Reads the fields of a query. What is said of a wrong field are KataGo's words, because clients look for some of
//! them.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::go::{Color, Move, Point, Size, vertex};

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The field.
    pub field: Cow<'static, str>,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    /// This is wrong with this field.
    pub(super) fn new(field: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Fault {
        Fault { field: field.into(), message: message.into() }
    }
}

/// The fields of a JSON object. A reader gives `None` where there is no such field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(pub &'a Map<String, Value>);

const NO_PAIRS: &str = "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";
const NO_PLACES: &str = "Must be an array of GTP board vertices";

/// Floats below this value hold whole numbers exactly (IEEE 754).
const LARGEST_WHOLE: f64 = (1_u64 << 53) as f64;

impl<'a> Fields<'a> {
    /// A field as it is.
    pub(super) fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field)
    }

    /// A whole number in a range.
    pub(super) fn whole(
        self,
        field: &'static str,
        range: RangeInclusive<i64>,
        message: &str,
    ) -> Result<Option<i64>, Fault> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_i64().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| Fault::new(field, message))
    }

    /// A number in a range.
    pub(super) fn number(
        self,
        field: &'static str,
        range: RangeInclusive<f64>,
        message: &str,
    ) -> Result<Option<f64>, Fault> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| Fault::new(field, message))
    }

    /// `true` or `false`; `false` where there is no such field.
    pub(super) fn switch(self, field: &'static str) -> Result<bool, Fault> {
        let Some(value) = self.get(field) else { return Ok(false) };
        value.as_bool().ok_or_else(|| Fault::new(field, "Must be a boolean"))
    }

    /// A side.
    pub(super) fn player(self, field: &'static str) -> Result<Option<Color>, Fault> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let color = value.as_str().and_then(Color::by_name);
        color.map(Some).ok_or_else(|| Fault::new(field, "Must be \"b\" or \"w\""))
    }

    /// Whole numbers. `3.0` is one, too, as in KataGo: programs in Python send such numbers after a division.
    pub(super) fn wholes(self, field: &'static str, message: &str) -> Result<Option<Vec<i64>>, Fault> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let whole = |value: &Value| {
            let float = value.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < LARGEST_WHOLE);
            value.as_i64().or(float.map(|float| float as i64))
        };
        let numbers = value.as_array().and_then(|values| values.iter().map(whole).collect());
        numbers.map(Some).ok_or_else(|| Fault::new(field, message))
    }

    /// Pairs of a side and a move.
    pub(super) fn moves(self, field: &'static str, size: impl Into<Size>) -> Result<Option<Vec<(Color, Move)>>, Fault> {
        let size = size.into();
        let Some(value) = self.get(field) else { return Ok(None) };
        let pairs = value.as_array().ok_or_else(|| Fault::new(field, NO_PAIRS))?;
        let moves = pairs.iter().map(|pair| {
            let words = match pair.as_array().map(Vec::as_slice) {
                Some([color, place]) => color.as_str().zip(place.as_str()),
                _ => None,
            };
            let (color, place) = words.ok_or_else(|| Fault::new(field, NO_PAIRS))?;
            let color = Color::by_name(color)
                .ok_or_else(|| Fault::new(field, format!("Could not parse player: {}", start(color))))?;
            Ok((color, read_place(field, place, size)?))
        });
        moves.collect::<Result<_, _>>().map(Some)
    }

    /// Stones: pairs of a side and a point.
    pub(super) fn stones(self, field: &'static str, size: impl Into<Size>) -> Result<Vec<(Color, Point)>, Fault> {
        let moves = self.moves(field, size)?.unwrap_or_default();
        let stone = |(color, mv): (Color, Move)| match mv {
            Move::Play(point) => Ok((color, point)),
            Move::Pass => Err(Fault::new(field, "Could not parse board location: pass")),
        };
        moves.into_iter().map(stone).collect()
    }

    /// Moves of either side.
    pub(super) fn places(self, field: &'static str, size: impl Into<Size>) -> Result<Option<Vec<Move>>, Fault> {
        let size = size.into();
        let Some(value) = self.get(field) else { return Ok(None) };
        let places = value.as_array().ok_or_else(|| Fault::new(field, NO_PLACES))?;
        let moves = places.iter().map(|place| {
            let place = place.as_str().ok_or_else(|| Fault::new(field, NO_PLACES))?;
            read_place(field, place, size)
        });
        moves.collect::<Result<_, _>>().map(Some)
    }
}

fn read_place(field: &'static str, place: &str, size: impl Into<Size>) -> Result<Move, Fault> {
    let size = size.into();
    let found = match vertex::parse(place, size) {
        Some(vertex::Vertex::On(mv)) => Some(mv),
        _ => in_brackets(place, size).map(Move::Play),
    };
    found.ok_or_else(|| Fault::new(field, format!("Could not parse board location: {}", start(place))))
}

/// The point that `(3,0)` means: the column from the left, the row from the top.
fn in_brackets(place: &str, size: Size) -> Option<Point> {
    let (column, row) = place.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let (column, row): (usize, usize) = (column.trim().parse().ok()?, row.trim().parse().ok()?);
    size.contains(column, row).then(|| Point::new(column, size.height() - 1 - row, size))
}

/// The start of a text that came from outside, for messages.
pub(super) fn start(text: &str) -> String {
    /// The most characters of a line that an error repeats.
    const SHOWN: usize = 200;
    text.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_are_vertices_or_numbers_from_the_upper_left() {
        let place = |text| read_place("moves", text, 9).map_err(|fault| fault.message);
        assert_eq!(place("C4"), Ok(Move::Play(Point::new(2, 3, 9))));
        assert_eq!(place("(0,0)"), Ok(Move::Play(Point::new(0, 8, 9))));
        assert_eq!(place("( 8 , 8 )"), Ok(Move::Play(Point::new(8, 0, 9))));
        assert_eq!(place("Pass"), Ok(Move::Pass));
        for wrong in ["K1", "A10", "(9,0)", "(0,-1)", "(1)", "()", "", "resign"] {
            assert_eq!(place(wrong), Err(format!("Could not parse board location: {wrong}")));
        }
    }

    #[test]
    fn a_wrong_field_is_told_in_katagos_words() {
        let object = json!({
            "number": 1.5, "text": "x", "moves": [["b", "A1"], ["c", "A1"]], "pairs": [["b"]],
            "turns": [0, 1.5], "floats": [0, 3.0],
            "stones": [["w", "pass"]],
        });
        let Value::Object(object) = &object else { unreachable!() };
        let fields = Fields(object);
        let fault = |field: &'static str, message: &str| Some(Fault::new(field, message));
        assert_eq!(fields.whole("number", 0..=9, "No").err(), fault("number", "No"));
        assert_eq!(fields.number("number", 0.0..=9.0, "No"), Ok(Some(1.5)));
        assert_eq!(fields.number("text", 0.0..=9.0, "No").err(), fault("text", "No"));
        assert_eq!(fields.switch("text").err(), fault("text", "Must be a boolean"));
        assert_eq!(fields.player("text").err(), fault("text", "Must be \"b\" or \"w\""));
        assert_eq!(fields.moves("moves", 9).err(), fault("moves", "Could not parse player: c"));
        assert_eq!(fields.moves("pairs", 9).err(), fault("pairs", NO_PAIRS));
        assert_eq!(fields.stones("stones", 9).err(), fault("stones", "Could not parse board location: pass"));
        assert_eq!(fields.wholes("turns", "No").err(), fault("turns", "No"));
        assert_eq!(fields.wholes("floats", "No"), Ok(Some(vec![0, 3])));
        assert_eq!(fields.places("number", 9).err(), fault("number", NO_PLACES));
        assert_eq!((fields.whole("none", 0..=9, "No"), fields.switch("none")), (Ok(None), Ok(false)));
    }
}
