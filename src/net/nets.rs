//! The nets that an engine has: none, one, or several for different board sizes.

use std::convert::Infallible;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::{CachedNet, Kernel, Net, NetError};
use crate::go::{Ruleset, Size};

/// The weight files that come with the program. `docs/net.md` says how they were made.
const SHIPPED: &[&[u8]] = &[
    include_bytes!("../../data/nets/nine.kosunet"),
    include_bytes!("../../data/nets/thirteen.kosunet"),
    include_bytes!("../../data/nets/small.kosunet"),
    include_bytes!("../../data/nets/large.kosunet"),
];

/// The nets with which the ranks of levels were measured, see `docs/levels.md`. Levels keep them, so that a stronger net
/// leaves their ranks as they are.
const OF_LEVELS: &[&[u8]] =
    &[include_bytes!("../../data/nets/levels-small.kosunet"), include_bytes!("../../data/nets/levels-large.kosunet")];

/// Rows that a board may lack to the smallest size that a net was taught on. A guess.
const MUCH_SMALLER: usize = 2;

/// A net that was taught on one size alone comes after one of several sizes where a board lacks more than this part of
/// its rows. (With equal visits, the net of 9×9 scored 44 % of 60 games on 7×7 against that of 9×9, 13×13 and 19×19.)
const STRANGE_FROM: usize = 8;

/// The nets of an engine. Each board size uses one of them.
#[derive(Clone, Debug, Default)]
pub struct Nets {
    by_size: Vec<Arc<CachedNet>>,
    of_levels: Vec<Arc<CachedNet>>,
}

impl Nets {
    /// No net.
    pub fn none() -> Nets {
        Nets::default()
    }

    /// One net for boards of every size.
    pub fn one(net: Net) -> Nets {
        Nets { by_size: vec![Arc::new(CachedNet::new(net))], of_levels: Vec::new() }
    }

    /// The nets of these weight files.
    ///
    /// # Errors
    /// What is wrong with the first wrong file.
    pub fn of_files<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> Result<Nets, NetError> {
        Ok(Nets { by_size: files.into_iter().map(cached).collect::<Result<_, _>>()?, of_levels: Vec::new() })
    }

    /// The nets that come with the program.
    ///
    /// # Errors
    /// What is wrong with the first wrong file.
    pub fn shipped() -> Result<Nets, NetError> {
        Ok(Nets {
            of_levels: Nets::of_files(OF_LEVELS.iter().copied())?.by_size,
            ..Nets::of_files(SHIPPED.iter().copied())?
        })
    }

    /// The same nets, evaluated by this kernel.
    ///
    /// # Panics
    /// If the machine lacks the kernel, see [`Kernel::is_available`].
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Nets {
        let with_kernel = |net: &Arc<CachedNet>| Arc::new(CachedNet::new(net.net().clone().with_kernel(kernel)));
        Nets {
            by_size: self.by_size.iter().map(with_kernel).collect(),
            of_levels: self.of_levels.iter().map(with_kernel).collect(),
        }
    }

    /// All nets that play at full strength.
    pub fn all(&self) -> &[Arc<CachedNet>] {
        &self.by_size
    }

    /// The net for a board of this size: of those whose training had the nearest size, the one with the fewest sizes.
    /// On a board that is an eighth smaller than the only size of a net, it is one of several sizes. `None` for boards
    /// that lack more than `MUCH_SMALLER` rows to the smallest size. A rectangle gets the net of [the square that is like
    /// it](Size::like_square).
    pub fn for_size(&self, size: impl Into<Size>) -> Option<&Arc<CachedNet>> {
        fittest(&self.by_size, size.into())
    }

    /// The net for a game by these rules on a board of this size. Where the first capture wins there is none: no net has
    /// learned such a game.
    pub fn for_game(&self, size: impl Into<Size>, rules: &Ruleset) -> Option<&Arc<CachedNet>> {
        self.for_size(size).filter(|_| !rules.first_capture)
    }

    /// The net for a level in a game by these rules, see [`Nets::for_level`] and [`Nets::for_game`].
    pub fn for_level_game(&self, size: impl Into<Size>, rules: &Ruleset) -> Option<&Arc<CachedNet>> {
        self.for_level(size).filter(|_| !rules.first_capture)
    }

    /// The net for a level on a board of this size: the one with which ranks were measured, unless the nets are the
    /// user's.
    pub fn for_level(&self, size: impl Into<Size>) -> Option<&Arc<CachedNet>> {
        let size = size.into();
        let full = self.for_size(size)?;
        Some(fittest(&self.of_levels, size).unwrap_or(full))
    }
}

/// The net for a board of this size, see [`Nets::for_size`].
fn fittest(nets: &[Arc<CachedNet>], size: Size) -> Option<&Arc<CachedNet>> {
    // One net alone, which the user has chosen, serves every size.
    if let [only] = nets {
        return Some(only);
    }
    let size = size.like_square();
    let fitness = |net: &&Arc<CachedNet>| {
        let sizes = &net.net().description().sizes;
        let distance = sizes.iter().map(|&taught| taught.abs_diff(size)).min().unwrap_or(usize::MAX);
        let is_strange = matches!(sizes[..], [only] if STRANGE_FROM * only.saturating_sub(size) > only);
        (distance, is_strange, sizes.len())
    };
    // Playouts see the end of a game on a board that is much smaller.
    let knows =
        |net: &&Arc<CachedNet>| net.net().description().sizes.iter().any(|&taught| size + MUCH_SMALLER >= taught);
    nets.iter().filter(knows).min_by_key(fitness)
}

/// The net of a weight file.
fn cached(bytes: &[u8]) -> Result<Arc<CachedNet>, NetError> {
    Net::from_bytes(bytes).map(|net| Arc::new(CachedNet::new(net)))
}

/// The user's choice of nets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetChoice {
    /// The nets that come with the program.
    Shipped,
    /// No net.
    Without,
    /// The net in this weight file, for boards of every size.
    File(PathBuf),
}

/// Why the program cannot have the nets of the user's choice.
#[derive(Debug, thiserror::Error)]
pub enum NetChoiceError {
    /// The file cannot be read.
    #[error("the net {} cannot be read: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file holds no net.
    #[error("the net {}: {error}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Why.
        error: NetError,
    },
    /// A net that comes with the program is wrong.
    #[error("a net of the program itself is wrong: {0}")]
    Shipped(NetError),
}

impl FromStr for NetChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<NetChoice, Infallible> {
        Ok(match text {
            "shipped" => NetChoice::Shipped,
            "none" => NetChoice::Without,
            path => NetChoice::File(path.into()),
        })
    }
}

/// The largest number of bytes of a weight file. (The largest net that a description allows has 80 MB.)
pub const LONGEST_FILE: u64 = 128 << 20;

impl NetChoice {
    /// The nets.
    ///
    /// # Errors
    /// Why there are none.
    pub fn nets(&self) -> Result<Nets, NetChoiceError> {
        match self {
            NetChoice::Shipped => Nets::shipped().map_err(NetChoiceError::Shipped),
            NetChoice::Without => Ok(Nets::none()),
            NetChoice::File(path) => {
                let bytes = read(path).map_err(|error| NetChoiceError::Read { path: path.clone(), error })?;
                let net = Net::from_bytes(&bytes);
                net.map(Nets::one).map_err(|error| NetChoiceError::Wrong { path: path.clone(), error })
            }
        }
    }
}

/// The bytes of a file, at most one more than a weight file may have. With this byte the file is no weight file.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    // Opening a pipe without a writer never returns.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "this is no regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::random;

    #[test]
    fn a_board_gets_the_net_of_the_nearest_size() {
        let file = |name: &str, sizes: &[usize]| {
            let mut description = random::description(1, 32);
            description.name = name.into();
            description.sizes = sizes.to_vec();
            random::file(&description, 1)
        };
        let files = [file("nine", &[9]), file("small", &[9, 13, 19]), file("large", &[19])];
        let nets = Nets::of_files(files.iter().map(Vec::as_slice)).expect("three nets");
        let name = |size: Size| nets.for_size(size).map(|net| net.net().description().name.clone());
        let wanted =
            [(7, "small"), (8, "nine"), (9, "nine"), (13, "small"), (16, "small"), (17, "large"), (25, "large")];
        for (size, wanted) in wanted {
            assert_eq!(name(Size::square(size)).as_deref(), Some(wanted), "{size}");
        }
        for (sides, wanted) in
            [((9, 19), Some("small")), ((19, 15), Some("large")), ((25, 2), Some("small")), ((19, 2), None)]
        {
            let (width, height) = sides;
            assert_eq!(Size::new(width, height).and_then(name).as_deref(), wanted, "{sides:?}");
        }
        assert!(nets.for_size(6).is_none() && Nets::none().for_size(9).is_none());
    }

    #[test]
    fn no_level_plays_first_capture_with_a_net() {
        use crate::go::rules::{CHINESE, FIRST_CAPTURE};
        let nets = Nets::shipped().expect("nets");
        assert!(nets.for_level_game(9, &CHINESE).is_some());
        assert!(nets.for_level_game(9, &FIRST_CAPTURE).is_none());
    }

    #[test]
    fn levels_keep_the_net_of_their_measurement() {
        let nets = Nets::shipped().expect("nets");
        let name = |net: Option<&Arc<CachedNet>>| net.map(|net| net.net().description().name.clone());
        assert_eq!(name(nets.for_level(19)).as_deref(), Some("records-4x32-2"));
        assert_eq!(name(nets.for_level(9)).as_deref(), Some("own-4x32-5"));
        assert!(nets.for_level(5).is_none());
        let own = Nets::one(Net::from_bytes(&random::file(&random::description(1, 32), 1)).expect("a net"));
        assert_eq!(name(own.for_level(19)), name(own.for_size(19)), "a net of the user's serves levels, too");
    }
}
