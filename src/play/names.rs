//! Kosumi's name in records: `Kosumi`, or `Kosumi 10k` at a level.

use crate::engine::Level;
use crate::go::Color;
use crate::record::{NodeId, Record};

const NAME: &str = "Kosumi";

/// The side that a record gives to Kosumi; `None` if it is neither side or both.
pub fn side(record: &Record) -> Option<Color> {
    let is_ours = |color: &Color| record.player(*color).is_some_and(|name| name.split(' ').next() == Some(NAME));
    let ours: Vec<Color> = Color::BOTH.into_iter().filter(is_ours).collect();
    if let [only] = ours[..] { Some(only) } else { None }
}

/// The level that the name of this side says, if the name is Kosumi's. Other engines' records may add the version of
/// the program instead, which is no level.
pub fn level(record: &Record, color: Color) -> Option<Level> {
    let name = record.player(color)?;
    match name.strip_prefix(NAME)?.trim() {
        "" => Some(Level::Max),
        rest => rest.parse().ok(),
    }
}

/// Gives this side Kosumi's name, if the side has no name, or Kosumi's with another level.
pub fn write(record: &mut Record, color: Color, played: Level) {
    let property = if color == Color::Black { "PB" } else { "PW" };
    let has_name = record.property(NodeId::ROOT, property).is_some();
    if !has_name || level(record, color).is_some_and(|said| said != played) {
        let level = if played == Level::Max { String::new() } else { format!(" {played}") };
        record.set_text(NodeId::ROOT, property, &format!("{NAME}{level}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf;

    #[test]
    fn names_say_side_and_level() {
        let record = |text: &str| sgf::read_first(text.as_bytes()).expect("a record").0;
        let level_of = |text: &str| text.parse::<Level>().expect("a level");
        for (names, expected) in [
            ("PB[Kosumi 10k]PW[Ann]", Some((Color::Black, Some(level_of("10k"))))),
            ("PW[Kosumi]", Some((Color::White, Some(Level::Max)))),
            ("PW[Kosumi 0.15.0]", Some((Color::White, None))),
            ("PB[Kosumi]PW[Kosumi 3d]", None),
            ("PB[Kosumina]", None),
        ] {
            let record = record(&format!("(;SZ[9]{names})"));
            assert_eq!(side(&record).map(|color| (color, level(&record, color))), expected, "{names}");
        }
        let mut game = record("(;SZ[9]PB[Kosumi 10k]PW[Ann])");
        write(&mut game, Color::Black, level_of("5k"));
        write(&mut game, Color::White, level_of("5k"));
        assert_eq!(game.player(Color::Black).as_deref(), Some("Kosumi 5k"));
        assert_eq!(game.player(Color::White).as_deref(), Some("Ann"), "a person's name stays");
    }
}
