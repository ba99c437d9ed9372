//! AVX2. Convolutions of 3×3 go by [windows], and `vpmaddwd` multiplies pairs of sixteen bits. A block of six windows ×
//! 16 channels leaves registers for weights, an input and a product.
//!
//! For convolutions of 1×1, and for points without a window, `vpmaddubsw` multiplies bytes and adds two products each.
//! A sum of two products fits into sixteen bits: it is at most 2 · 127 · 128, because activations have seven bits. Then
//! `vpmaddwd` makes sums of 32 bits.

use std::arch::x86_64::*;

use super::windows;
use crate::net::conv::{Job, QUAD};
use crate::net::winograd::WIDTH;

/// Channels in a register of sums.
const LANES: usize = 8;
/// Registers of channels in a tile.
const WIDE: usize = 2;
/// Points in a tile.
const POINTS: usize = 3;
/// The most windows in a block.
const MOST: usize = 6;

/// Computes the convolution.
///
/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    if job.taps().len() > 1 {
        let inputs = job.inputs();
        windows::run(
            &mut job,
            |windows, weights, products| multiply(inputs, windows, weights, products),
            |job, cell, channel, sums| {
                let (sums, _) = sums.as_chunks();
                // SAFETY: the cell and the channels are the job's. The machine has AVX2.
                unsafe { finish::<1, { WIDTH / LANES }>(job, &[cell], channel, sums) };
            },
        );
        let (cells, points) = job.left();
        // SAFETY: the cells come from the job. The machine has AVX2.
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
/// The machine must have AVX2. The cells must be cells of the job.
#[target_feature(enable = "avx2")]
unsafe fn run_points(job: &mut Job<'_>, cells: &[u16], points: usize) {
    let ones = _mm256_set1_epi16(1);
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..points).step_by(POINTS) {
            let Some(cells) = cells[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 16. The cells are the caller's
            // promise. The machine has AVX2.
            unsafe {
                tile::<POINTS, WIDE>(job, cells, channel, |sum, x, w| {
                    _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, w), ones))
                });
            }
        }
    }
}

/// Sets the products of one place of windows, see [`windows::run`].
#[target_feature(enable = "avx2")]
#[inline]
fn multiply(inputs: usize, windows: &[i16], weights: &[i16], products: &mut [i32]) {
    let count = windows.len() / inputs;
    let blocks = count.div_ceil(MOST);
    let mut done = 0;
    for block in 0..blocks {
        // Blocks are about as large as one another.
        let size = (count - done).div_ceil(blocks - block);
        let windows = &windows[done * inputs..][..size * inputs];
        let products = &mut products[done * WIDTH..];
        match size {
            6 => multiply_block::<6>(inputs, windows, weights, products),
            5 => multiply_block::<5>(inputs, windows, weights, products),
            4 => multiply_block::<4>(inputs, windows, weights, products),
            3 => multiply_block::<3>(inputs, windows, weights, products),
            2 => multiply_block::<2>(inputs, windows, weights, products),
            _ => multiply_block::<1>(inputs, windows, weights, products),
        }
        done += size;
    }
}

/// Sets the products of `P` windows.
///
/// # Panics
/// If an array is too short.
#[target_feature(enable = "avx2")]
#[inline]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
fn multiply_block<const P: usize>(inputs: usize, windows: &[i16], weights: &[i16], products: &mut [i32]) {
    const { assert!(WIDTH == WIDE * LANES) };
    assert!(windows.len() >= P * inputs && weights.len() >= inputs / 2 * 2 * WIDTH && products.len() >= P * WIDTH);
    // SAFETY: the arrays are as long as the assertion says. All loads and stores are unaligned ones.
    unsafe {
        let mut sums = [[_mm256_setzero_si256(); WIDE]; P];
        let (windows, mut weights) = (windows.as_ptr(), weights.as_ptr());
        for pair in 0..inputs / 2 {
            let mut w = [_mm256_setzero_si256(); WIDE];
            for v in 0..WIDE {
                w[v] = _mm256_loadu_si256(weights.add(v * 2 * LANES).cast());
            }
            for p in 0..P {
                let x = _mm256_set1_epi32(windows.add(p * inputs + 2 * pair).cast::<i32>().read_unaligned());
                for v in 0..WIDE {
                    sums[p][v] = _mm256_add_epi32(sums[p][v], _mm256_madd_epi16(x, w[v]));
                }
            }
            weights = weights.add(2 * WIDTH);
        }
        let to = products.as_mut_ptr();
        for p in 0..P {
            for v in 0..WIDE {
                _mm256_storeu_si256(to.add(p * WIDTH + v * LANES).cast(), sums[p][v]);
            }
        }
    }
}

/// Computes one tile. `add` adds the products of four unsigned and four signed bytes to each sum.
///
/// # Safety
/// The machine must have AVX2. `channel + V * LANES` must be at most the number of outputs. `cells` must be cells of
/// the job.
#[target_feature(enable = "avx2")]
#[inline]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
pub(super) unsafe fn tile<const P: usize, const V: usize>(
    job: &mut Job<'_>,
    cells: &[u16; P],
    channel: usize,
    add: impl Fn(__m256i, __m256i, __m256i) -> __m256i,
) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. `channel` and the lanes after it are outputs. All loads and stores are unaligned
    // ones.
    unsafe {
        let mut start = [_mm256_setzero_si256(); V];
        for v in 0..V {
            start[v] = _mm256_loadu_si256(job.init().as_ptr().add(channel + v * LANES).cast());
        }
        let mut sums = [start; P];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        for &tap in job.taps() {
            let mut from = [std::ptr::null::<u8>(); P];
            for p in 0..P {
                from[p] = job.input().as_ptr().add(usize::from(cells[p]).wrapping_add_signed(tap) * inputs);
            }
            for quad in 0..inputs / QUAD {
                let mut w = [_mm256_setzero_si256(); V];
                for v in 0..V {
                    w[v] = _mm256_loadu_si256(weights.add(v * LANES * QUAD).cast());
                }
                for p in 0..P {
                    let x = _mm256_set1_epi32(from[p].add(quad * QUAD).cast::<i32>().read_unaligned());
                    for v in 0..V {
                        sums[p][v] = add(sums[p][v], x, w[v]);
                    }
                }
                weights = weights.wrapping_add(outputs * QUAD);
            }
        }
        // The sums are stored once here. A loop over them as registers would keep them in memory all the time.
        let mut whole = [[0_i32; LANES]; 12];
        const { assert!(P * V <= 12) };
        for p in 0..P {
            for v in 0..V {
                _mm256_storeu_si256(whole[p * V + v].as_mut_ptr().cast(), sums[p][v]);
            }
        }
        finish::<P, V>(job, cells, channel, &whole);
    }
}

/// Makes activations of the sums of one tile.
///
/// # Safety
/// As for [`tile`]. There must be `P * V` sums or more.
#[target_feature(enable = "avx2")]
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
                let sum = _mm256_cvtepi32_ps(_mm256_loadu_si256(sum.as_ptr().cast()));
                let mut value = _mm256_mul_ps(sum, _mm256_loadu_ps(job.multiplier().as_ptr().add(at)));
                if let Some((residual, ratio)) = residual {
                    let x = _mm256_cvtepu8_epi32(_mm_loadl_epi64(residual.as_ptr().add(cell).cast()));
                    value = _mm256_add_ps(value, _mm256_mul_ps(_mm256_cvtepi32_ps(x), _mm256_set1_ps(ratio)));
                }
                let clipped = _mm256_min_ps(_mm256_max_ps(value, _mm256_setzero_ps()), _mm256_set1_ps(127.0));
                let ints = _mm256_cvtps_epi32(clipped);
                let halves = _mm_packs_epi32(_mm256_castsi256_si128(ints), _mm256_extracti128_si256::<1>(ints));
                let bytes = _mm_packus_epi16(halves, halves);
                _mm_storel_epi64(job.output().as_mut_ptr().add(cell).cast(), bytes);
            }
        }
    }
}
