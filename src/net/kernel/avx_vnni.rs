//! AVX-VNNI: `vpdpbusd` on 256 bits, for processors that have it without AVX-512.
//!
//! A tile of six points × 16 channels fills fifteen of the sixteen registers.

use std::arch::x86_64::*;

use super::avx2::tile;
use crate::net::conv::Job;

/// Channels in a register of sums.
const LANES: usize = 8;
/// Registers of channels in a tile.
const WIDE: usize = 2;
/// Points in a tile.
const POINTS: usize = 6;

/// Computes the convolution.
///
/// # Safety
/// The machine must have AVX2 and AVX-VNNI.
#[target_feature(enable = "avx2,avxvnni")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    for channel in (0..job.outputs()).step_by(WIDE * LANES) {
        for first in (0..job.points()).step_by(POINTS) {
            let Some(cells) = job.cells()[first..].first_chunk::<POINTS>() else { return };
            // SAFETY: the channels lie below the number of outputs, a multiple of 16. The cells come from the job. The
            // machine has AVX-VNNI.
            unsafe {
                tile::<POINTS, WIDE>(&mut job, cells, channel, |sum, x, w| _mm256_dpbusd_avx_epi32(sum, x, w));
            }
        }
    }
}
