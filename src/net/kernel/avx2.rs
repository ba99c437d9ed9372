//! AVX2: `vpmaddubsw` multiplies bytes and adds two products each. A sum of two products fits into sixteen bits: it is
//! at most 2 · 127 · 127, because activations have seven bits. Such sums are added up for a run of inputs, as long as
//! sixteen bits hold them for sure ([`Job::runs`]). Then `vpmaddwd` makes sums of 32 bits. It uses the same units of the
//! processor as `vpmaddubsw`, so long runs save time.
//!
//! A tile of three points × 16 channels leaves registers for weights, inputs and products.

use std::arch::x86_64::*;

use crate::net::conv::{Job, MAX_QUADS, QUAD};

/// Channels in a register of sums.
const LANES: usize = 8;
/// Registers of channels in a tile.
const WIDE: usize = 2;
/// Points in a tile.
const POINTS: usize = 3;

/// Computes the convolution.
///
/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    let mut offsets = [0; MAX_QUADS];
    let offsets = job.offsets(&mut offsets);
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..job.points()).step_by(POINTS) {
            let Some(cells) = job.cells()[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 16. The cells come from the job. The
            // machine has AVX2.
            unsafe {
                let sums = tile_of_runs(&job, cells, channel, offsets);
                finish::<POINTS, WIDE>(&mut job, cells, channel, &sums);
            }
        }
    }
}

/// The sums of one tile.
///
/// # Safety
/// The machine must have AVX2. `channel + WIDE * LANES` must be at most the number of outputs. `cells` must be cells of
/// the job, and `offsets` its offsets.
#[target_feature(enable = "avx2")]
#[inline]
#[allow(clippy::needless_range_loop)] // As below.
unsafe fn tile_of_runs(
    job: &Job<'_>,
    cells: &[u16; POINTS],
    channel: usize,
    offsets: &[isize],
) -> [[i32; LANES]; POINTS * WIDE] {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let ones = _mm256_set1_epi16(1);
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. Its runs have together as many quads as there are offsets. `channel` and the lanes
    // after it are outputs. All loads and stores are unaligned ones.
    unsafe {
        let mut start = [_mm256_setzero_si256(); WIDE];
        for v in 0..WIDE {
            start[v] = _mm256_loadu_si256(job.init().as_ptr().add(channel + v * LANES).cast());
        }
        let mut sums = [start; POINTS];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        let mut offset = offsets.as_ptr();
        let mut from = [std::ptr::null::<u8>(); POINTS];
        for p in 0..POINTS {
            from[p] = job.input().as_ptr().add(usize::from(cells[p]) * inputs);
        }
        for &length in job.runs(channel) {
            let mut pairs = [[_mm256_setzero_si256(); WIDE]; POINTS];
            for _ in 0..length {
                let mut w = [_mm256_setzero_si256(); WIDE];
                for v in 0..WIDE {
                    w[v] = _mm256_loadu_si256(weights.add(v * LANES * QUAD).cast());
                }
                for p in 0..POINTS {
                    let x = _mm256_set1_epi32(from[p].wrapping_offset(*offset).cast::<i32>().read_unaligned());
                    for v in 0..WIDE {
                        pairs[p][v] = _mm256_add_epi16(pairs[p][v], _mm256_maddubs_epi16(x, w[v]));
                    }
                }
                weights = weights.wrapping_add(outputs * QUAD);
                offset = offset.add(1);
            }
            for p in 0..POINTS {
                for v in 0..WIDE {
                    sums[p][v] = _mm256_add_epi32(sums[p][v], _mm256_madd_epi16(pairs[p][v], ones));
                }
            }
        }
        let mut whole = [[0_i32; LANES]; POINTS * WIDE];
        for p in 0..POINTS {
            for v in 0..WIDE {
                _mm256_storeu_si256(whole[p * WIDE + v].as_mut_ptr().cast(), sums[p][v]);
            }
        }
        whole
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
