//! The convolution in plain loops, the reference for the other kernels.

use crate::net::conv::{Job, QUAD};

/// Number of output channels that are summed together: as many as a compiler may keep in registers.
const WIDTH: usize = 16;

/// Computes the convolution.
pub(super) fn run(mut job: Job<'_>) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let weights = job.weights();
    for i in 0..job.points() {
        let cell = usize::from(job.cells()[i]);
        for first in (0..outputs).step_by(WIDTH) {
            let mut sums: [i32; WIDTH] = std::array::from_fn(|k| job.init()[first + k]);
            for (tap, offset) in job.taps().iter().enumerate() {
                let from = cell.wrapping_add_signed(*offset) * inputs;
                let of_tap = &weights[tap * inputs * outputs..][..inputs * outputs];
                for (quad, x) in job.input()[from..from + inputs].chunks_exact(QUAD).enumerate() {
                    let w = &of_tap[(quad * outputs + first) * QUAD..][..WIDTH * QUAD];
                    for (sum, w) in sums.iter_mut().zip(w.chunks_exact(QUAD)) {
                        *sum += (0..QUAD).map(|j| i32::from(x[j]) * i32::from(w[j])).sum::<i32>();
                    }
                }
            }
            let at = cell * outputs + first;
            for (k, &sum) in sums.iter().enumerate() {
                let mut value = sum as f32 * job.multiplier()[first + k];
                if let Some((residual, ratio)) = job.residual() {
                    value += f32::from(residual[at + k]) * ratio;
                }
                job.output()[at + k] = activation(value);
            }
        }
    }
}

/// Clips to 0…127 and rounds, halves to even.
pub(super) fn activation(value: f32) -> u8 {
    // From 2²³ to 2²⁴ every f32 is a whole number, so the addition rounds. It is exact otherwise.
    const WHOLE: f32 = 12_582_912.0;
    (value.clamp(0.0, 127.0) + WHOLE - WHOLE) as u8
}

#[cfg(test)]
mod tests {
    use super::activation;

    #[test]
    fn activations_are_clipped_and_rounded_to_even() {
        for (value, wanted) in
            [(-3.0, 0), (0.0, 0), (0.5, 0), (0.50001, 1), (1.5, 2), (2.5, 2), (126.5, 126), (127.0, 127), (1e9, 127)]
        {
            assert_eq!(activation(value), wanted, "{value}");
        }
        for part in 0..=u16::MAX {
            let value = f32::from(part) / 515.0;
            assert_eq!(f32::from(activation(value)), value.round_ties_even());
        }
    }
}
