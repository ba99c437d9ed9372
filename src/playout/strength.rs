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
