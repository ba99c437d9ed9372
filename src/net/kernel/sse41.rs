//! SSE 4.1: as AVX2, on half as many bytes. Every x86 processor since 2008 has it.
//!
//! A block of two windows × 16 channels leaves registers for weights, an input and a product. So does a tile of three
//! points × 8 channels, for convolutions of 1×1 and points without a window.

use std::arch::x86_64::*;

use super::windows;
use crate::net::conv::{Job, QUAD};
use crate::net::winograd::WIDTH;

/// Channels in a register of sums.
const LANES: usize = 4;
/// Registers of channels in a tile.
const WIDE: usize = 2;
/// Points in a tile.
const POINTS: usize = 3;
/// Registers of channels in a block.
const PART: usize = WIDTH / LANES;
/// The most windows in a block.
const MOST: usize = 2;

/// Computes the convolution.
///
/// # Safety
/// The machine must have SSSE3 and SSE 4.1.
#[target_feature(enable = "ssse3,sse4.1")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    if job.taps().len() > 1 {
        let inputs = job.inputs();
        windows::run(
            &mut job,
            |windows, weights, products| multiply(inputs, windows, weights, products),
            |job, cell, channel, sums| {
                let (sums, _) = sums.as_chunks();
                // SAFETY: the cell and the channels are the job's. The machine has the instructions.
                unsafe { finish::<1, { WIDTH / LANES }>(job, &[cell], channel, sums) };
            },
        );
        let (cells, points) = job.left();
        // SAFETY: the cells come from the job. The machine has the instructions.
        unsafe { run_points(&mut job, cells, points) };
    } else {
        let (cells, points) = (job.cells(), job.points());
        // SAFETY: as above.
        unsafe { run_points(&mut job, cells, points) };
    }
}

/// Computes the convolution for so many of the cells, without windows.
///
/// # Safety
/// As for [`run`]. The cells must be cells of the job.
#[target_feature(enable = "ssse3,sse4.1")]
unsafe fn run_points(job: &mut Job<'_>, cells: &[u16], points: usize) {
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..points).step_by(POINTS) {
            let Some(cells) = cells[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 8. The cells are the caller's
            // promise.
            unsafe { tile(job, cells, channel) };
        }
    }
}

/// Sets the products of one place of windows, see [`windows::run`].
#[target_feature(enable = "ssse3,sse4.1")]
#[inline]
fn multiply(inputs: usize, windows: &[i16], weights: &[i16], products: &mut [i32]) {
    for (windows, products) in windows.chunks(MOST * inputs).zip(products.chunks_mut(MOST * WIDTH)) {
        if windows.len() == MOST * inputs {
            multiply_block::<MOST>(inputs, windows, weights, products);
        } else {
            multiply_block::<1>(inputs, windows, weights, products);
        }
    }
}

/// Sets the products of `P` windows.
///
/// # Panics
/// If an array is too short.
#[target_feature(enable = "ssse3,sse4.1")]
#[inline]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
fn multiply_block<const P: usize>(inputs: usize, windows: &[i16], weights: &[i16], products: &mut [i32]) {
    assert!(windows.len() >= P * inputs && weights.len() >= inputs / 2 * 2 * WIDTH && products.len() >= P * WIDTH);
    // SAFETY: the arrays are as long as the assertion says. All loads and stores are unaligned ones.
    unsafe {
        let mut sums = [[_mm_setzero_si128(); PART]; P];
        let (windows, mut weights) = (windows.as_ptr(), weights.as_ptr());
        for pair in 0..inputs / 2 {
            let mut w = [_mm_setzero_si128(); PART];
            for v in 0..PART {
                w[v] = _mm_loadu_si128(weights.add(v * 2 * LANES).cast());
            }
            for p in 0..P {
                let x = _mm_set1_epi32(windows.add(p * inputs + 2 * pair).cast::<i32>().read_unaligned());
                for v in 0..PART {
                    sums[p][v] = _mm_add_epi32(sums[p][v], _mm_madd_epi16(x, w[v]));
                }
            }
            weights = weights.add(2 * WIDTH);
        }
        let to = products.as_mut_ptr();
        for p in 0..P {
            for v in 0..PART {
                _mm_storeu_si128(to.add(p * WIDTH + v * LANES).cast(), sums[p][v]);
            }
        }
    }
}

/// Computes one tile.
///
/// # Safety
/// As for [`run`]. `channel + WIDE * LANES` must be at most the number of outputs. `cells` must be cells of the job.
#[target_feature(enable = "ssse3,sse4.1")]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
unsafe fn tile(job: &mut Job<'_>, cells: &[u16; POINTS], channel: usize) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let ones = _mm_set1_epi16(1);
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. `channel` and the lanes after it are outputs. All loads and stores are unaligned
    // ones.
    unsafe {
        let mut start = [_mm_setzero_si128(); WIDE];
        for v in 0..WIDE {
            start[v] = _mm_loadu_si128(job.init().as_ptr().add(channel + v * LANES).cast());
        }
        let mut sums = [start; POINTS];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        for &tap in job.taps() {
            let mut from = [std::ptr::null::<u8>(); POINTS];
            for p in 0..POINTS {
                from[p] = job.input().as_ptr().add(usize::from(cells[p]).wrapping_add_signed(tap) * inputs);
            }
            for quad in 0..inputs / QUAD {
                let mut w = [_mm_setzero_si128(); WIDE];
                for v in 0..WIDE {
                    w[v] = _mm_loadu_si128(weights.add(v * LANES * QUAD).cast());
                }
                for p in 0..POINTS {
                    let x = _mm_set1_epi32(from[p].add(quad * QUAD).cast::<i32>().read_unaligned());
                    for v in 0..WIDE {
                        let products = _mm_madd_epi16(_mm_maddubs_epi16(x, w[v]), ones);
                        sums[p][v] = _mm_add_epi32(sums[p][v], products);
                    }
                }
                weights = weights.wrapping_add(outputs * QUAD);
            }
        }
        // The sums are stored once here. A loop over them as registers would keep them in memory all the time.
        let mut whole = [[0_i32; LANES]; POINTS * WIDE];
        for p in 0..POINTS {
            for v in 0..WIDE {
                _mm_storeu_si128(whole[p * WIDE + v].as_mut_ptr().cast(), sums[p][v]);
            }
        }
        finish::<POINTS, WIDE>(job, cells, channel, &whole);
    }
}

/// Makes activations of the sums of `P` points and `V` registers of channels.
///
/// # Safety
/// As for [`run`]. `channel + V * LANES` must be at most the number of outputs. `cells` must be cells of the job. There
/// must be `P * V` sums or more.
#[target_feature(enable = "ssse3,sse4.1")]
#[inline]
unsafe fn finish<const P: usize, const V: usize>(
    job: &mut Job<'_>,
    cells: &[u16; P],
    channel: usize,
    whole: &[[i32; LANES]],
) {
    let outputs = job.outputs();
    // SAFETY: as in `tile`.
    unsafe {
        let residual = job.residual();
        for (p, sums) in whole.chunks_exact(V).take(P).enumerate() {
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
