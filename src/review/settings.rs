//! What a review is: how long each position is searched, where the files go.

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::EngineOptions;

/// How a review is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Records, and folders with records. Folders inside them are left out.
    pub inputs: Vec<PathBuf>,
    /// The folder for what is written; `None` for beside each record.
    pub output: Option<PathBuf>,
    /// How long each position is searched.
    pub effort: Effort,
    /// The searches: threads, memory, tunables, net, seed. Rules and komi are in force where a record names none.
    pub engine: EngineOptions,
    /// Give each review as a line of JSON?
    pub json: bool,
    /// Draw the boards after these moves, instead of a review; 0 is the board before the first move.
    pub pictures: Vec<usize>,
    /// What these pictures are.
    pub picture_format: PictureFormat,
    /// Show no progress?
    pub quiet: bool,
}

/// What a picture is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    /// Shapes, which are sharp at every size.
    #[default]
    Svg,
    /// Pixels, which every program can show.
    Png,
}

impl PictureFormat {
    /// The format that a word names: `svg` or `png`.
    pub fn by_name(word: &str) -> Option<PictureFormat> {
        [PictureFormat::Svg, PictureFormat::Png].into_iter().find(|format| format.ending() == word)
    }

    /// The end of a file's name.
    pub(super) fn ending(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            PictureFormat::Png => "png",
        }
    }
}

/// How long positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// This long for each position.
    TimePerMove(Duration),
    /// This long for all positions of all games together.
    TotalTime(Duration),
    /// So many playouts for each position.
    Visits(u64),
}

impl Effort {
    /// The effort in words. Reviews with other words are other reviews.
    pub fn describe(self) -> String {
        match self {
            Effort::TimePerMove(time) => format!("{} s a move", time.as_secs_f64()),
            Effort::TotalTime(time) => format!("{} s in all", time.as_secs_f64()),
            Effort::Visits(visits) => format!("{visits} visits a move"),
        }
    }
}
