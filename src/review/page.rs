//! The page of a review: one HTML file with its style, its script and all findings, and nothing from elsewhere.
//!
//! The tables and the curve are made here, so they can be read without a script. The script (`stones.js`, `board.js`,
//! `review.js`) draws the board and goes through the game. The findings lie in the page as JSON. So a page is also the
//! store of a finished review, see [`stored`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::go::{Board, Color, Size};

use super::curve;
use super::finding::Finding;
use super::losses::{MoveLoss, PhaseLoss, summary, worst};
use super::svg::escape;
use super::turns::Turns;

/// A review as JSON: what the page holds, and what `--json` gives.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Review<'a> {
    /// The game's name.
    pub name: &'a str,
    /// Which review it is: record and settings.
    pub identity: &'a Value,
    /// Who has Black, and who has White.
    pub black: String,
    pub white: String,
    pub result: Option<String>,
    pub date: Option<String>,
    pub size: Size,
    pub komi: f64,
    pub rules: String,
    /// What is left out, and why: a record with an illegal move is followed up to that move.
    pub left_out: Option<String>,
    pub moves: Vec<MoveMade>,
    /// For each position, the points that differ from the position before: place in the rows from the top, stone (0, 1
    /// for Black, 2 for White).
    pub changes: Vec<Vec<(usize, u8)>>,
    pub findings: &'a [Finding],
    pub losses: &'a [MoveLoss],
    /// The numbers of the moves that lost most, the worst first.
    pub worst: Vec<usize>,
    pub summary: Vec<PhaseLoss>,
}

/// A move of the game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveMade {
    color: char,
    #[serde(rename = "move")]
    vertex: String,
}

impl<'a> Review<'a> {
    /// The review of a game.
    pub(super) fn of(
        name: &'a str,
        identity: &'a Value,
        turns: &Turns,
        findings: &'a [Finding],
        losses: &'a [MoveLoss],
    ) -> Review<'a> {
        let (game, record) = (&turns.start, turns.start.record());
        let size = game.size();
        let player = |color: Color| {
            let name = record.player(color).filter(|name| !name.trim().is_empty());
            let name = name.unwrap_or_else(|| if color == Color::Black { "Black".into() } else { "White".into() });
            record
                .rank(color)
                .filter(|rank| !rank.trim().is_empty())
                .map_or(name.clone(), |rank| format!("{name} {rank}"))
        };
        let moves = turns
            .moves
            .iter()
            .map(|turn| MoveMade { color: turn.color.letter(), vertex: crate::go::vertex::of_move(turn.mv, size) });
        Review {
            name,
            identity,
            black: player(Color::Black),
            white: player(Color::White),
            result: record.result(),
            date: record.date(),
            size,
            komi: game.komi().points(),
            rules: game.rules().name().into(),
            left_out: turns.left_out(),
            moves: moves.collect(),
            changes: changes(turns),
            findings,
            losses,
            worst: worst(losses).iter().map(|loss| loss.number).collect(),
            summary: summary(losses, size),
        }
    }

    /// The page.
    pub(super) fn page(&self, effort: &str) -> Result<String, serde_json::Error> {
        let title = format!("{} – {}", self.black, self.white);
        let (width, height) = (self.size.width(), self.size.height());
        let about = [
            self.date.clone(),
            self.result.clone(),
            Some(format!("{:#}, {} rules, komi {}", self.size, self.rules, self.komi)),
            Some(format!("reviewed by Kosumi {}, {effort}", env!("CARGO_PKG_VERSION"))),
            self.left_out.clone(),
        ];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let scale = self.findings.iter().map(|finding| finding.lead.abs()).fold(10.0, f64::max);
        // A "<" could end the element that holds the data.
        let data = serde_json::to_string(self)?.replace('<', "\\u003c");
        let parts = [
            ("title", escape(&title)),
            ("about", escape(&about.join(" · "))),
            ("style", STYLE.into()),
            ("width", ((width + 1) * 24).to_string()),
            ("height", ((height + 1) * 24).to_string()),
            ("moves", self.moves.len().to_string()),
            ("curve", curve::svg(self.findings, self.moves.len())),
            ("scale", format!("{scale:.0}")),
            ("worst", self.worst_table()),
            ("summary", self.summary_table()),
            ("data", data),
            ("rules", BOARD_SCRIPTS.concat()),
            ("script", include_str!("review.js").into()),
        ];
        Ok(filled(include_str!("review.html"), &parts))
    }

    fn worst_table(&self) -> String {
        let rows: Vec<String> = self
            .worst
            .iter()
            .filter_map(|number| self.losses.iter().find(|loss| loss.number == *number))
            .map(|loss| {
                let better = loss.better.as_ref().map_or_else(String::new, |better| better.pv.join(" "));
                format!(
                    "<tr><td><button type=\"button\" class=\"move\" data-turn=\"{0}\">{0} {1} {2}</button></td>\
                     <td class=\"number\">{3:.1}</td><td class=\"number\">{4:.1} %</td><td>{5}</td></tr>",
                    loss.number,
                    loss.color,
                    escape(&loss.vertex),
                    loss.points,
                    loss.winrate * 100.0,
                    escape(&better)
                )
            })
            .collect();
        if rows.is_empty() {
            return "<p>No move lost much.</p>".into();
        }
        format!(
            "<table><thead><tr><th>Move</th><th class=\"number\">Points</th><th class=\"number\">Wins</th>\
             <th>Better</th></tr></thead><tbody>\n{}\n</tbody></table>",
            rows.join("\n")
        )
    }

    fn summary_table(&self) -> String {
        let rows: Vec<String> = self
            .summary
            .iter()
            .map(|part| {
                let (player, side) = if part.color == 'B' { (&self.black, "Black") } else { (&self.white, "White") };
                let player = if player == side { side.into() } else { format!("{player} ({side})") };
                format!(
                    "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{:.2}</td>\
                     <td class=\"number\">{:.1}</td><td class=\"number\">{:.0} %</td></tr>",
                    escape(&player),
                    part.phase,
                    part.moves,
                    part.points,
                    // The sum makes 0 of "-0".
                    (part.total * 10.0).round() / 10.0 + 0.0,
                    part.best * 100.0
                )
            })
            .collect();
        format!(
            "<table><thead><tr><th>Player</th><th>Phase</th><th class=\"number\">Moves</th>\
             <th class=\"number\">Points lost per move</th><th class=\"number\">In all</th>\
             <th class=\"number\">Kosumi's choice</th></tr></thead><tbody>\n{}\n</tbody></table>",
            rows.join("\n")
        )
    }
}

/// The style of a page, and the scripts that know moves and draw boards, for other pages with a board.
pub(crate) const STYLE: &str = include_str!("review.css");
pub(crate) const BOARD_SCRIPTS: [&str; 3] =
    [include_str!("grid.js"), include_str!("stones.js"), include_str!("board.js")];

/// A template with a text in the place of each `{{name}}`. The texts are not searched for names.
pub(crate) fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, behind) = after.split_once("}}").unwrap_or((after, ""));
        if let Some((_, text)) = parts.iter().find(|(part, _)| *part == name) {
            page.push_str(text);
        }
        rest = behind;
    }
    page + rest
}

/// The points that differ from position to position, the first compared with the empty board.
fn changes(turns: &Turns) -> Vec<Vec<(usize, u8)>> {
    let size = turns.start.size();
    let stones = |board: &Board| -> Vec<u8> {
        let points = size.from_the_top();
        points.map(|point| board.cell(point).color().map_or(0, |color| 1 + color.index() as u8)).collect()
    };
    let mut before = vec![0; size.points()];
    let mut changes = Vec::new();
    // Nothing can fail here, so there is no type of error.
    let _ = turns.walk(|_, game, _| -> Result<bool, std::convert::Infallible> {
        let now = stones(game.position().board());
        let differs = now.iter().zip(&before).enumerate().filter(|(_, (now, before))| now != before);
        changes.push(differs.map(|(place, (&now, _))| (place, now)).collect());
        before = now;
        Ok(true)
    });
    changes
}

/// The findings that a page holds, if the page is that of this very review.
pub(super) fn stored(page: &str, identity: &Value) -> Option<Vec<Finding>> {
    /// What is read again.
    #[derive(Deserialize)]
    struct Stored {
        identity: Value,
        findings: Vec<Finding>,
    }
    let (_, after) = page.split_once("<script type=\"application/json\" id=\"review\">")?;
    let (data, _) = after.split_once("</script>")?;
    let stored: Stored = serde_json::from_str(data).ok()?;
    (stored.identity == *identity).then_some(stored.findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_put_in_and_not_searched() {
        let parts = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
        assert_eq!(filled("<{{a}}|{{b}}|{{c}}>", &parts), "<{{b}}|x|>");
    }
}
