//! The post over MPI: one thread of the process, and no other, calls MPI.
//!
//! Nothing here waits for another rank. Messages are sent and awaited without blocking; a rank that takes nothing has
//! one message on its way at the most. Where the library itself gets stuck (some ways of shared memory do when a
//! process dies), only this thread does: the searches do not notice.

use std::os::raw::c_int;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mpi::Threading;
use mpi::environment::Universe;
use mpi::ffi;
use mpi::traits::{Communicator as _, Source as _};

use super::post::Post;

/// Variables by which programs that start ranks tell a process that it is one: of Open MPI, of PMIx, and of PMI (MPICH,
/// Intel MPI, Slurm).
const STARTED_AS_RANK: &[&str] = &["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"];

/// A sign of life, when there is nothing else to send; and a farewell.
const ALIVE: u8 = b'.';
const FAREWELL: u8 = b'B';

/// Rank 0 gives a sign of life so often.
const PULSE: Duration = Duration::from_secs(2);

/// A follower ends when rank 0 has given no sign of life for so long. It may have been stopped on purpose. (A guess.)
const LOST: Duration = Duration::from_secs(300);

/// Waits between two looks for messages: during a search, and at rest. (A message waits half as long on average; an
/// exchange comes every 50 ms.)
const NAP: Duration = Duration::from_millis(1);
const LONG_NAP: Duration = Duration::from_millis(5);

/// After so long without a message the ranks are at rest.
const REST: Duration = Duration::from_secs(1);

/// The end of the program waits so long for the farewells, and then so long for MPI to end. (Guesses.)
const FAREWELLS: Duration = Duration::from_secs(1);
const END: Duration = Duration::from_secs(5);

/// Why ranks cannot work together.
#[derive(Debug, thiserror::Error)]
pub enum MpiError {
    /// The system refuses the thread.
    #[error("the system gives no thread for MPI: {0}")]
    Thread(std::io::Error),
    /// MPI cannot be started.
    #[error("MPI does not start")]
    Start,
}

/// This process as one of several ranks.
#[derive(Debug)]
pub struct Ranks {
    post: Arc<Post>,
    /// Says when MPI has ended.
    ended: Receiver<()>,
}

impl Ranks {
    /// Starts MPI, if a program such as `mpirun` has started this process as one of several ranks. `None` otherwise.
    ///
    /// # Errors
    /// If MPI does not start.
    pub fn start() -> Result<Option<Ranks>, MpiError> {
        if STARTED_AS_RANK.iter().all(|name| std::env::var_os(name).is_none()) {
            return Ok(None);
        }
        let (tell, told) = channel();
        let (tell_end, ended) = channel();
        let work = move || {
            if let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) {
                let world = universe.world();
                let post = Arc::new(Post::new(world.rank() as usize, world.size() as usize));
                // Nobody listens any more if the program is at its end.
                let _ = tell.send(Arc::clone(&post));
                Carrier::new(universe, post).work();
            }
            let _ = tell_end.send(());
        };
        std::thread::Builder::new().name("mpi".into()).spawn(work).map_err(MpiError::Thread)?;
        let post = told.recv().map_err(|_| MpiError::Start)?;
        let ranks = Ranks { post, ended };
        if ranks.post.others().is_empty() {
            // One rank is no cluster.
            ranks.leave();
            return Ok(None);
        }
        Ok(Some(ranks))
    }

    /// The mail boxes of this rank.
    pub fn post(&self) -> &Arc<Post> {
        &self.post
    }

    /// Ends MPI. Ranks that are stopped or dead do not hold this up for long.
    pub fn leave(self) {
        self.post.close();
        if self.ended.recv_timeout(END) == Err(RecvTimeoutError::Timeout) {
            log::warn!("MPI does not end: the program ends without it");
        }
    }
}

/// A message on its way.
struct Sending {
    request: ffi::MPI_Request,
    /// MPI reads it until the request is done.
    _bytes: Box<[u8]>,
}

struct Carrier {
    universe: Universe,
    post: Arc<Post>,
    sending: Vec<Option<Sending>>,
    /// Ranks to which nothing can be sent any more.
    is_lost: Vec<bool>,
    has_left: Vec<bool>,
    pulse: Instant,
    /// When a message last came, and when one of rank 0 did.
    heard: Instant,
    heard_leader: Instant,
}

impl Carrier {
    fn new(universe: Universe, post: Arc<Post>) -> Carrier {
        // SAFETY: MPI has been initialized by this thread. Errors now come back as codes, where they would have ended
        // the process.
        unsafe { ffi::MPI_Comm_set_errhandler(ffi::RSMPI_COMM_WORLD, ffi::RSMPI_ERRORS_RETURN) };
        let ranks = universe.world().size() as usize;
        let now = Instant::now();
        Carrier {
            universe,
            post,
            sending: (0..ranks).map(|_| None).collect(),
            is_lost: vec![false; ranks],
            has_left: vec![false; ranks],
            pulse: now,
            heard: now,
            heard_leader: now,
        }
    }

    fn work(mut self) {
        while !self.post.is_closed() {
            self.receive();
            self.send();
            let is_busy = self.heard.elapsed() < REST || self.sending.iter().any(Option::is_some);
            self.post.wait_for_work(if is_busy { NAP } else { LONG_NAP });
            if self.post.rank() == 0 {
                if self.pulse.elapsed() >= PULSE {
                    self.pulse = Instant::now();
                    self.send_to_idle(ALIVE);
                }
            } else if self.heard_leader.elapsed() > LOST && {
                // A rank that was stopped itself has signs of life waiting.
                self.receive();
                self.heard_leader.elapsed() > LOST
            } {
                log::error!("rank 0 has given no sign of life for {LOST:?}: this rank ends");
                self.post.close();
            }
        }
        self.end();
    }

    fn receive(&mut self) {
        let world = self.universe.world();
        while let Some(status) = world.any_process().immediate_probe() {
            let (bytes, status) = world.process_at_rank(status.source_rank()).receive_vec::<u8>();
            let from = status.source_rank() as usize;
            self.heard = Instant::now();
            if from == 0 {
                self.heard_leader = self.heard;
            }
            match bytes[..] {
                [ALIVE] => {}
                [FAREWELL] => self.has_left[from] = true,
                _ => self.post.receive(from, bytes),
            }
        }
    }

    fn send(&mut self) {
        for to in self.post.others() {
            self.look_after(to);
            if self.sending[to].is_none()
                && let Some(bytes) = self.post.take(to)
            {
                if self.is_lost[to] {
                    self.post.delivered(to);
                } else {
                    self.start_sending(to, bytes);
                }
            }
        }
    }

    /// A byte for each rank that nothing is on its way to.
    fn send_to_idle(&mut self, byte: u8) {
        for to in self.post.others() {
            self.look_after(to);
            if self.sending[to].is_none() && !self.is_lost[to] {
                self.start_sending(to, vec![byte]);
            }
        }
    }

    /// Looks whether the message to this rank has gone.
    fn look_after(&mut self, to: usize) {
        let Some(sending) = &mut self.sending[to] else { return };
        let mut is_done: c_int = 0;
        // SAFETY: the request is that of a message whose bytes are still there; this thread alone calls MPI.
        let code = unsafe { ffi::MPI_Test(&mut sending.request, &mut is_done, ffi::RSMPI_STATUS_IGNORE) };
        if code != ffi::MPI_SUCCESS as c_int {
            self.lose(to, code);
        }
        if is_done != 0 || self.is_lost[to] {
            let sent = self.sending[to].take();
            if is_done == 0 {
                // MPI may still read the bytes of a message that it could not deliver.
                std::mem::forget(sent);
            }
            self.post.delivered(to);
        }
    }

    fn start_sending(&mut self, to: usize, bytes: Vec<u8>) {
        let bytes = bytes.into_boxed_slice();
        // SAFETY: a request is a handle of C, for which any bits are fine before the call that sets it.
        let mut request: ffi::MPI_Request = unsafe { std::mem::zeroed() };
        // SAFETY: the bytes are kept until the request is done, see `look_after`; this thread alone calls MPI.
        let code = unsafe {
            ffi::MPI_Isend(
                bytes.as_ptr().cast(),
                bytes.len() as c_int,
                ffi::RSMPI_UINT8_T,
                to as c_int,
                0,
                ffi::RSMPI_COMM_WORLD,
                &mut request,
            )
        };
        if code == ffi::MPI_SUCCESS as c_int {
            self.sending[to] = Some(Sending { request, _bytes: bytes });
        } else {
            self.lose(to, code);
            self.post.delivered(to);
        }
    }

    fn lose(&mut self, rank: usize, code: c_int) {
        if !std::mem::replace(&mut self.is_lost[rank], true) {
            log::warn!("rank {rank} cannot be reached any more (MPI error {code})");
        }
    }

    /// Ends MPI. If all ranks are there, they end together. MPI would wait for a rank that is not there: then rank 0
    /// ends all that are left.
    fn end(mut self) {
        let deadline = Instant::now() + FAREWELLS;
        let wanted = if self.post.rank() == 0 { self.post.others() } else { vec![0] };
        let mut greeted = vec![false; self.sending.len()];
        loop {
            self.receive();
            for &to in &wanted {
                self.look_after(to);
                if !greeted[to] && self.sending[to].is_none() && !self.is_lost[to] {
                    self.start_sending(to, vec![FAREWELL]);
                    greeted[to] = true;
                }
            }
            let is_done =
                wanted.iter().all(|&rank| self.has_left[rank] && greeted[rank] && self.sending[rank].is_none());
            if is_done {
                // Ends MPI.
                return drop(self.universe);
            }
            if Instant::now() >= deadline {
                break;
            }
            std::thread::sleep(NAP);
        }
        // What is still on its way stays in memory until the process ends.
        self.sending.drain(..).for_each(std::mem::forget);
        if self.post.rank() == 0 {
            // SAFETY: MPI is initialized; the call needs nothing else, and does not return.
            unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, 0) };
        }
        std::mem::forget(self.universe);
    }
}
