//! A value of an evaluator with its correction, in four bytes.

/// Steps of a value or a correction from 0 to 1.
const STEPS: f32 = 32768.0;

/// What an evaluator says of a node, and what the search has learned to add to that (see `bias.rs`), for the side that
/// moves into the node. Both are rounded to 2⁻¹⁵, so that sums of corrections are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrected {
    /// 0..=32768.
    value: u16,
    correction: i16,
}

impl Corrected {
    /// A value, 0..=1, without a correction.
    pub fn new(value: f32) -> Corrected {
        Corrected { value: (value.clamp(0.0, 1.0) * STEPS) as u16, correction: 0 }
    }

    /// The same value with this correction, or with as much of the correction as keeps their sum within 0..=1.
    #[must_use]
    pub fn with(self, correction: f32) -> Corrected {
        let (least, most) = (-f32::from(self.value), STEPS - f32::from(self.value));
        // A conversion keeps within the numbers of 16 bits.
        Corrected { correction: (correction * STEPS).clamp(least, most) as i16, ..self }
    }

    /// The evaluator's value, 0..=1.
    pub fn value(self) -> f32 {
        f32::from(self.value) / STEPS
    }

    /// The correction, −1..=1.
    pub fn correction(self) -> f32 {
        f32::from(self.correction) / STEPS
    }

    /// In four bytes, which are never all 0.
    pub(super) fn to_bits(self) -> u32 {
        u32::from(self.value + 1) << 16 | u32::from(self.correction as u16)
    }

    /// From four bytes; `None` if all are 0.
    pub(super) fn from_bits(bits: u32) -> Option<Corrected> {
        let value = ((bits >> 16) as u16).checked_sub(1)?;
        Some(Corrected { value, correction: bits as u16 as i16 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_and_its_correction_come_back_from_four_bytes() {
        assert_eq!(Corrected::from_bits(0), None);
        for value in [0.0, 0.3, 1.0] {
            for correction in [-1.0, -0.2, 0.0, 0.2, 1.0] {
                let found = Corrected::new(value).with(correction);
                assert_eq!(Corrected::from_bits(found.to_bits()), Some(found));
                assert!((found.value() - value).abs() < 1e-4);
                let sum = found.value() + found.correction();
                assert!((0.0..=1.0).contains(&sum), "{value} {correction}: {sum}");
                assert!((sum - (value + correction).clamp(0.0, 1.0)).abs() < 2e-4, "{value} {correction}: {sum}");
            }
        }
    }
}
