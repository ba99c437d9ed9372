//! NEON, with dot products and without. Activations have seven bits, so they are valid signed bytes too.
//!
//! `sdot` adds four products of bytes to each of four sums. Its four inputs come from any quarter of a register.
//! Without it, `smull` makes products of 16 bits, `addp` adds them in pairs, and `sadalp` adds pairs of those to the
//! sums. A sum of two products is at most 2 · 127 · 127 = 32 258, so it fits.
//!
//! A tile of four points × 16 channels takes 16 registers for sums, four for inputs and four for weights.

use std::arch::aarch64::*;
use std::arch::asm;

use crate::net::conv::{Job, QUAD};

/// Channels in a register of sums.
const LANES: usize = 4;
/// Registers of channels in a tile.
const WIDE: usize = 4;
/// Points in a tile.
const POINTS: usize = 4;
/// Inputs in a register.
const INPUTS: usize = 16;

/// `sdot` with the inputs in a quarter of a register. (The intrinsic is not stable in Rust 1.95.)
macro_rules! dot {
    ($sum:expr, $weights:expr, $inputs:expr, $lane:literal) => {
        asm!(
            ".arch_extension dotprod",
            concat!("sdot {0:v}.4s, {1:v}.16b, {2:v}.4b[", $lane, "]"),
            inout(vreg) $sum, in(vreg) $weights, in(vreg) $inputs,
            options(pure, nomem, nostack, preserves_flags)
        )
    };
}

/// Computes the convolution with dot products.
///
/// # Safety
/// The machine must have NEON with dot products.
#[target_feature(enable = "neon,dotprod")]
pub(super) unsafe fn run_dot(job: Job<'_>) {
    // SAFETY: the caller says that the machine has both.
    unsafe { run_with::<true>(job) }
}

/// Computes the convolution without dot products.
///
/// # Safety
/// The machine must have NEON.
#[target_feature(enable = "neon")]
pub(super) unsafe fn run(job: Job<'_>) {
    // SAFETY: the caller says that the machine has NEON.
    unsafe { run_with::<false>(job) }
}

/// Computes the convolution.
///
/// # Safety
/// The machine must have NEON, and dot products if `DOT` says so.
#[target_feature(enable = "neon")]
unsafe fn run_with<const DOT: bool>(mut job: Job<'_>) {
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..job.points()).step_by(POINTS) {
            let Some(cells) = job.cells()[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 16. The cells come from the job. The
            // inputs of a net are a multiple of 16.
            unsafe { tile::<DOT>(&mut job, cells, channel) };
        }
    }
}

/// Computes one tile.
///
/// # Safety
/// As for [`run_with`]. `channel + WIDE * LANES` must be at most the number of outputs. `cells` must be cells of the
/// job.
#[target_feature(enable = "neon")]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
unsafe fn tile<const DOT: bool>(job: &mut Job<'_>, cells: &[u16; POINTS], channel: usize) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    assert!(inputs.is_multiple_of(INPUTS));
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. `channel` and the lanes after it are outputs.
    unsafe {
        let mut start = [vdupq_n_s32(0); WIDE];
        for v in 0..WIDE {
            start[v] = vld1q_s32(job.init().as_ptr().add(channel + v * LANES));
        }
        let mut sums = [start; POINTS];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        for &tap in job.taps() {
            let mut from = [std::ptr::null::<i8>(); POINTS];
            for p in 0..POINTS {
                from[p] = job.input().as_ptr().add(usize::from(cells[p]).wrapping_add_signed(tap) * inputs).cast();
            }
            for input in (0..inputs).step_by(INPUTS) {
                let mut x = [vdupq_n_s8(0); POINTS];
                for p in 0..POINTS {
                    x[p] = vld1q_s8(from[p].add(input));
                }
                macro_rules! quad {
                    ($lane:literal) => {
                        let mut w = [vdupq_n_s8(0); WIDE];
                        for v in 0..WIDE {
                            w[v] = vld1q_s8(weights.add(v * LANES * QUAD));
                        }
                        for p in 0..POINTS {
                            let four = vreinterpretq_s8_s32(vdupq_laneq_s32::<$lane>(vreinterpretq_s32_s8(x[p])));
                            for v in 0..WIDE {
                                if DOT {
                                    dot!(sums[p][v], w[v], x[p], $lane);
                                } else {
                                    let low = vmull_s8(vget_low_s8(w[v]), vget_low_s8(four));
                                    let pairs = vpaddq_s16(low, vmull_high_s8(w[v], four));
                                    sums[p][v] = vpadalq_s16(sums[p][v], pairs);
                                }
                            }
                        }
                        weights = weights.wrapping_add(outputs * QUAD);
                    };
                }
                quad!(0);
                quad!(1);
                quad!(2);
                quad!(3);
            }
        }
        let residual = job.residual();
        for p in 0..POINTS {
            let cell = usize::from(cells[p]) * outputs + channel;
            let mut whole = [vdupq_n_s32(0); WIDE];
            for v in 0..WIDE {
                let at = v * LANES;
                let multiplier = vld1q_f32(job.multiplier().as_ptr().add(channel + at));
                let mut value = vmulq_f32(vcvtq_f32_s32(sums[p][v]), multiplier);
                if let Some((residual, ratio)) = residual {
                    let bytes = residual.as_ptr().add(cell + at).cast::<u32>().read_unaligned();
                    let x = vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(u64::from(bytes)))));
                    value = vaddq_f32(value, vmulq_f32(vcvtq_f32_u32(x), vdupq_n_f32(ratio)));
                }
                let clipped = vminq_f32(vmaxq_f32(value, vdupq_n_f32(0.0)), vdupq_n_f32(127.0));
                whole[v] = vcvtnq_s32_f32(clipped);
            }
            let low = vcombine_s16(vmovn_s32(whole[0]), vmovn_s32(whole[1]));
            let high = vcombine_s16(vmovn_s32(whole[2]), vmovn_s32(whole[3]));
            let bytes = vcombine_s8(vmovn_s16(low), vmovn_s16(high));
            vst1q_u8(job.output().as_mut_ptr().add(cell), vreinterpretq_u8_s8(bytes));
        }
    }
}
