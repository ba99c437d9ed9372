//! The form of a file of rows: how to write it, and how to read the planes back.

use super::owners::Owners;
use crate::go::{Color, MAX_SIZE, MIN_SIZE, Move, Point};
use crate::net::planes::{self, Planes, SCALARS};

/// The first bytes of a file of rows.
const MAGIC: &[u8; 8] = b"KOSUROWS";
/// The version of the form.
const VERSION: u32 = 1;
/// Bytes before the first row.
pub const HEAD: usize = 64;
/// The largest number of entries of a policy target.
pub const MAX_ENTRIES: usize = 1024;
/// The result of a game whose result is not known.
const UNKNOWN: u8 = 3;
/// An outlook is written in so many steps, counted from 1; 0 is none.
const OUTLOOK_STEPS: f32 = 254.0;

/// The length of a row and of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    size: usize,
    policy: usize,
    reply: usize,
}

/// Why bytes are no rows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowsError {
    /// The first bytes are wrong.
    #[error("this is no file of training rows")]
    Foreign,
    /// The rows are of another version.
    #[error("the rows have version {rows} and planes of version {planes}, not {VERSION} and {made}", made = planes::VERSION)]
    Version {
        /// Version of the form.
        rows: u32,
        /// Version of planes and scalars.
        planes: u32,
    },
    /// The head has a wrong value.
    #[error("the head of the rows is wrong")]
    Head,
}

impl Form {
    /// Rows of a board size, with these numbers of entries in the policy target and in the reply's, each 1 to
    /// [`MAX_ENTRIES`].
    ///
    /// # Panics
    /// If a number is out of range.
    pub fn new(size: usize, policy: usize, reply: usize) -> Form {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size));
        assert!((1..=MAX_ENTRIES).contains(&policy) && (1..=MAX_ENTRIES).contains(&reply));
        Form { size, policy, reply }
    }

    /// Number of rows of the board, which is also the number of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bytes of a plane.
    fn plane_bytes(&self) -> usize {
        (self.size * self.size).div_ceil(8)
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> usize {
        (planes::COUNT + 2) * self.plane_bytes() + 4 * SCALARS + 6 * 4 + 4 * (self.policy + self.reply) + 8
    }

    /// The head of the file.
    pub fn head(&self) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(MAGIC);
        head[8..12].copy_from_slice(&VERSION.to_le_bytes());
        head[12..16].copy_from_slice(&planes::VERSION.to_le_bytes());
        let shorts = [self.size, planes::COUNT, SCALARS, self.policy, self.reply];
        for (i, short) in shorts.into_iter().enumerate() {
            head[16 + 2 * i..18 + 2 * i].copy_from_slice(&(short as u16).to_le_bytes());
        }
        head[28..32].copy_from_slice(&(self.row_bytes() as u32).to_le_bytes());
        head
    }
}

/// One row: a position and the result of its game.
#[derive(Debug)]
pub struct Row<'a> {
    /// The input of the net.
    pub planes: &'a Planes,
    /// Moves and their shares. As many of the largest shares as there is room for are written.
    pub policy: &'a [(Move, u32)],
    /// Moves and shares of the opponent's reply; empty if there was none.
    pub reply: &'a [(Move, u32)],
    /// 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    pub result: Option<f32>,
    /// What searches made of the game from here on, for the side to move: 0 to 1.
    pub outlook: Option<f32>,
    /// The margin of the side to move, komi included.
    pub score: Option<f32>,
    /// The side to move and the owners at the end.
    pub owners: Option<(Color, &'a Owners)>,
    /// The number of the game.
    pub game: u32,
    /// Moves before the position.
    pub move_number: u16,
}

impl Row<'_> {
    /// Appends the row.
    pub fn write(&self, form: &Form, out: &mut Vec<u8>) {
        let start = out.len();
        let (size, bytes) = (form.size, form.plane_bytes());
        out.resize(start + (planes::COUNT + 2) * bytes, 0);
        for (i, &bits) in self.planes.points().iter().enumerate() {
            for plane in (0..planes::COUNT).filter(|plane| bits >> plane & 1 == 1) {
                out[start + plane * bytes + i / 8] |= 1 << (i % 8);
            }
        }
        if let Some((own, owners)) = self.owners {
            for (plane, color) in [(planes::COUNT, own), (planes::COUNT + 1, own.other())] {
                for point in owners.of(color).iter() {
                    let i = index(point, size);
                    out[start + plane * bytes + i / 8] |= 1 << (i % 8);
                }
            }
        }
        let weight = |known: bool| if known { 1.0_f32 } else { 0.0 };
        let weights = [
            self.score.unwrap_or(0.0),
            weight(!self.policy.is_empty()),
            weight(!self.reply.is_empty()),
            weight(self.result.is_some()),
            weight(self.score.is_some()),
            weight(self.owners.is_some()),
        ];
        for number in self.planes.scalars().iter().chain(&weights) {
            out.extend(number.to_le_bytes());
        }
        shares(self.policy, form.policy, size, out);
        shares(self.reply, form.reply, size, out);
        out.extend(self.game.to_le_bytes());
        out.extend(self.move_number.to_le_bytes());
        out.push(self.result.map_or(UNKNOWN, |share| (2.0 * share) as u8));
        out.push(self.outlook.map_or(0, |share| 1 + (share.clamp(0.0, 1.0) * OUTLOOK_STEPS).round() as u8));
        debug_assert_eq!(out.len() - start, form.row_bytes());
    }
}

/// The index of a point in a plane.
fn index(point: Point, size: usize) -> usize {
    point.row(size) * size + point.column(size)
}

/// Appends the entries with the largest shares, scaled to sixteen bits.
fn shares(target: &[(Move, u32)], room: usize, size: usize, out: &mut Vec<u8>) {
    let mut target: Vec<(Move, u32)> = target.iter().copied().filter(|&(_, share)| share > 0).collect();
    // The sort is stable, so equal shares stay in their order.
    target.sort_by_key(|&(_, share)| std::cmp::Reverse(share));
    target.truncate(room);
    let largest = target.first().map_or(1, |&(_, share)| u64::from(share));
    let most = u64::from(u16::MAX).min(largest);
    for &(mv, share) in &target {
        let at = mv.point().map_or(size * size, |point| index(point, size));
        out.extend((at as u16).to_le_bytes());
        // A share above 0 stays above 0.
        out.extend(((u64::from(share) * most / largest).max(1) as u16).to_le_bytes());
    }
    out.extend(std::iter::repeat_n(0, 4 * (room - target.len())));
}

/// The planes of the rows of a file.
#[derive(Debug)]
pub struct Rows<'a> {
    form: Form,
    bytes: &'a [u8],
}

impl<'a> Rows<'a> {
    /// Reads the head of a file.
    ///
    /// # Errors
    /// Why the bytes are no rows.
    pub fn open(bytes: &'a [u8]) -> Result<Rows<'a>, RowsError> {
        if !bytes.starts_with(MAGIC) {
            return Err(RowsError::Foreign);
        }
        let (head, rows) = bytes.split_at_checked(HEAD).ok_or(RowsError::Head)?;
        let short = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if word(8) != VERSION || word(12) != planes::VERSION {
            return Err(RowsError::Version { rows: word(8), planes: word(12) });
        }
        let entries = 1..=MAX_ENTRIES;
        let fits = (MIN_SIZE..=MAX_SIZE).contains(&short(16))
            && (short(18), short(20)) == (planes::COUNT, SCALARS)
            && entries.contains(&short(22))
            && entries.contains(&short(24));
        if !fits {
            return Err(RowsError::Head);
        }
        let form = Form::new(short(16), short(22), short(24));
        if word(28) as usize != form.row_bytes() {
            return Err(RowsError::Head);
        }
        Ok(Rows { form, bytes: rows })
    }

    /// The form of the rows.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The number of whole rows in a file of so many bytes.
    pub fn count_in(&self, file_bytes: u64) -> u64 {
        file_bytes.saturating_sub(HEAD as u64) / self.form.row_bytes() as u64
    }

    /// The number of games that the rows come from, if the rows of a game stand together.
    pub fn games(&self) -> usize {
        let numbers = self.bytes.chunks_exact(self.form.row_bytes()).map(|row| {
            let at = row.len() - 8;
            &row[at..at + 4]
        });
        let mut last: Option<&[u8]> = None;
        numbers.filter(|&number| last.replace(number) != Some(number)).count()
    }

    /// The length in bytes of the file up to the first row that is no row: one that is cut off, or one without the
    /// plane of the board, as a machine leaves it that lost its power while it wrote.
    pub fn sound_bytes(&self) -> usize {
        let points = self.form.size * self.form.size;
        let is_sound = |row: &&[u8]| (0..points).all(|i| row[i / 8] >> (i % 8) & 1 == 1);
        let row = self.form.row_bytes();
        HEAD + row * self.bytes.chunks_exact(row).take_while(is_sound).count()
    }

    /// The planes of each row. A last row that is cut off is left out.
    pub fn planes(&self) -> impl Iterator<Item = Planes> + use<'a> {
        let form = self.form;
        self.bytes.chunks_exact(form.row_bytes()).map(move |row| {
            let (points, bytes) = (form.size * form.size, form.plane_bytes());
            let of_point = |i: usize| {
                let bit = |plane: usize| u16::from(row[plane * bytes + i / 8] >> (i % 8) & 1) << plane;
                (0..planes::COUNT).map(bit).sum::<u16>()
            };
            let at = (planes::COUNT + 2) * bytes;
            let scalar = |i: usize| f32::from_le_bytes(std::array::from_fn(|j| row[at + 4 * i + j]));
            let bits: Vec<u16> = (0..points).map(of_point).collect();
            Planes::from_parts(form.size, &bits, std::array::from_fn(scalar))
        })
    }
}
