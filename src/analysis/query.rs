//! A query: a game, its turns to analyze, and what the answers shall say. What is wrong with a query is said in
//! KataGo's words, in the order in which KataGo looks at the fields.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::go::rules::{NEW_ZEALAND, Scoring};
use crate::go::{Color, Komi, MAX_SIZE, MIN_SIZE, Move, Ruleset, Size};
use crate::record::rules as rules_json;
use crate::search::Restriction;

use super::fields::{Fault, Fields, start as shown};
use super::settings::{MOST_VISITS, Settings};
use super::start::Start;
use super::weight::Weight;

/// What the positions of a query have in common.
#[derive(Debug)]
pub(super) struct Query {
    /// The client's name for the query. Several queries may have the same.
    pub id: String,
    /// The game.
    pub start: Start,
    /// Its settings.
    pub settings: Settings,
    /// What the answers say besides moves.
    pub include: Include,
    /// Time from the start of a search to the first report on the way.
    pub first_report: Option<Duration>,
    /// Time between two reports on the way.
    pub report_every: Option<Duration>,
    /// Moves that the search leaves out.
    pub restrictions: Vec<Restriction>,
    /// The room that the query takes.
    pub weight: Option<Weight>,
}

/// What answers say besides moves and their values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Include {
    /// The owners of the points.
    pub owners: bool,
    /// How far the owners differ between playouts.
    pub owners_deviation: bool,
    /// The owners after each move.
    pub move_owners: bool,
    /// How far these differ.
    pub move_owners_deviation: bool,
    /// The probability of each move before the search.
    pub policy: bool,
    /// The visits of the moves of a variation.
    pub variation_visits: bool,
    /// How often a long cycle made the game void.
    pub no_result: bool,
}

/// A query that has been read.
#[derive(Debug)]
pub(super) struct Asked {
    /// The query.
    pub query: Query,
    /// The turns to analyze, each with its priority.
    pub turns: BTreeMap<usize, i64>,
    /// What is ignored, and in which field it stands.
    pub warnings: Vec<Fault>,
}

/// Priorities lie between this and its negative, as in KataGo.
const HIGHEST_PRIORITY: i64 = 0x3FFF_FFFF_FFFF_FFFF;
const LARGEST_KOMI: f64 = 400.0;
const NO_RULES: &str = "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with \
                        detailed rules parameters.";
const NO_RESTRICTION: &str = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'";
const NO_SECONDS: &str = "Must be number of seconds from 0.001 to 1000000.0";
const UNUSED: &str = "Unexpected or unused field, do you have a typo?";
/// What a query may hold.
const KNOWN_FIELDS: [&str; 30] = [
    "action",
    "allowMoves",
    "analysisPVLen",
    "analyzeTurns",
    "avoidMoves",
    "boardXSize",
    "boardYSize",
    "firstReportDuringSearchAfter",
    "id",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeNoResultValue",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePVVisits",
    "includePolicy",
    "initialPlayer",
    "initialStones",
    "komi",
    "maxVisits",
    "moves",
    "overrideSettings",
    "priorities",
    "priority",
    "reportDuringSearchEvery",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "rules",
    "terminateId",
    "whiteHandicapBonus",
];
const IGNORED: &str = "Kosumi knows no such parameter and ignores it";

/// Reads a query. `defaults` are the settings of a query that overrides none, and `rules` the rule set that an
/// incomplete object of rules changes.
///
/// # Errors
/// The first field that is wrong.
pub(super) fn read(id: &str, fields: Fields<'_>, defaults: &Settings, rules: &Ruleset) -> Result<Asked, Fault> {
    let size = board_size(fields)?;
    let stones = fields.stones("initialStones", size)?;
    let no_moves = || Fault::new("moves", "Must specify an array of [player,location] pairs");
    let moves = fields.moves("moves", size)?.ok_or_else(no_moves)?;
    let first = fields.player("initialPlayer")?;
    let turns = turns(fields, moves.len())?;
    let (rules, komi_of_rules) = read_rules(fields, rules, size)?;
    let komi = read_komi(fields)?.or(komi_of_rules).unwrap_or_else(|| usual_komi(&rules));
    let mut warnings = Vec::new();
    let settings = read_settings(fields, defaults, &mut warnings)?;
    let include = Include {
        owners: fields.switch("includeOwnership")?,
        owners_deviation: fields.switch("includeOwnershipStdev")?,
        move_owners: fields.switch("includeMovesOwnership")?,
        move_owners_deviation: fields.switch("includeMovesOwnershipStdev")?,
        policy: fields.switch("includePolicy")?,
        variation_visits: fields.switch("includePVVisits")?,
        no_result: fields.switch("includeNoResultValue")?,
    };
    let seconds = |field| Ok(fields.number(field, 0.001..=1e6, NO_SECONDS)?.map(Duration::from_secs_f64));
    let report_every = seconds("reportDuringSearchEvery")?;
    let first_report = seconds("firstReportDuringSearchAfter")?.or(report_every);
    let turns = with_priority(fields, turns)?;
    let unused = fields.0.keys().filter(|name| !KNOWN_FIELDS.contains(&name.as_str()));
    warnings.extend(unused.map(|name| Fault::new(name.clone(), UNUSED)));
    let restrictions = restrictions(fields, size)?;
    let start = Start { size, rules, komi, stones, first, moves };
    let mut query =
        Query { id: id.into(), start, settings, include, first_report, report_every, restrictions, weight: None };
    query.check_moves()?;
    // The moves do not grow any more.
    query.start.moves.shrink_to_fit();
    Ok(Asked { query, turns, warnings })
}

impl Query {
    /// Can all moves be made?
    fn check_moves(&self) -> Result<(), Fault> {
        let result = self.start.game(self.start.moves.len());
        result.map(|_| ()).map_err(|error| {
            let field = if error == super::start::NoGame::Stones { "initialStones" } else { "moves" };
            Fault::new(field, error.to_string())
        })
    }

    #[cfg(test)]
    pub(super) fn example(id: &str) -> Query {
        let fields = serde_json::json!({ "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9 });
        let Value::Object(fields) = &fields else { unreachable!() };
        read(id, Fields(fields), &Settings::default(), &Ruleset::default()).expect("a query").query
    }
}

fn board_size(fields: Fields<'_>) -> Result<Size, Fault> {
    let message = format!("Must provide an integer from {MIN_SIZE} to {MAX_SIZE}");
    let side = |field| {
        let range = MIN_SIZE as i64..=MAX_SIZE as i64;
        fields.whole(field, range, &message)?.ok_or_else(|| Fault::new(field, message.clone()))
    };
    let (columns, rows) = (side("boardXSize")?, side("boardYSize")?);
    Size::new(columns as usize, rows as usize).ok_or_else(|| Fault::new("boardXSize", message.clone()))
}

/// The turns to analyze, in the order of the query. Priorities may stand beside them.
fn turns(fields: Fields<'_>, moves: usize) -> Result<Vec<usize>, Fault> {
    let message = "Must specify an array of integers indicating turns to analyze";
    let Some(turns) = fields.wholes("analyzeTurns", message)? else { return Ok(vec![moves]) };
    let turn = |&turn: &i64| {
        let found = usize::try_from(turn).ok().filter(|&turn| turn <= moves);
        found.ok_or_else(|| Fault::new("analyzeTurns", format!("Invalid turn number: {turn}")))
    };
    turns.iter().map(turn).collect()
}

fn with_priority(fields: Fields<'_>, turns: Vec<usize>) -> Result<BTreeMap<usize, i64>, Fault> {
    let range = -HIGHEST_PRIORITY..=HIGHEST_PRIORITY;
    let several = fields.wholes("priorities", "Must specify an array of integers indicating priorities")?;
    let one = fields.whole("priority", range.clone(), "Must be a number between -2^62 and 2^62")?;
    let Some(several) = several else {
        return Ok(turns.into_iter().map(|turn| (turn, one.unwrap_or(0))).collect());
    };
    let fault = |message: &str| Err(Fault::new("priorities", message));
    if fields.get("analyzeTurns").is_none() {
        return fault("Can only specify when also specifying analyzeTurns");
    }
    if several.len() != turns.len() {
        return fault("Must be of matching length to analyzeTurns");
    }
    if let Some(wrong) = several.iter().find(|priority| !range.contains(priority)) {
        return fault(&format!("Invalid priority: {wrong}"));
    }
    if one.is_some() {
        return Err(Fault::new("priority", "Cannot specify both priority and priorities"));
    }
    Ok(turns.into_iter().zip(several).collect())
}

/// The rules, and the komi that an object of rules or keys may name for this size.
fn read_rules(fields: Fields<'_>, in_force: &Ruleset, size: Size) -> Result<(Ruleset, Option<Komi>), Fault> {
    // A text may hold the object.
    let given = fields.get("rules");
    let inner = given.and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok()).filter(Value::is_object);
    let (found, komi, text) = match inner.as_ref().or(given) {
        Some(Value::String(text)) => {
            let found = rules_json::read(text, in_force);
            // No name of a rule set and no other key has this word in it.
            let named = found.as_ref().ok().filter(|_| text.contains("komi"));
            let komi = named.map(|rules| rules.default_komi(size, 0));
            (found, komi, text.clone())
        }
        Some(value @ Value::Object(object)) => {
            let komi = read_komi(Fields(object)).map_err(|fault| Fault { field: "rules".into(), ..fault })?;
            let parts = object.iter().filter(|(name, _)| *name != "komi");
            let parts = parts.map(|(name, value)| (name.clone(), value.clone())).collect();
            (rules_json::from_object(&parts, in_force), komi, value.to_string())
        }
        _ => return Err(Fault::new("rules", NO_RULES)),
    };
    let unreadable = |why: String| Fault::new("rules", format!("Could not parse rules: {} ({why})", shown(&text)));
    let mut rules = found.map_err(|error| unreadable(error.to_string()))?;
    match fields.get("whiteHandicapBonus") {
        None => {}
        Some(bonus @ Value::String(_)) => rules_json::change(&mut rules, "whiteHandicapBonus", bonus)
            .map_err(|error| Fault::new("whiteHandicapBonus", error.to_string()))?,
        Some(_) => return Err(Fault::new("whiteHandicapBonus", "Must be a string")),
    }
    rules.validate().map_err(|error| unreadable(error.to_string()))?;
    Ok((rules, komi))
}

/// The komi of a query that names none, by KataGo's rule: whatever the size of the board and the handicap. Only
/// New Zealand rules have a komi of their own.
fn usual_komi(rules: &Ruleset) -> Komi {
    Komi::from_half_points(match rules.scoring {
        Scoring::Territory => 13,
        Scoring::Area if rules.button || rules.name() == NEW_ZEALAND.name() => 14,
        Scoring::Area => 15,
    })
}

fn read_komi(fields: Fields<'_>) -> Result<Option<Komi>, Fault> {
    let message = "Must be a integer or half-integer from -400.0 to 400.0";
    let komi = fields.number("komi", -LARGEST_KOMI..=LARGEST_KOMI, message)?;
    if komi.is_some_and(|komi| (komi * 2.0).fract() != 0.0) {
        return Err(Fault::new("komi", message));
    }
    Ok(komi.map(|komi| Komi::from_half_points((komi * 2.0) as i32)))
}

/// The settings of a query. A setting that is not known, or has no meaning here, becomes a warning.
fn read_settings(fields: Fields<'_>, defaults: &Settings, warnings: &mut Vec<Fault>) -> Result<Settings, Fault> {
    const FIELD: &str = "overrideSettings";
    let mut settings = defaults.clone();
    let none = Map::new();
    let overrides = match fields.get(FIELD) {
        None => &none,
        Some(value) => value.as_object().ok_or_else(|| Fault::new(FIELD, "Must be an object"))?,
    };
    let mut unknown = Vec::new();
    for (name, value) in overrides {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_known =
            settings.set(name, &text).map_err(|error| Fault::new(FIELD, format!("Could not set settings: {error}")))?;
        if !is_known {
            unknown.push(shown(name));
        }
    }
    if !unknown.is_empty() {
        warnings.push(Fault::new(FIELD, format!("Unknown config params: {}", unknown.join(","))));
    }
    if let Some(visits) = fields.whole("maxVisits", 1..=MOST_VISITS as i64, "Must be an integer from 1 to 2^50")? {
        settings.max_visits = Some(visits as u64);
    }
    if let Some(moves) = fields.whole("analysisPVLen", 1..=1000, "Must be an integer from 1 to 1000")? {
        settings.longest_variation = moves as usize;
    }
    let policy_fields = [
        ("rootFpuReductionMax", 0.0..=2.0, "Must be a number from 0.0 to 2.0"),
        ("rootPolicyTemperature", 0.01..=100.0, "Must be a number from 0.01 to 100.0"),
    ];
    for (field, range, message) in policy_fields {
        if fields.number(field, range, message)?.is_some() {
            warnings.push(Fault::new(field, IGNORED));
        }
    }
    Ok(settings)
}

fn restrictions(fields: Fields<'_>, size: Size) -> Result<Vec<Restriction>, Fault> {
    let allows = fields.get("allowMoves").is_some();
    if allows && fields.get("avoidMoves").is_some() {
        return Err(Fault::new("allowMoves", "Cannot specify both allowMoves and avoidMoves"));
    }
    let field = if allows { "allowMoves" } else { "avoidMoves" };
    let Some(value) = fields.get(field) else { return Ok(Vec::new()) };
    let entries = value.as_array().ok_or_else(|| Fault::new(field, NO_RESTRICTION))?;
    if allows && entries.len() > 2 {
        return Err(Fault::new(field, "Currently allowMoves only allows at most one entry per player"));
    }
    let entry = |entry: &Value| {
        let none = || Fault::new(field, NO_RESTRICTION);
        let entry = Fields(entry.as_object().ok_or_else(none)?);
        let color: Color = entry.player("player")?.ok_or_else(none)?;
        let moves = entry.places("moves", size)?.ok_or_else(none)?;
        let plies = entry.whole("untilDepth", 1..=1_000_000_000, "Must be a positive integer")?.ok_or_else(none)?;
        let (points, pass) = if allows { all_but(&moves, size) } else { of(&moves) };
        Ok(Restriction { color, points, pass, plies: plies as usize })
    };
    let restrictions: Vec<Restriction> = entries.iter().map(entry).collect::<Result<_, _>>()?;
    if let [first, second] = &restrictions[..]
        && allows
        && first.color == second.color
    {
        return Err(Fault::new(field, "Cannot specify allowMoves more than once for the same player"));
    }
    Ok(restrictions)
}

/// The points of some moves, and whether a pass is among them.
fn of(moves: &[Move]) -> (crate::go::PointSet, bool) {
    (moves.iter().filter_map(|mv| mv.point()).collect(), moves.contains(&Move::Pass))
}

fn all_but(moves: &[Move], size: Size) -> (crate::go::PointSet, bool) {
    let others = size.from_the_top().filter(|&point| !moves.contains(&Move::Play(point)));
    (others.collect(), !moves.contains(&Move::Pass))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{HandicapBonus, KoRule};
    use serde_json::json;

    fn asked(more: Value) -> Result<Asked, Fault> {
        let mut fields = json!({ "moves": [], "rules": "chinese", "boardXSize": 9, "boardYSize": 9 });
        let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) else { unreachable!() };
        fields.extend(more);
        read("a", Fields(fields), &Settings::default(), &Ruleset::default())
    }

    #[test]
    fn rules_are_names_objects_or_keys_and_the_bonus_comes_last() {
        let rules = |more| asked(more).expect("a query").query.start.rules;
        let object = json!({ "ko": "SITUATIONAL", "scoring": "TERRITORY", "whiteHandicapBonus": "N" });
        let read = rules(json!({ "rules": object, "whiteHandicapBonus": "N-1" }));
        assert_eq!((read.ko, read.scoring), (KoRule::Situational, Scoring::Territory));
        assert_eq!(read.handicap_bonus, HandicapBonus::AllButOne);
        assert_eq!(rules(json!({ "rules": "japanese" })).scoring, Scoring::Territory);
    }

    #[test]
    fn an_object_of_rules_may_name_the_komi_and_the_field_wins() {
        let komi = |more| asked(more).map(|asked| asked.query.start.komi.points());
        let rules = json!({ "ko": "SIMPLE", "scoring": "AREA", "komi": 6.5 });
        assert_eq!(komi(json!({ "rules": rules })).expect("a query"), 6.5);
        assert_eq!(komi(json!({ "rules": rules.to_string() })).expect("a query"), 6.5, "the object as a text");
        assert_eq!(komi(json!({ "rules": rules, "komi": 400 })).expect("a query"), 400.0);
        assert_eq!(komi(json!({ "rules": { "komi": 6.3 } })).expect_err("no komi").field, "rules");
    }

    #[test]
    fn keys_strung_together_may_name_the_komi() {
        let komi = |rules: &str| {
            asked(json!({ "rules": rules })).map(|asked| asked.query.start.komi.points()).map_err(|fault| fault.field)
        };
        assert_eq!(komi("koSIMPLEscoreAREAkomi6.5sui0"), Ok(6.5));
        assert_eq!(komi("koSIMPLEscoreAREAkomi-7"), Ok(-7.0));
        assert_eq!(komi("koSIMPLEscoreAREAkomi14/15/N"), Ok(7.0), "our own form, on 9×9");
        for wrong in ["koSIMPLEkomi6.3", "koSIMPLEkomi", "koSIMPLEkomi1e3", "koSIMPLEkomi400.5"] {
            assert_eq!(komi(wrong), Err("rules".into()), "{wrong}");
        }
    }

    #[test]
    fn a_query_without_komi_has_the_usual_one_on_every_board() {
        let komi = |rules| asked(json!({ "rules": rules })).expect("a query").query.start.komi.points();
        assert_eq!(["chinese", "japanese", "aga-button"].map(komi), [7.5, 6.5, 7.0]);
    }

    #[test]
    fn moves_are_allowed_once_for_each_side() {
        let of = |player: &str| json!({ "player": player, "moves": ["C3"], "untilDepth": 1 });
        let asked = |entries: &[&str]| {
            asked(json!({ "allowMoves": entries.iter().map(|player| of(player)).collect::<Vec<_>>() }))
        };
        assert_eq!(asked(&["B", "W"]).expect("a query").query.restrictions.len(), 2);
        assert!(asked(&["B", "B"]).expect_err("twice").message.contains("more than once for the same player"));
        assert!(asked(&["B", "W", "B"]).expect_err("three").message.contains("at most one entry per player"));
    }

    #[test]
    fn a_query_overrides_settings_and_the_field_wins() {
        let found = asked(json!({ "overrideSettings": { "maxVisits": 5, "x": 1, "y": 2 }, "maxVisits": 7 }));
        let found = found.expect("a query");
        assert_eq!(found.query.settings.max_visits, Some(7));
        assert_eq!(found.warnings, [Fault::new("overrideSettings", "Unknown config params: x,y")]);
        let ignored = asked(json!({ "rootPolicyTemperature": 1.1 })).expect("a query").warnings;
        assert_eq!(ignored, [Fault::new("rootPolicyTemperature", IGNORED)]);
    }

    #[test]
    fn allowed_moves_forbid_all_others() {
        let entry = json!([{ "player": "W", "moves": ["C3", "pass"], "untilDepth": 3 }]);
        let restrictions = |field: &str| asked(json!({ field: entry })).expect("a query").query.restrictions;
        let (allow, avoid) = (restrictions("allowMoves"), restrictions("avoidMoves"));
        assert_eq!((allow[0].points.len(), allow[0].pass, allow[0].plies), (80, false, 3));
        assert_eq!((avoid[0].points.len(), avoid[0].pass, avoid[0].color), (1, true, Color::White));
    }

    #[test]
    fn a_field_that_no_query_has_is_named() {
        let asked = asked(json!({ "maxVisit": 3 })).expect("a query");
        assert_eq!(asked.warnings, [Fault::new("maxVisit", UNUSED)]);
    }
}
