//! AVX-512 VNNI: `vpdpbusd` adds sixteen times four products of bytes in one instruction.
//!
//! A tile of six points × 64 channels (or twelve × 32) stays in 24 registers. For four inputs it needs four loads of
//! weights and six broadcasts for 24 sums of products. So the loads do not limit the speed.

use std::arch::x86_64::*;

use crate::net::conv::{GROUP, Job, QUAD};

/// Channels in a register of sums.
const LANES: usize = 16;

/// Computes the convolution.
///
/// # Safety
/// The machine must have AVX-512 F, BW, VL and VNNI.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    let mut channel = 0;
    while channel + 4 * LANES <= job.outputs() {
        // SAFETY: the channels lie below the number of outputs.
        unsafe { columns::<6, 4>(&mut job, channel) };
        channel += 4 * LANES;
    }
    if channel < job.outputs() {
        const { assert!(GROUP == 2 * LANES) };
        // SAFETY: outputs are a multiple of GROUP, so GROUP of them are left.
        unsafe { columns::<12, 2>(&mut job, channel) };
    }
}

/// Computes `V` registers of channels, from `channel` on, for all points.
///
/// # Safety
/// As for [`run`]. `channel + V * LANES` must be at most the number of outputs, and `P` at most `SPARE`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn columns<const P: usize, const V: usize>(job: &mut Job<'_>, channel: usize) {
    for first in (0..job.points()).step_by(P) {
        let Some(cells) = job.cells()[first..].first_chunk::<P>() else { return };
        // SAFETY: the caller's promise. The cells come from the job.
        unsafe { tile::<P, V>(job, cells, channel) };
    }
}

/// Computes one tile.
///
/// # Safety
/// As for [`columns`]. `cells` must be cells of the job.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
#[inline]
#[allow(clippy::needless_range_loop)] // With iterators the sums would not stay in registers.
unsafe fn tile<const P: usize, const V: usize>(job: &mut Job<'_>, cells: &[u16; P], channel: usize) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    // SAFETY: a job's arrays hold all cells that a tap of a cell reaches, times their channels. They hold a weight for
    // each tap, input and output. `channel` and the lanes after it are outputs. All loads and stores are unaligned
    // ones.
    unsafe {
        let mut start = [_mm512_setzero_si512(); V];
        for v in 0..V {
            start[v] = _mm512_loadu_si512(job.init().as_ptr().add(channel + v * LANES).cast());
        }
        let mut sums = [start; P];
        let mut weights = job.weights().as_ptr().add(channel * QUAD);
        for &tap in job.taps() {
            let mut from = [std::ptr::null::<u8>(); P];
            for p in 0..P {
                from[p] = job.input().as_ptr().add(usize::from(cells[p]).wrapping_add_signed(tap) * inputs);
            }
            for quad in 0..inputs / QUAD {
                let mut w = [_mm512_setzero_si512(); V];
                for v in 0..V {
                    w[v] = _mm512_loadu_si512(weights.add(v * LANES * QUAD).cast());
                }
                for p in 0..P {
                    let x = _mm512_set1_epi32(from[p].add(quad * QUAD).cast::<i32>().read_unaligned());
                    for v in 0..V {
                        sums[p][v] = _mm512_dpbusd_epi32(sums[p][v], x, w[v]);
                    }
                }
                weights = weights.wrapping_add(outputs * QUAD);
            }
        }
        // The sums are stored once here. A loop over them as registers would keep them in memory all the time.
        let mut whole = [[0_i32; LANES]; 24];
        const { assert!(P * V <= 24) };
        for p in 0..P {
            for v in 0..V {
                _mm512_storeu_si512(whole[p * V + v].as_mut_ptr().cast(), sums[p][v]);
            }
        }
        let residual = job.residual();
        for (p, sums) in whole.chunks_exact(V).take(P).enumerate() {
            for (v, sum) in sums.iter().enumerate() {
                let at = channel + v * LANES;
                let cell = usize::from(cells[p]) * outputs + at;
                let sum = _mm512_cvtepi32_ps(_mm512_loadu_si512(sum.as_ptr().cast()));
                let mut value = _mm512_mul_ps(sum, _mm512_loadu_ps(job.multiplier().as_ptr().add(at)));
                if let Some((residual, ratio)) = residual {
                    let x = _mm512_cvtepu8_epi32(_mm_loadu_si128(residual.as_ptr().add(cell).cast()));
                    let x = _mm512_mul_ps(_mm512_cvtepi32_ps(x), _mm512_set1_ps(ratio));
                    value = _mm512_add_ps(value, x);
                }
                let clipped = _mm512_min_ps(_mm512_max_ps(value, _mm512_setzero_ps()), _mm512_set1_ps(127.0));
                let bytes = _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(clipped));
                _mm_storeu_si128(job.output().as_mut_ptr().add(cell).cast(), bytes);
            }
        }
    }
}
