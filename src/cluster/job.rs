//! A search as data: all that another rank needs to search the same position. A job depends on nothing that was sent
//! before, so a rank that has missed messages can follow again at the next job.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::go::position::snapshot::{Snapshot, SnapshotError};
use crate::go::{Color, Move, Point};
use crate::net::{CachedNet, Nets};
use crate::playout::PolicyKind;
use crate::search::params::{PARAMS, ParamError, Tunables};
use crate::search::{Evaluators, Favours, History, Limits, Params, Request, Restriction};

/// The form of jobs and news. Ranks with different forms cannot work together.
const FORM: u32 = 2;

/// The distance between the seeds of one rank and the next: an odd number without pattern (the golden ratio).
const SEED_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A search as data. Its limits stay with rank 0, which says when the search ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    form: u32,
    /// The version of the program.
    version: String,
    /// The number of the job, larger than those of all earlier ones.
    pub number: u64,
    /// The number of the tree. A rank that has a tree of another number begins with an empty one.
    pub tree: u64,
    position: Snapshot,
    start_hash: u64,
    /// Side and point of each move; point 0 is a pass.
    moves: Vec<(bool, u16)>,
    komi: i32,
    params: Vec<(String, f32)>,
    seed: u64,
    /// The description of the net, if there is one.
    net: Option<String>,
    policy: String,
    only: Option<Vec<u16>>,
    restrictions: Vec<Omitted>,
    merge_twins: bool,
}

/// A [`Restriction`] as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Omitted {
    is_black: bool,
    points: Vec<u16>,
    pass: bool,
    plies: usize,
}

/// Why a rank cannot do a job.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// Rank 0 is another version of the program.
    #[error("rank 0 is version {0}, this is {version}", version = env!("CARGO_PKG_VERSION"))]
    Version(String),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] SnapshotError),
    /// Rank 0 has a parameter that this rank does not have.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Rank 0 has a net that this rank does not have.
    #[error("this rank lacks the net of rank 0; start all ranks with the same --net")]
    Net,
    /// A move, or a policy of playouts, that there is not.
    #[error("{0} cannot be read")]
    Part(&'static str),
}

fn code(mv: Move) -> u16 {
    mv.point().unwrap_or(Point::NONE).index() as u16
}

fn read_move(code: u16) -> Result<Move, JobError> {
    let point = Point::from_index(code.into()).ok_or(JobError::Part("a move"))?;
    Ok(if point == Point::NONE { Move::Pass } else { Move::Play(point) })
}

fn color(is_black: bool) -> Color {
    if is_black { Color::Black } else { Color::White }
}

impl Job {
    /// The job of a request; `None` if its evaluators are a function of the caller's, which cannot be sent.
    pub fn of(request: &Request, number: u64, tree: u64) -> Option<Job> {
        let (net, policy) = match &request.evaluators {
            Evaluators::Playouts(policy) => (None, policy),
            Evaluators::Net(net, policy) => (Some(net.net().description().to_string()), policy),
            Evaluators::Made(_) => return None,
        };
        let omitted = |restriction: &Restriction| Omitted {
            is_black: restriction.color == Color::Black,
            points: restriction.points.iter().map(|point| point.index() as u16).collect(),
            pass: restriction.pass,
            plies: restriction.plies,
        };
        Some(Job {
            form: FORM,
            version: env!("CARGO_PKG_VERSION").into(),
            number,
            tree,
            position: Snapshot::of(&request.position),
            start_hash: request.history.start_hash,
            moves: request.history.moves.iter().map(|&(color, mv)| (color == Color::Black, code(mv))).collect(),
            komi: request.komi,
            params: PARAMS.iter().map(|param| (param.name.into(), param.get(&request.params))).collect(),
            seed: request.seed,
            net,
            policy: policy.name().into(),
            only: request.only.as_ref().map(|moves| moves.iter().map(|&mv| code(mv)).collect()),
            restrictions: request.restrictions.iter().map(omitted).collect(),
            merge_twins: request.merge_twins,
        })
    }

    /// The request of this job for a rank, of so many, that has these nets. The request has no limits. Each rank has
    /// other random numbers, so that the ranks do not make the same playouts, and each follower prefers other moves.
    ///
    /// # Errors
    /// Why this rank cannot do the job.
    pub fn request(&self, rank: usize, ranks: usize, nets: &Nets) -> Result<Request, JobError> {
        if self.form != FORM || self.version != env!("CARGO_PKG_VERSION") {
            return Err(JobError::Version(self.version.clone()));
        }
        let mut tunables = Tunables::default();
        for (name, value) in &self.params {
            tunables.set(name, &value.to_string())?;
        }
        let policy = PolicyKind::by_name(&self.policy).ok_or(JobError::Part("the policy of the playouts"))?;
        let evaluators = match &self.net {
            None => Evaluators::Playouts(policy),
            Some(wanted) => {
                let is_wanted = |net: &&Arc<CachedNet>| net.net().description().to_string() == *wanted;
                Evaluators::Net(Arc::clone(nets.all().iter().find(is_wanted).ok_or(JobError::Net)?), policy)
            }
        };
        let moves = |codes: &Vec<u16>| codes.iter().map(|&code| read_move(code)).collect::<Result<Vec<_>, _>>();
        let history = self.moves.iter().map(|&(is_black, code)| Ok((color(is_black), read_move(code)?)));
        let restriction = |omitted: &Omitted| {
            Ok::<_, JobError>(Restriction {
                color: color(omitted.is_black),
                points: moves(&omitted.points)?.into_iter().filter_map(Move::point).collect(),
                pass: omitted.pass,
                plies: omitted.plies,
            })
        };
        let mut params = tunables.over(Params::default());
        if rank > 0 {
            params.wide_root_noise = params.wide_root_noise.max(params.rank_noise);
        }
        Ok(Request {
            history: History { start_hash: self.start_hash, moves: history.collect::<Result<_, JobError>>()? },
            limits: Limits::default(),
            params,
            seed: self.seed.wrapping_add((rank as u64).wrapping_mul(SEED_STEP)),
            evaluators,
            only: self.only.as_ref().map(moves).transpose()?,
            restrictions: self.restrictions.iter().map(restriction).collect::<Result<_, _>>()?,
            merge_twins: self.merge_twins,
            favours: (rank > 0 && rank < ranks).then(|| Favours { first: rank - 1, step: ranks - 1 }),
            ..Request::new(self.position.position()?, self.komi)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Position, Ruleset};
    use crate::net::random;

    #[test]
    fn a_request_comes_back_without_its_limits_and_with_another_seed() {
        let mut position = Position::new(9, Ruleset::default());
        let moves = [Move::Play(Point::new(4, 4, 9)), Move::Pass];
        let mut history = History::of(&position);
        for mv in moves {
            history.moves.push((position.to_move(), mv));
            position.play(mv).expect("legal moves");
        }
        let restriction = Restriction {
            color: Color::White,
            points: [Point::new(0, 0, 9), Point::new(3, 1, 9)].into_iter().collect(),
            pass: true,
            plies: 3,
        };
        let request = Request {
            history,
            params: Params { score_share: 0.123_456_79, ..Params::default() },
            seed: u64::MAX,
            only: Some(vec![Move::Pass, Move::Play(Point::new(8, 8, 9))]),
            restrictions: vec![restriction],
            merge_twins: true,
            limits: Limits { playouts: Some(7), ..Limits::default() },
            ..Request::new(position, 15)
        };
        let text = serde_json::to_string(&Job::of(&request, 3, 4).expect("a job")).expect("JSON");
        let job: Job = serde_json::from_str(&text).expect("a job");
        let back = job.request(0, 2, &Nets::none()).expect("a request");
        assert_eq!(Snapshot::of(&back.position), Snapshot::of(&request.position));
        // All the rest is the same but the limits. (A position holds a board for trials, which tells nothing.)
        let same = |request: &Request| Request {
            position: Position::new(9, Ruleset::default()),
            limits: Limits::default(),
            ..request.clone()
        };
        assert_eq!(back.limits, Limits::default());
        assert_eq!(format!("{:?}", same(&back)), format!("{:?}", same(&request)));
        assert_ne!(job.request(1, 2, &Nets::none()).expect("a request").seed, request.seed);
        let other = Job { version: "0.1.0".into(), ..job };
        assert!(matches!(other.request(0, 2, &Nets::none()), Err(JobError::Version(_))));
    }

    #[test]
    fn a_rank_without_the_net_refuses_the_job() {
        let net = |name: &str| {
            let mut description = random::description(1, 32);
            description.name = name.into();
            Nets::of_files([random::file(&description, 1).as_slice()]).expect("a net")
        };
        let nets = net("mine");
        let evaluators = Evaluators::of(nets.for_size(9), PolicyKind::Tactical);
        let request = Request { evaluators, ..Request::new(Position::new(9, Ruleset::default()), 15) };
        let job = Job::of(&request, 1, 1).expect("a job");
        assert!(matches!(job.request(1, 2, &net("mine")).expect("a request").evaluators, Evaluators::Net(..)));
        assert!(matches!(job.request(1, 2, &net("other")), Err(JobError::Net)));
        assert!(matches!(job.request(1, 2, &Nets::none()), Err(JobError::Net)));
    }
}
