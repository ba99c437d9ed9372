//! The answer to a query in KataGo's form. The numbers come from `view`; this file gives them their names.

use serde_json::{Map, Value, json};

use crate::game::Game;
use crate::go::{Color, Size};
use crate::search::Report;
use crate::view::{Lead, MoveView, Owners, View, round};

use super::hash::Hashes;
use super::policy::{FirstSight, Raw};
use super::query::Query;

/// Decimals of rates and probabilities.
const RATE: u32 = 6;
/// Decimals of scores.
const POINTS: u32 = 3;
/// Decimals of owners.
const OWNER: u32 = 3;

/// What the answers about one position have in common.
#[derive(Debug)]
pub(super) struct Form<'a> {
    /// The query.
    pub query: &'a Query,
    /// The turn that is analyzed.
    pub turn: usize,
    /// The game at that turn.
    pub game: &'a Game,
    /// What is known before the search.
    pub first_sight: &'a FirstSight,
}

/// The answer for a position without a search, because it was terminated.
pub(super) fn without_results(query: &Query, turn: usize) -> Value {
    json!({ "id": query.id, "isDuringSearch": false, "noResults": true, "turnNumber": turn })
}

impl Form<'_> {
    /// The answer. `is_during_search` marks a report on the way.
    pub(super) fn answer(&self, report: &Report, is_during_search: bool) -> Value {
        let include = self.query.include;
        let position = self.game.position();
        let (to_move, size) = (position.to_move(), position.size());
        let shows_moves_owners = include.move_owners || include.move_owners_deviation;
        let make = if shows_moves_owners { View::in_full } else { View::of };
        let view = make(report, to_move, size).seen_by(self.query.settings.perspective.side(to_move));
        let mut answer = Map::new();
        let mut add = |key: &str, value: Value| answer.insert(key.into(), value);
        add("id", json!(self.query.id));
        add("isDuringSearch", json!(is_during_search));
        add("turnNumber", json!(self.turn));
        let mut infos: Vec<Value> = view.tried().map(|m| self.move_info(m, size)).collect();
        // The number behind the order: the visits, or more where a move with fewer visits comes before others.
        let visits: Vec<u64> = view.tried().map(|m| m.visits).collect();
        let mut least = 0;
        for (info, visits) in infos.iter_mut().zip(visits).rev() {
            least = visits.max(least);
            info["playSelectionValue"] = json!(least as f64);
        }
        add("moveInfos", infos.into());
        add("rootInfo", self.root_info(&view));
        if include.owners {
            add("ownership", owners(view.owners.as_ref(), size));
        }
        if include.owners_deviation {
            add("ownershipStdev", deviations(view.owners.as_ref(), size));
        }
        if let Some(policy) = &self.first_sight.policy {
            add("policy", policy.iter().map(|&share| json!(round(share, RATE))).collect());
        }
        Value::Object(answer)
    }

    fn move_info(&self, m: &MoveView, size: Size) -> Value {
        let include = self.query.include;
        let Lead { points, spread } = m.lead.unwrap_or_default();
        let bound = m.bound as f32;
        // KataGo counts the moves after the first one.
        let longest = 1 + self.query.settings.longest_variation;
        let lead = round(points, POINTS);
        let mut info = json!({
            "move": m.vertex,
            "order": m.order,
            "visits": m.visits,
            "edgeVisits": m.visits,
            "weight": m.visits as f64,
            "edgeWeight": m.visits as f64,
            "winrate": round(m.win_rate, RATE),
            "lcb": round(bound, RATE),
            "utility": round(utility(m.win_rate), RATE),
            "utilityLcb": round(utility(bound), RATE),
            "prior": round(m.prior, RATE),
            "scoreLead": lead,
            "scoreMean": lead,
            "scoreSelfplay": lead,
            "scoreStdev": round(spread, POINTS),
            "pv": m.variation.iter().take(longest).collect::<Vec<_>>(),
        });
        if include.variation_visits {
            let visits: Vec<&u64> = m.variation_visits.iter().take(longest).collect();
            info["pvVisits"] = json!(visits);
            info["pvEdgeVisits"] = json!(visits);
        }
        if include.no_result {
            info["noResultValue"] = json!(round(m.no_result, RATE));
        }
        if include.move_owners {
            info["ownership"] = owners(m.owners.as_ref(), size);
        }
        if include.move_owners_deviation {
            info["ownershipStdev"] = deviations(m.owners.as_ref(), size);
        }
        info
    }

    fn root_info(&self, view: &View) -> Value {
        let Lead { points, spread } = view.lead.unwrap_or_default();
        let lead = round(points, POINTS);
        let hashes = Hashes::of(self.game.position());
        let mut info = json!({
            "currentPlayer": view.to_move.letter().to_string(),
            "scoreLead": lead,
            "scoreSelfplay": lead,
            "scoreStdev": round(spread, POINTS),
            "symHash": hashes.symmetric,
            "thisHash": hashes.this,
            "utility": round(utility(view.win_rate), RATE),
            "visits": view.visits,
            "weight": view.visits as f64,
            "winrate": round(view.win_rate, RATE),
        });
        if let Some(raw) = self.first_sight.raw {
            let Raw { win_rate, lead, spread } = seen_by(raw, view.side, view.to_move);
            info["rawWinrate"] = json!(round(win_rate, RATE));
            info["rawLead"] = json!(round(lead, POINTS));
            info["rawScoreSelfplay"] = json!(round(lead, POINTS));
            info["rawScoreSelfplayStdev"] = json!(round(spread, POINTS));
            info["rawNoResultProb"] = json!(0.0);
            // What KataGo says with nets that do not know how uncertain they are, and how far the end is.
            info["rawStWrError"] = json!(-0.5);
            info["rawStScoreError"] = json!(-1.0);
            info["rawVarTimeLeft"] = json!(-1.0);
        }
        info
    }
}

fn seen_by(raw: Raw, side: Color, to_move: Color) -> Raw {
    if side == to_move { raw } else { Raw { win_rate: 1.0 - raw.win_rate, lead: 0.0 - raw.lead, ..raw } }
}

/// A number for each point, 0 where no owner is known.
fn owners(owners: Option<&Owners>, size: Size) -> Value {
    let nobody = Owners::nobody(size);
    owners.unwrap_or(&nobody).iter().map(|owner| json!(round(owner, OWNER))).collect()
}

fn deviations(owners: Option<&Owners>, size: Size) -> Value {
    let nobody = Owners::nobody(size);
    owners.unwrap_or(&nobody).deviations().map(|deviation| json!(round(deviation, OWNER))).collect()
}

/// KataGo's utility, from −1 to 1. Ours depends on wins alone.
fn utility(rate: f32) -> f32 {
    2.0 * rate - 1.0
}
