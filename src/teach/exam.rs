//! Positions with known answers: those of `gtp-scripts/tactics`. How many does a net get right, and how many does a
//! short search with it?

use super::record::Exam;
use crate::game::Game;
use crate::go::vertex::{self, Vertex};
use crate::go::{Color, Komi, Move, Ruleset, Size};
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::net::{Nets, Workspace};
use crate::playout::PolicyKind;
use crate::search::{Evaluators, History, Request, Search, SearchOptions};

/// The scripts, by subject.
const SCRIPTS: &[(&str, &str)] = &[
    ("capture", include_str!("../../gtp-scripts/tactics/capture.gtp")),
    ("connect", include_str!("../../gtp-scripts/tactics/connect.gtp")),
    ("escape", include_str!("../../gtp-scripts/tactics/escape.gtp")),
    ("ladder", include_str!("../../gtp-scripts/tactics/ladder.gtp")),
    ("life", include_str!("../../gtp-scripts/tactics/life.gtp")),
    ("race", include_str!("../../gtp-scripts/tactics/race.gtp")),
];

/// MiB for the tree of a search.
const MEMORY: usize = 32;

/// A position and what is right in it.
#[derive(Clone, Debug)]
struct Problem {
    name: String,
    game: Game,
    color: Color,
    /// The moves that the answer names.
    named: Vec<Move>,
    /// Are they wrong, and all others right?
    are_wrong: bool,
}

impl Problem {
    fn is_right(&self, mv: Move) -> bool {
        self.named.contains(&mv) != self.are_wrong
    }
}

/// Reads a script: `boardsize`, `komi`, `play`, and `reg_genmove` with the line `#? [A1|B2]` for its answer, or
/// `#? [!(A1|B2)]` where these moves are wrong. A problem with anything else in it is left out; a test says that there
/// is none.
fn problems(subject: &str, script: &str) -> Vec<Option<Problem>> {
    let mut problems = Vec::new();
    let (mut game, mut color) = (None, Color::Black);
    for line in script.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["boardsize", size] => game = size.parse().ok().map(|size: Size| Game::new(size, Ruleset::default(), None)),
            ["komi", points] => {
                if let (Some(game), Some(komi)) = (&mut game, points.parse().ok().and_then(|p| Komi::new(p).ok())) {
                    game.set_komi(komi);
                }
            }
            ["play", side, place] => {
                game = game.and_then(|mut game| {
                    let mv = read(place, game.size())?;
                    game.play(Color::by_name(side)?, mv).ok()?;
                    Some(game)
                });
            }
            [_, "reg_genmove", side] => color = Color::by_name(side).unwrap_or(color),
            ["#?", answer] => {
                let name = format!("{subject} {}", problems.len() + 1);
                problems.push(game.take().and_then(|game| {
                    let places = answer.strip_prefix('[')?.strip_suffix(']')?;
                    let are_wrong = places.starts_with('!');
                    let places = places.trim_matches(['!', '(', ')']);
                    let named = places.split('|').map(|place| read(place, game.size())).collect::<Option<_>>()?;
                    Some(Problem { name, game, color, named, are_wrong })
                }));
            }
            _ => {}
        }
    }
    problems
}

fn read(place: &str, size: Size) -> Option<Move> {
    match vertex::parse(place, size)? {
        Vertex::On(mv) => Some(mv),
        Vertex::OffBoard => None,
    }
}

/// Examines nets on the positions of boards up to this size. With 0 playouts there are no searches.
///
/// # Errors
/// A message if a search fails.
pub(super) fn examine(nets: &Nets, largest: usize, playouts: u64) -> Result<Exam, String> {
    let mut exam = Exam::default();
    let mut search =
        Search::new(SearchOptions { memory: MEMORY, ..SearchOptions::default() }).map_err(|error| error.to_string())?;
    let all = SCRIPTS.iter().flat_map(|(subject, script)| problems(subject, script)).flatten();
    for problem in all.filter(|problem| problem.game.size().longer_side() <= largest) {
        exam.positions += 1;
        exam.policy += u32::from(first_move(nets, &problem).is_some_and(|mv| problem.is_right(mv)));
        if playouts > 0 {
            search.forget();
            let game = &problem.game;
            let mut position = game.position().clone();
            position.set_to_move(problem.color);
            let mut request = Request::new(position, game.total_komi().half_points());
            request.history = History { moves: game.moves().to_vec(), ..History::of(game.start()) };
            request.evaluators = Evaluators::of(nets.for_size(game.size()), PolicyKind::Tactical);
            request.params = request.evaluators.defaults(game.size());
            request.limits.playouts = Some(playouts);
            let report = search.run_alone(&request).map_err(|error| error.to_string())?;
            match problem.is_right(report.best()) {
                true => exam.search += 1,
                false => exam.wrong.push(problem.name),
            }
        }
    }
    Ok(exam)
}

/// The move that the net finds likeliest.
fn first_move(nets: &Nets, problem: &Problem) -> Option<Move> {
    let game = &problem.game;
    let net = nets.for_size(game.size())?;
    let mut position = game.position().clone();
    position.set_to_move(problem.color);
    let last = last_of(game.moves().iter().map(|&(_, mv)| mv));
    let mut planes = Planes::default();
    PlaneMaker::default().make(&Situation { position: &position, last, komi: game.total_komi() }, &mut planes);
    let mut workspace = Workspace::new(net.net());
    let policy = net.net().evaluate(&mut workspace, &planes, 0).policy();
    let (best, _) = policy.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let size = game.size();
    Some(match best {
        pass if pass == size.points() => Move::Pass,
        point => Move::Play(game.position().board().points().nth(point)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_the_scripts_is_understood() {
        for (subject, script) in SCRIPTS {
            let found = problems(subject, script);
            assert_eq!(found.len(), script.lines().filter(|line| line.starts_with("#?")).count());
            for problem in &found {
                let problem = problem.as_ref().unwrap_or_else(|| panic!("{subject}: a problem that cannot be read"));
                let mut position = problem.game.position().clone();
                position.set_to_move(problem.color);
                assert!(problem.named.iter().all(|&mv| position.check(mv).is_ok()), "{}", problem.name);
            }
        }
    }

    #[test]
    fn the_shipped_net_knows_most_answers_and_its_search_all() {
        let exam = examine(&Nets::shipped().expect("nets"), 9, 200).expect("an exam");
        assert_eq!(exam.positions, 47);
        // `nine` 2 knew all of them at first sight.
        assert!(exam.policy >= 42 && exam.search == exam.positions, "{exam:?}");
        assert_eq!(exam.wrong.len() as u32, exam.positions - exam.search);
    }
}
