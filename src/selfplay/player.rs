//! Plays one game of self-play, and makes a lesson of it. `opening` has the moves before the first search.

mod opening;

use crate::dataset::{Aside, Ending, Lesson, Step};
use crate::engine::status::{Judgement, judge};
use crate::game::Game;
use crate::go::rules::DeadStones;
use crate::go::score::area;
use crate::go::shape::is_self_atari;
use crate::go::{Cell, Color, Komi, Move, Outcome, Point, PointSet, Position};
use crate::playout::{Rng, stream};
use crate::search::{
    Evaluators, History, MoveReport, Ownership, Params, Report, Request, Search, SearchError, SearchOptions, WhichTree,
};
use crate::sgf;
use rand::Rng as _;

use super::choice::{by_visits, legal, passes_early, temperature};
use super::ending::Verdict;
use super::gumbel;
use super::settings::Settings;
use crate::chance::{happens, normal};

/// The probability of a larger deviation of komi (KataGo: `komiBigStdevProb`), and this deviation: ours, for small
/// boards.
const FAR_PROBABILITY: f64 = 0.05;
const FAR_DEVIATION: f64 = 5.0;

/// A game is decided when both sides' last values say so for this number of moves in a row (KataGo: five turns).
/// Searches are then quick, and few positions are taught.
const DECIDED_MOVES: usize = 5;

/// In a decided game, the share of a result that comes from the margin: the moves that remain are about points. The
/// engine takes as much where it compares moves by points. A share of 0.9, over margins up to the whole board, was no
/// better: in 150 games the mean margin was 26.5 points instead of 24.6, and 3 % of the games had no sure owners
/// instead of 1 %.
const DECIDED_SCORE_SHARE: f32 = 0.5;

/// Playouts of a search that judges whose the points are. A guess.
const JUDGING_PLAYOUTS: u64 = 300;

/// Open points that a move settles at the most. After a judgement, a search aside waits for so many moves as the open
/// points need. A guess: where it is too small, a finished game is played on for a few moves.
const SETTLED_BY_A_MOVE: usize = 4;

/// Effort for the local games of life and death, see [`judge`]. A guess: a fifth of what the engine takes for a move.
const JUDGING_WORK: u64 = 200_000;

/// At the end of a game a side surely owns a point from this degree on. Then seven playouts in eight agree.
const SURE: f32 = 0.75;

/// Playouts from which the owners of the points are known, as for the engine.
const LEAST_SAMPLES: u64 = 50;

/// A pass that leaves more open points than this share of the board ends a game that is not finished. A guess: sekis on
/// 9×9 have up to eight.
const OPEN_SHARE: usize = 10;

/// Moves at the most, for each point of the board. A longer game is left out.
const LONGEST: usize = 3;

/// A finished game.
#[derive(Debug)]
pub(super) struct Played {
    /// The game for the rows; `None` if it was too long.
    pub lesson: Option<Lesson>,
    /// The game as SGF.
    pub sgf: String,
    /// Moves of the game.
    pub moves: usize,
    /// The winner.
    pub winner: Option<Color>,
    /// Was the game decided before its end?
    pub decided: bool,
    /// Do the playouts disagree on many points of the end?
    pub in_doubt: bool,
    /// Playouts of all searches.
    pub playouts: u64,
}

/// Plays games one after the other.
#[derive(Debug)]
pub(super) struct Player<'a> {
    settings: &'a Settings,
    search: Search,
}

/// A game in progress.
struct Table<'a> {
    settings: &'a Settings,
    search: &'a mut Search,
    game: Game,
    steps: Vec<Step>,
    rng: Rng,
    /// Who evaluates the leaves.
    evaluators: Evaluators,
    /// The tunables of the next search.
    params: Params,
    /// Black's values, one for each search.
    values: Vec<f32>,
    /// Moves in a row after which both sides agreed on the winner.
    agreed: usize,
    decided: bool,
    /// No search aside judges the position before so many moves are played.
    judged_until: usize,
    playouts: u64,
}

impl<'a> Player<'a> {
    /// A player whose searches run in the thread that asks for them: searches of a few playouts come by the dozen, and
    /// waking another thread for each takes as long as a playout.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub(super) fn new(settings: &'a Settings) -> Result<Player<'a>, String> {
        let options = SearchOptions { threads: 0, memory: settings.memory, ..SearchOptions::default() };
        let search = Search::new(options).map_err(|error| error.to_string())?;
        Ok(Player { settings, search })
    }

    /// Plays a game. The same number gives the same game.
    ///
    /// # Errors
    /// If the search fails.
    pub(super) fn play(&mut self, number: u64) -> Result<Played, SearchError> {
        self.search.forget();
        let settings = self.settings;
        let mut rng = stream(settings.seed, number.wrapping_add(1));
        let rules = settings.rules[(rng.next_u64() % settings.rules.len() as u64) as usize];
        let far = happens(&mut rng, FAR_PROBABILITY);
        let size = settings.size_of(number);
        let usual = settings.variety.komi_deviation;
        let deviation = if far { usual.max(FAR_DEVIATION) } else { usual };
        let komi = settings.komi_of(size).points() + normal(&mut rng) * deviation;
        let game = Game::new(size, rules, Some(half_points(komi)));
        let (evaluators, params) = settings.search(size, &rules);
        let params = if evaluators.is_net_alone(&params) { with_plain_win_rates(params) } else { params };
        let mut table = Table {
            settings,
            search: &mut self.search,
            game,
            steps: Vec::new(),
            rng,
            evaluators,
            params,
            values: Vec::new(),
            agreed: 0,
            decided: false,
            judged_until: 0,
            playouts: 0,
        };
        table.open()?;
        while !table.game.position().is_over() && table.steps.len() < LONGEST * table.points() {
            table.step()?;
        }
        table.finish()
    }
}

/// A komi of this many points, rounded to half points.
fn half_points(points: f64) -> Komi {
    Komi::from_half_points((2.0 * points).round() as i32)
}

/// The tunables with which the win rate of a net alone is the mean of its values and counts.
///
/// The win rate that people see takes these means for too cautious. A net that learned it would grow surer with each
/// generation. So a net learns the means themselves. They have no share of the margin until the game is decided, whatever
/// `score_share` is set to.
fn with_plain_win_rates(params: Params) -> Params {
    Params { win_rate_playouts: 1.0, win_rate_net: 0.0, score_share: 0.0, ..params }
}

/// The tunables with which the priors of moves are the net's own policy.
///
/// A search changes them: it flattens the policy, and it adds what it knows of ladders and patterns. Gumbel's method
/// teaches the priors, changed by what was found. So whatever is added would grow with each generation.
fn with_plain_priors(params: Params) -> Params {
    Params {
        policy_exponent: 1.0,
        learned_beside: 0.0,
        learned_in_ladders: 0.0,
        ladders: 0.0,
        weigh_pass: 0.0,
        ..params
    }
}

/// Visits of a quick search, with those that it found in its tree, whose position is taught beside the positions of full
/// searches. A guess.
const LEAST_VISITS: u64 = 200;

impl Table<'_> {
    fn points(&self) -> usize {
        self.game.size().points()
    }

    /// A request for the position of the game.
    fn request(&mut self, playouts: u64) -> Request {
        let mut request = Request::new(self.game.position().clone(), self.game.total_komi().half_points());
        request.history = History { moves: self.game.moves().to_vec(), ..History::of(self.game.start()) };
        request.limits.playouts = Some(playouts);
        request.params = self.params.clone();
        request.evaluators = self.evaluators.clone();
        request.seed = self.rng.next_u64();
        request
    }

    fn ask(&mut self, request: &Request) -> Result<Report, SearchError> {
        let report = self.search.run_alone(request)?;
        self.playouts += report.playouts;
        Ok(report)
    }

    /// Searches the moves that Gumbel's method chooses, `most` of them at first. The visits of the report are the shares
    /// of the improved policy.
    ///
    /// A candidate of a later round is searched anew, with the visits of all its rounds together. A net alone has kept
    /// its answers to the earlier visits, so they cost little, and the visits of a round are as many as those that ask.
    fn ask_by_gumbel(&mut self, mut request: Request, most: usize) -> Result<Report, SearchError> {
        let playouts = request.limits.playouts.unwrap_or(1);
        let mut first = request.clone();
        first.limits.playouts = Some(1);
        first.params = with_plain_priors(first.params);
        // The kept tree may know a few visits of a quick search. They are no visits of this method.
        first.tree = WhichTree::Aside;
        let mut found = self.ask(&first)?;
        let root = found.value;
        found.moves = legal(self.game.position(), &found);
        found.moves.iter_mut().for_each(|m| m.visits = 0);
        let mut left = gumbel::draw(&found.moves, most, &mut self.rng);
        let rounds = gumbel::rounds(left.len());
        let mut each = 0;
        for _ in 0..rounds {
            each += (playouts / (rounds * left.len().max(1) as u64)).max(1);
            for candidate in &left {
                request.only = Some(vec![candidate.mv]);
                request.limits.playouts = Some(each);
                request.seed = self.rng.next_u64();
                let report = self.ask(&request)?;
                found.ownership.merge(&report.ownership);
                found.playouts += report.playouts;
                for m in report.moves {
                    if let Some(known) = found.moves.iter_mut().find(|known| known.mv == m.mv) {
                        *known = MoveReport { prior: known.prior, ..m };
                    }
                }
            }
            gumbel::halve(&mut left, &found.moves);
        }
        found.value = gumbel::improve(&mut found.moves, root);
        Ok(found)
    }

    /// Makes a move that the rules allow.
    fn play(&mut self, mv: Move, shares: Vec<(Move, u32)>, value: Option<f32>, is_taught: bool) {
        let color = self.game.position().to_move();
        let mv = match self.game.play(color, mv) {
            Ok(()) => mv,
            // The callers have checked the move. A pass is always legal.
            Err(_) => {
                let _ = self.game.play(color, Move::Pass);
                Move::Pass
            }
        };
        self.steps.push(Step { color, mv, shares, value, is_taught, asides: Vec::new() });
    }

    /// Lets the last move teach what its search has visited often beside the move. In a decided game nothing of it is
    /// taught.
    fn teach_asides(&mut self) {
        let Some(step) = self.steps.last_mut().filter(|_| self.settings.aside_visits > 0 && !self.decided) else {
            return;
        };
        // Gumbel's method searches one candidate after the other, so only the last one has visits here.
        let found = self.search.beside(&self.params, self.settings.aside_visits, step.mv);
        step.asides =
            found.into_iter().map(|at| Aside { moves: at.moves, shares: at.shares, value: at.win_rate }).collect();
    }

    /// Does a quick search know as much as the positions beside the game that are taught? It keeps what earlier searches
    /// found below its root.
    fn knows_enough(&self, report: &Report) -> bool {
        let least = self.settings.aside_visits;
        least > 0 && self.settings.gumbel_moves == 0 && report.visits >= least.max(LEAST_VISITS)
    }

    /// Searches and makes a move.
    fn step(&mut self) -> Result<(), SearchError> {
        let is_full = !self.decided && happens(&mut self.rng, self.settings.full_share);
        let mut is_taught =
            if self.decided { happens(&mut self.rng, self.settings.variety.decided_taught) } else { is_full };
        let mut request = self.request(if is_full { self.settings.playouts } else { self.settings.quick_playouts });
        // Late in the game the owners tell whether it is over. Before that, playouts may end early.
        let is_late = 2 * self.game.position().board().empties().len() <= self.points();
        request.knowledge.owners = is_late || self.decided;
        let report = match self.settings.gumbel_moves {
            most if most > 0 && is_full => self.ask_by_gumbel(request, most)?,
            _ => self.ask(&request)?,
        };
        is_taught |= !self.decided && self.knows_enough(&report);
        // Where the game is decided, half of a value comes from the margin. Means of playouts are closer to one half than
        // games are, so their win rate is the value. (`report.win_rate` is nearer to one half after few visits.) A value by
        // Gumbel's method needs no formula.
        let by_gumbel = is_full && self.settings.gumbel_moves > 0;
        let value =
            (!self.decided).then_some(if by_gumbel { report.value } else { report.means.win_rate(&self.params) });
        self.look(&report);
        let mut moves = legal(self.game.position(), &report);
        let verdict = self.verdict(&report, is_late)?;
        let open = verdict.as_ref().map_or(self.points(), |(verdict, _)| verdict.open);
        if let Some((verdict, owners)) = verdict
            && open == 0
            && self.is_safe_to_pass(&verdict, &owners)?
        {
            match self.capture_dead(&verdict)? {
                Some(captures) => moves = captures,
                None => {
                    self.play(Move::Pass, vec![(Move::Pass, 1)], value, is_taught);
                    return Ok(());
                }
            }
        } else if let [first, ..] = &moves[..]
            && first.mv == Move::Pass
            && open > self.points() / OPEN_SHARE
            && passes_early(&moves)
        {
            moves.retain(|m| m.mv != Move::Pass);
        }
        let temperature = temperature(self.steps.len(), self.game.size().like_square());
        let mv = by_visits(&moves, temperature, &mut self.rng).unwrap_or(Move::Pass);
        let shares = moves.iter().filter(|m| m.visits > 0);
        let shares = shares.map(|m| (m.mv, m.visits.min(u64::from(u32::MAX)) as u32)).collect();
        self.play(mv, shares, value, is_taught);
        self.teach_asides();
        Ok(())
    }

    /// What the owners say of the position if they are known: from the search, or late in the game from a search aside.
    fn verdict(&mut self, report: &Report, is_late: bool) -> Result<Option<(Verdict, Ownership)>, SearchError> {
        // The owners that a net gives are a guess, and it is seldom sure of all points.
        let by_playouts = !self.evaluators.is_net_alone(&self.params);
        let owners = if self.game.rules().first_capture {
            None
        } else if by_playouts && report.ownership.playouts() >= LEAST_SAMPLES {
            Some(report.ownership.clone())
        } else if is_late && self.steps.len() >= self.judged_until {
            Some(self.owners(self.game.position().to_move())?)
        } else {
            None
        };
        let verdict = owners.map(|owners| (Verdict::new(self.game.position(), |p| owners.of(p)), owners));
        if let Some((verdict, _)) = &verdict {
            self.judged_until = self.steps.len() + verdict.open / SETTLED_BY_A_MOVE;
        }
        Ok(verdict)
    }

    /// Is the game finished also if the other side moves first, as after a pass? A search of one side's moves sees only
    /// what that side makes of the position.
    fn is_safe_to_pass(&mut self, verdict: &Verdict, ours: &Ownership) -> Result<bool, SearchError> {
        let mut owners = self.owners(self.game.position().to_move().other())?;
        let position = self.game.position();
        let theirs = Verdict::new(position, |p| owners.of(p));
        owners.merge(ours);
        Ok(theirs.open == 0
            && theirs.dead == verdict.dead
            && judge(position.board(), &owners, JUDGING_WORK).unsettled.is_empty())
    }

    /// The owners of the points if this side moves first, found by playouts in a search aside in which points count.
    /// Whoever evaluates the leaves of the game, the judgement of life and death is made for the owners in
    /// playouts.
    fn owners(&mut self, color: Color) -> Result<Ownership, SearchError> {
        let mut request = self.request(JUDGING_PLAYOUTS);
        request.position.reopen();
        request.position.set_to_move(color);
        request.history = History::of(&request.position);
        request.params = Params { score_share: DECIDED_SCORE_SHARE, ..Params::default() };
        request.evaluators = Evaluators::default();
        request.tree = WhichTree::Aside;
        request.knowledge.owners = true;
        Ok(self.ask(&request)?.ownership)
    }

    /// Looks whether the game is decided.
    fn look(&mut self, report: &Report) {
        let black = match self.game.position().to_move() {
            Color::Black => report.value,
            Color::White => 1.0 - report.value,
        };
        self.values.push(black);
        let rate = self.settings.variety.decided_rate;
        let agree = match self.values[..] {
            [.., a, b] => a.min(b) > rate || a.max(b) < 1.0 - rate,
            _ => false,
        };
        self.agreed = if agree { self.agreed + 1 } else { 0 };
        if self.agreed >= DECIDED_MOVES && !self.decided {
            self.decided = true;
            self.params.score_share = DECIDED_SCORE_SHARE;
        }
    }

    /// A search of the moves that capture the dead stones of the other side, where dead stones would stand. `None` if
    /// there is nothing to capture.
    fn capture_dead(&mut self, verdict: &Verdict) -> Result<Option<Vec<MoveReport>>, SearchError> {
        let position = self.game.position();
        if position.rules().dead_stones != DeadStones::Stand {
            return Ok(None);
        }
        let only = liberties(position, &verdict.dead_of(position, position.to_move().other()));
        if only.is_empty() {
            return Ok(None);
        }
        let mut request = self.request(self.settings.quick_playouts);
        request.only = Some(only);
        let report = self.ask(&request)?;
        let moves = legal(self.game.position(), &report);
        Ok(Some(moves).filter(|moves| !moves.is_empty()))
    }

    /// Counts the game.
    ///
    /// # Errors
    /// If the search fails.
    fn finish(mut self) -> Result<Played, SearchError> {
        let mut ownership = Ownership::default();
        for color in Color::BOTH {
            ownership.merge(&self.owners(color)?);
        }
        let position = self.game.position();
        let is_over = position.is_over();
        let judgement = judge(position.board(), &ownership, JUDGING_WORK);
        let outcome = self.game.outcome(&judgement.statuses);
        let end = match outcome {
            Outcome::Counted { board, komi } => Ending::Counted((f64::from(board.0) / 2.0 - komi.points()) as f32),
            Outcome::Won(color) => Ending::Decided(Some(color)),
            // The search takes a cycle as a draw, whatever the rules make of it.
            Outcome::Draw | Outcome::NoResult => Ending::Decided(None),
        };
        let result = if is_over { outcome.to_string() } else { "Void".to_owned() };
        let counted = matches!(outcome, Outcome::Counted { .. });
        let points = self.points();
        Ok(Played {
            sgf: sgf::write(&self.game.to_record(Some(&result))),
            moves: self.steps.len(),
            winner: outcome.winner(),
            decided: self.decided,
            in_doubt: counted && doubted(position, &judgement, &ownership) > points / OPEN_SHARE,
            playouts: self.playouts,
            lesson: is_over.then(|| Lesson {
                start: self.game.start().clone(),
                komi: self.game.total_komi(),
                moves: self.steps,
                end,
            }),
        })
    }
}

/// Points of a finished game whose owner the playouts do not agree on, or local games leave open. Sekis do not count.
fn doubted(end: &Position, judgement: &Judgement, owners: &Ownership) -> usize {
    let owner = area(end.board(), &judgement.statuses.dead);
    let is_sure = |p: Point| owner[p].is_none_or(|color| owners.of(p) * color.sign() as f32 >= SURE);
    let seki = &judgement.statuses.seki;
    let is_known = |p: Point| judgement.settled.contains(p) || seki.contains(p) || is_sure(p);
    end.board().points().filter(|&p| !is_known(p) || judgement.unsettled.contains(p)).count()
}

/// The plays next to these stones that are no self-atari; all plays if there is none.
fn liberties(position: &Position, stones: &PointSet) -> Vec<Move> {
    let board = position.board();
    let around = stones.iter().flat_map(|stone| board.adjacent(stone));
    let empty: PointSet = around.filter(|&p| board.cell(p) == Cell::Empty).collect();
    let mut legal = position.clone();
    let all: Vec<_> = empty.iter().filter(|&p| legal.check(Move::Play(p)).is_ok()).collect();
    let safe: Vec<_> = all.iter().copied().filter(|&p| !is_self_atari(board, position.to_move(), p)).collect();
    (if safe.is_empty() { all } else { safe }).into_iter().map(Move::Play).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::PointMap;
    use crate::go::rules::JAPANESE;
    use crate::go::vertex::{self, Vertex};
    use crate::search::Means;
    use crate::search::evaluate::{Evaluator, Leaf};

    /// A policy that knows nothing.
    #[derive(Debug)]
    struct Even;

    impl Evaluator for Even {
        fn knows_policy(&self) -> bool {
            true
        }

        fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
            let policy = &mut leaf.evaluation.policy;
            (policy.is_known, policy.plays, policy.pass) = (leaf.opens, PointMap::filled(1.0), 0.001);
        }
    }

    #[test]
    fn plain_priors_are_the_policy_alone() {
        // White's chain on E5 is in atari in a ladder that does not work (see `gtp-scripts/tactics/ladder.gtp`).
        let mut game = Game::new(19, JAPANESE, None);
        for name in ["D5", "E5", "E4", "C14", "D6", "R5", "F5", "O3", "C3", "Q16", "E17", "E6", "E7"] {
            let Some(Vertex::On(mv)) = vertex::parse(name, game.size()) else { panic!("{name} is no vertex") };
            game.play(game.position().to_move(), mv).expect("a legal move");
        }
        let mut request = Request::new(game.position().clone(), 13);
        request.history = History { moves: game.moves().to_vec(), ..History::of(game.start()) };
        request.limits.playouts = Some(1);
        request.evaluators = Evaluators::made(|_| Box::new(Even));
        let mut priors = |params: Params| {
            request.params = params;
            let mut search = Search::new(SearchOptions { memory: 16, ..SearchOptions::default() }).expect("memory");
            let report = search.run_alone(&request).expect("a report");
            let of = |pass: bool| report.moves.iter().filter(move |m| (m.mv == Move::Pass) == pass).map(|m| m.prior);
            (of(false).fold(1.0, f32::min), of(false).fold(0.0, f32::max), of(true).fold(0.0, f32::max))
        };
        let usual = Params::with_net(19).for_net_alone(19);
        let (least, most, pass) = priors(usual.clone());
        assert!(most > 10.0 * least && pass > least, "the search knows of the ladder, and weighs the pass");
        let (least, most, pass) = priors(with_plain_priors(usual));
        assert!(most - least < 1e-6 && pass < 0.01 * least, "{least} {most} {pass}");
    }

    #[test]
    fn a_net_alone_teaches_the_mean_of_its_values() {
        for playouts in [0.02, 0.35, 0.5, 0.97] {
            let means = Means { visits: 600, playouts, net: None };
            let taught = means.win_rate(&with_plain_win_rates(Params::default()));
            assert!((taught - playouts).abs() < 1e-3, "{taught} {playouts}");
            assert!((means.win_rate(&Params::default()) - playouts).abs() > 0.01 || playouts == 0.5);
        }
    }
}
