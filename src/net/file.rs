//! Weight files: from bytes to a net, and the reasons why bytes are no net. `docs/net.md` describes the format.

use super::conv::Conv;
use super::description::Description;
use super::evaluate::{Block, Net};
use super::heads::Heads;
use super::matrix::Matrix;
use super::planes;

/// The first bytes of a weight file.
pub const MAGIC: &[u8; 8] = b"KOSUNET\0";
/// The version of the format.
pub const VERSION: u32 = 1;
/// Bytes before the description.
const HEAD: usize = 16;
/// Bytes after the tensors: the checksum.
const TAIL: usize = 4;
/// Longest description.
const LONGEST_DESCRIPTION: usize = 1 << 16;
/// Every f32 in the file must be smaller than this.
const LARGEST: f32 = 1e6;
/// Multipliers and ratios must be smaller than this.
const LARGEST_MULTIPLIER: f32 = 1e3;
/// Biases are at most this large, so that sums cannot overflow.
const LARGEST_BIAS: i32 = 1 << 28;

/// Why bytes are no net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The first bytes are wrong.
    #[error("this is no weight file of Kosumi")]
    Foreign,
    /// This program does not know the file's version.
    #[error("the weight file has version {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// The file ends too early.
    #[error("the weight file is cut off: it has {bytes} bytes of {wanted}")]
    CutOff {
        /// Number of bytes in the file.
        bytes: usize,
        /// Number of bytes that the file needs, at least.
        wanted: usize,
    },
    /// The file has bytes after its end.
    #[error("the weight file has {0} bytes too many")]
    TooLong(usize),
    /// The bytes differ from those that were written.
    #[error("the weight file is damaged: its checksum is wrong")]
    Checksum,
    /// The description is not valid.
    #[error("the description in the weight file is wrong: {0}")]
    Description(String),
    /// The net reads planes that this program does not make.
    #[error("the net reads planes of version {0}, and this program makes version {version}", version = planes::VERSION)]
    Planes(u32),
    /// A number in the file is out of range.
    #[error("the weight file has a number out of range in {0}")]
    Number(String),
}

/// The description and the tensors of a weight file.
fn parts(bytes: &[u8]) -> Result<(Description, &[u8]), NetError> {
    let cut_off = |wanted| NetError::CutOff { bytes: bytes.len(), wanted };
    if bytes.len() < MAGIC.len() && !bytes.is_empty() && MAGIC.starts_with(bytes) {
        return Err(cut_off(HEAD));
    }
    if !bytes.starts_with(MAGIC) {
        return Err(NetError::Foreign);
    }
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let version = word(8).ok_or(cut_off(HEAD))?;
    if version != VERSION {
        return Err(NetError::Version(version));
    }
    let length = word(12).ok_or(cut_off(HEAD))? as usize;
    if length > LONGEST_DESCRIPTION {
        return Err(NetError::Description(format!("it would have {length} bytes")));
    }
    let start = HEAD + length;
    let text = bytes.get(HEAD..start).ok_or(cut_off(start + TAIL))?;
    let (body, checksum) = bytes.split_at(bytes.len().saturating_sub(TAIL));
    let is_whole = || checksum == crc32fast::hash(body).to_le_bytes();
    let description = serde_json::from_slice::<Description>(text).map_err(|error| error.to_string());
    let description = description.and_then(|d| d.check().map(|()| d));
    let description =
        description.map_err(|e| if is_whole() { NetError::Description(e) } else { NetError::Checksum })?;
    let wanted = start + description.tensor_bytes() + TAIL;
    if bytes.len() < wanted {
        return Err(cut_off(wanted));
    }
    if bytes.len() > wanted {
        return Err(NetError::TooLong(bytes.len() - wanted));
    }
    if !is_whole() {
        return Err(NetError::Checksum);
    }
    if description.planes != planes::VERSION {
        return Err(NetError::Planes(description.planes));
    }
    Ok((description, &body[start..]))
}

/// Makes a weight file of a description and tensors.
pub fn write(description: &Description, tensors: &[u8]) -> Vec<u8> {
    let text = serde_json::to_string(description).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(tensors);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

impl Net {
    /// Reads a weight file. The fastest kernel that the machine has is chosen.
    ///
    /// # Errors
    /// Why these bytes are no net.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        read(bytes)
    }
}

/// Reads a net.
fn read(bytes: &[u8]) -> Result<Net, NetError> {
    let (description, tensors) = parts(bytes)?;
    let mut tensors = Tensors { rest: tensors };
    let (c, v, q) = (description.channels, description.value_channels, description.policy_channels);
    let input = tensors.conv("input", 9, planes::COUNT, c)?;
    let scalars = tensors.matrix("input.scalars", planes::SCALARS, c)?;
    let mut blocks = Vec::new();
    for block in 0..description.blocks {
        let first = tensors.conv("first", 9, c, c)?;
        let second = tensors.conv("second", 9, c, c)?;
        let ratio = tensors.ratio("second.r")?;
        let has_pool = description.pooling.contains(&block);
        let pool = if has_pool { Some(tensors.matrix("second.pool", 3 * c, c)?) } else { None };
        blocks.push(Block { first, second, ratio, pool });
    }
    let heads = Heads {
        value: tensors.conv("value", 1, c, v)?,
        policy: tensors.conv("policy", 1, c, q)?,
        policy_pool: tensors.matrix("policy.pool", 3 * v, q)?,
        policy_out: tensors.shorts(q),
        policy_scale: tensors.float("policy_scale")?,
        owner_out: tensors.shorts(v),
        owner_scale: tensors.float("owner_scale")?,
        owner_bias: tensors.float("owner_bias")?,
        hidden: tensors.matrix("hidden", 3 * v, description.hidden)?,
        hidden_bias: tensors.floats("hidden_bias", description.hidden)?,
        results: tensors.matrix("results", description.hidden, 6)?,
        results_bias: tensors.floats("results_bias", 6)?,
    };
    debug_assert!(tensors.rest.is_empty(), "Description::tensor_bytes says how long they are");
    Ok(Net::new(description, input, scalars, blocks, heads))
}

/// The tensors, one after the other. The caller has checked that there are enough bytes.
struct Tensors<'a> {
    rest: &'a [u8],
}

impl Tensors<'_> {
    fn take<const N: usize>(&mut self, count: usize) -> impl Iterator<Item = [u8; N]> + use<'_, N> {
        let (taken, rest) = self.rest.split_at(count * N);
        self.rest = rest;
        taken.as_chunks::<N>().0.iter().copied()
    }

    fn conv(&mut self, name: &str, taps: usize, inputs: usize, outputs: usize) -> Result<Conv, NetError> {
        let wrong = |part: &str| NetError::Number(format!("{name}.{part}"));
        let weights: Vec<i8> = self.take(taps * inputs * outputs).map(i8::from_le_bytes).collect();
        if weights.contains(&i8::MIN) {
            return Err(wrong("w"));
        }
        let bias: Vec<i32> = self.take(outputs).map(i32::from_le_bytes).collect();
        if bias.iter().any(|b| b.unsigned_abs() > LARGEST_BIAS.unsigned_abs()) {
            return Err(wrong("b"));
        }
        let multiplier: Vec<f32> = self.take(outputs).map(f32::from_le_bytes).collect();
        if multiplier.iter().any(|m| !(0.0..LARGEST_MULTIPLIER).contains(m)) {
            return Err(wrong("m"));
        }
        Ok(Conv::new(taps, inputs, &weights, bias, multiplier))
    }

    fn floats(&mut self, name: &str, count: usize) -> Result<Vec<f32>, NetError> {
        let floats: Vec<f32> = self.take(count).map(f32::from_le_bytes).collect();
        let fit = floats.iter().all(|f| f.is_finite() && f.abs() < LARGEST);
        if fit { Ok(floats) } else { Err(NetError::Number(name.into())) }
    }

    fn float(&mut self, name: &str) -> Result<f32, NetError> {
        self.floats(name, 1).map(|floats| floats[0])
    }

    fn ratio(&mut self, name: &str) -> Result<f32, NetError> {
        let ratio = self.float(name)?;
        if (0.0..LARGEST_MULTIPLIER).contains(&ratio) { Ok(ratio) } else { Err(NetError::Number(name.into())) }
    }

    fn shorts(&mut self, count: usize) -> Vec<i16> {
        self.take(count).map(i16::from_le_bytes).collect()
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Matrix, NetError> {
        Ok(Matrix::new(columns, self.floats(name, rows * columns)?))
    }
}
