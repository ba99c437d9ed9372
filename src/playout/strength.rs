//! Strengths of moves: e to a learned weight (a Bradley–Terry model: Coulom 2007, "Computing Elo ratings of move
//! patterns in the game of Go").

/// e to a power, with the same result on every machine (the standard library's differs by platform). The whole part of
/// the power of 2 goes into the exponent bits; a polynomial gives the fraction with an error below 2·10⁻⁴.
pub fn exp(x: f32) -> f32 {
    let y = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let whole = y.floor();
    let fraction = y - whole;
    // Least-squares cubic for 2^f on 0..1.
    let power = 1.0 + fraction * (0.695_976_1 + fraction * (0.224_940_42 + fraction * 0.079_083_48));
    power * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// The natural logarithm of a number above 0, with the same result on every machine. The whole part comes from the
/// exponent bits; the fraction from four terms of the series ln m = 2·(s + s³/3 + s⁵/5 + s⁷/7 + …) with s = (m − 1)/(m +
/// 1), with an error below 2·10⁻⁵.
pub fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let whole = (bits >> 23 & 0xff) as i32 - 127;
    let m = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let fraction = 2.0 * s * (1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square / 7.0)));
    whole as f32 * std::f32::consts::LN_2 + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_exponentials_are_those_of_the_library() {
        for i in 1..=2000 {
            let x = (i as f32 / 2000.0).powi(4);
            assert!((ln(x) - x.ln()).abs() < 1e-4, "ln {x}: {}", ln(x));
            assert!((exp(ln(x)) / x - 1.0).abs() < 5e-4, "{x}: {}", exp(ln(x)));
        }
    }
}
