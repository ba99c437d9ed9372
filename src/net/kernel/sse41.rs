//! SSE 4.1: as AVX2, on half as many bytes. Every x86 processor since 2008 has it.
//!
//! A tile of three points × 8 channels leaves registers for weights, inputs and products.

use std::arch::x86_64::*;

use crate::net::conv::{Job, MAX_QUADS, QUAD};

/// Channels in a register of sums.
const LANES: usize = 4;
/// Registers of channels in a tile.
const WIDE: usize = 2;
/// Points in a tile.
const POINTS: usize = 3;

/// Computes the convolution.
///
/// # Safety
/// The machine must have SSSE3 and SSE 4.1.
#[target_feature(enable = "ssse3,sse4.1")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    let mut offsets = [0; MAX_QUADS];
    let offsets = job.offsets(&mut offsets);
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..job.points()).step_by(POINTS) {
            let Some(cells) = job.cells()[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 8. The cells come from the job.
            unsafe { tile(&mut job, cells, channel, offsets) };
        }
    }
}

/// Computes one tile.
///
/// # Safety
/// As for [`run`]. `channel + WIDE * LANES` must be at most the number of outputs. `cells` must be cells of the job, and
/// `offsets` its offsets.
#[target_feature(enable = "ssse3,sse4.1")]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
unsafe fn tile(job: &mut Job<'_>, cells: &[u16; POINTS], channel: usize, offsets: &[isize]) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let ones = _mm_set1_epi16(1);
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. Its runs have together as many quads as there are offsets. `channel` and the lanes
    // after it are outputs. All loads and stores are unaligned ones.
    unsafe {
        let mut start = [_mm_setzero_si128(); WIDE];
        for v in 0..WIDE {
            start[v] = _mm_loadu_si128(job.init().as_ptr().add(channel + v * LANES).cast());
        }
        let mut sums = [start; POINTS];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        let mut offset = offsets.as_ptr();
        let mut from = [std::ptr::null::<u8>(); POINTS];
        for p in 0..POINTS {
            from[p] = job.input().as_ptr().add(usize::from(cells[p]) * inputs);
        }
        for &length in job.runs(channel) {
            let mut pairs = [[_mm_setzero_si128(); WIDE]; POINTS];
            for _ in 0..length {
                let mut w = [_mm_setzero_si128(); WIDE];
                for v in 0..WIDE {
                    w[v] = _mm_loadu_si128(weights.add(v * LANES * QUAD).cast());
                }
                for p in 0..POINTS {
                    let x = _mm_set1_epi32(from[p].wrapping_offset(*offset).cast::<i32>().read_unaligned());
                    for v in 0..WIDE {
                        pairs[p][v] = _mm_add_epi16(pairs[p][v], _mm_maddubs_epi16(x, w[v]));
                    }
                }
                weights = weights.wrapping_add(outputs * QUAD);
                offset = offset.add(1);
            }
            for p in 0..POINTS {
                for v in 0..WIDE {
                    sums[p][v] = _mm_add_epi32(sums[p][v], _mm_madd_epi16(pairs[p][v], ones));
                }
            }
        }
        // The sums are stored once here. A loop over them as registers would keep them in memory all the time.
        let mut whole = [[0_i32; LANES]; POINTS * WIDE];
        for p in 0..POINTS {
            for v in 0..WIDE {
                _mm_storeu_si128(whole[p * WIDE + v].as_mut_ptr().cast(), sums[p][v]);
            }
        }
        let residual = job.residual();
        for (p, sums) in whole.chunks_exact(WIDE).enumerate() {
            for (v, sum) in sums.iter().enumerate() {
                let at = channel + v * LANES;
                let cell = usize::from(cells[p]) * outputs + at;
                let sum = _mm_cvtepi32_ps(_mm_loadu_si128(sum.as_ptr().cast()));
                let mut value = _mm_mul_ps(sum, _mm_loadu_ps(job.multiplier().as_ptr().add(at)));
                if let Some((residual, ratio)) = residual {
                    let bytes = residual.as_ptr().add(cell).cast::<i32>().read_unaligned();
                    let x = _mm_cvtepi32_ps(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(bytes)));
                    value = _mm_add_ps(value, _mm_mul_ps(x, _mm_set1_ps(ratio)));
                }
                let clipped = _mm_min_ps(_mm_max_ps(value, _mm_setzero_ps()), _mm_set1_ps(127.0));
                let halves = _mm_packs_epi32(_mm_cvtps_epi32(clipped), _mm_setzero_si128());
                let bytes = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));
                job.output().as_mut_ptr().add(cell).cast::<i32>().write_unaligned(bytes);
            }
        }
    }
}
