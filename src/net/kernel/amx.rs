//! AMX: `tdpbusd` multiplies a tile of 16 points × 64 inputs by one of 64 inputs × 16 channels.
//!
//! Rows of a tile lie at equal distances in memory. So a tile takes cells in a row, including the border between two
//! rows of the board. The sums of the border are discarded. Rust has no stable intrinsics for AMX. So the loop over the
//! inputs is one piece of assembly, and no other code uses tiles.

use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::OnceLock;

use crate::net::conv::Job;

/// Points of a tile, and channels of a register.
const SIDE: usize = 16;
/// Points of two tiles, and channels of two.
const BLOCK: usize = 2 * SIDE;

/// Has the machine AMX for bytes, and does the system let this process use it?
pub(super) fn is_available() -> bool {
    static ALLOWED: OnceLock<bool> = OnceLock::new();
    *ALLOWED.get_or_init(|| has_tiles() && may_use_tiles())
}

/// Does the processor have tiles and products of bytes (leaf 7, EDX bits 24 and 25)? Does the system save both parts of
/// their state (bits 17 and 18 of XCR0)?
fn has_tiles() -> bool {
    const TILE_AND_INT8: u32 = 3 << 24;
    const STATE: u64 = 3 << 17;
    if !(is_x86_feature_detected!("xsave") && is_x86_feature_detected!("avx512f")) || cpuid(0).eax < 7 {
        return false;
    }
    // SAFETY: AVX-512 is only detected where the system has switched on XGETBV.
    cpuid(7).edx & TILE_AND_INT8 == TILE_AND_INT8 && unsafe { xcr0() } & STATE == STATE
}

/// What the processor says of itself on the first page of a leaf.
#[allow(unused_unsafe, reason = "the call is safe since Rust 1.94")]
fn cpuid(leaf: u32) -> CpuidResult {
    // SAFETY: each x86-64 processor has CPUID.
    unsafe { __cpuid_count(leaf, 0) }
}

/// # Safety
/// The machine must have XGETBV.
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u64 {
    // SAFETY: the caller's promise.
    unsafe { _xgetbv(0) }
}

/// Linux lets a process use tiles once it has asked: `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`.
#[cfg(target_os = "linux")]
fn may_use_tiles() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let result: i64;
    // SAFETY: a system call that reads and writes no memory of the process.
    unsafe {
        asm!(
            "syscall", inlateout("rax") ARCH_PRCTL => result, in("rdi") REQUEST_PERMISSION, in("rsi") TILE_DATA,
            lateout("rcx") _, lateout("r11") _, options(nostack)
        );
    }
    result == 0
}

/// The kernel supports no other system.
#[cfg(not(target_os = "linux"))]
fn may_use_tiles() -> bool {
    false
}

/// The sums of BLOCK cells and BLOCK channels.
#[repr(C, align(64))]
struct Sums([[i32; BLOCK]; BLOCK]);

/// The shapes of the eight tiles, as `ldtilecfg` reads them.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    zero: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Shapes {
    /// Tiles 0 to 3 for sums, 4 and 5 for inputs, 6 and 7 for weights, of so many inputs.
    fn of(depth: usize) -> Shapes {
        let mut shapes = Shapes { palette: 1, start_row: 0, zero: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
        for tile in 0..8 {
            let (rows, bytes) = match tile {
                0..4 => (SIDE, 4 * SIDE),
                4..6 => (SIDE, depth),
                _ => (depth / 4, 4 * SIDE),
            };
            (shapes.rows[tile], shapes.row_bytes[tile]) = (rows as u8, bytes as u16);
        }
        shapes
    }
}

/// The values that the assembly reads from memory, for lack of registers: at 0, 8, … 40.
#[repr(C)]
struct Call {
    input: *const u8,
    /// From the first tile of points to the second.
    below: usize,
    /// Steps along the inputs.
    steps: usize,
    /// From the weights of one step to those of the next.
    weights_step: usize,
    /// The end of the taps.
    end: *const isize,
    sums: *mut [i32; BLOCK],
}

const _: () = assert!(std::mem::offset_of!(Call, sums) == 40);

/// Computes the convolution.
///
/// # Safety
/// The machine must have AVX-512 F, BW and VL, and [`is_available`] must hold.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) unsafe fn run(mut job: Job<'_>) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let depth = [64, 32, 16].into_iter().find(|depth| inputs.is_multiple_of(*depth));
    let Some(depth) = depth else { unreachable!("a net's layers have a multiple of 16 inputs") };
    let mut taps = [0_isize; 9];
    for (bytes, &tap) in taps.iter_mut().zip(job.taps()) {
        *bytes = tap * inputs as isize;
    }
    let mut sums = Sums([[0; BLOCK]; BLOCK]);
    let mut call = Call {
        input: job.input().as_ptr(),
        below: SIDE * inputs,
        steps: inputs / depth,
        weights_step: depth * outputs,
        end: taps[job.taps().len()..].as_ptr(),
        sums: sums.0.as_mut_ptr(),
    };
    let shapes = Shapes::of(depth);
    // SAFETY: tiles may be used, and the shapes are a valid description of them. The tiles keep their shapes until
    // `tilerelease` below, because no other code uses tiles: the compiler only does where `amx-tile` is enabled.
    unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const shapes, options(nostack, readonly)) };
    for channel in (0..outputs).step_by(BLOCK) {
        let mut from = 0;
        while from < job.points() {
            let block = Block::at(&job, from, channel);
            from = block.to;
            // SAFETY: the rows of the tiles are BLOCK cells from that of the block on, each with the tap added. A job's
            // input has so many cells beyond its last point. The weights of BLOCK channels from `channel` on exist,
            // since the number of outputs is a multiple of BLOCK. `sums` has room for four tiles. Tiles may be used,
            // and have their shapes. (Labels 2 and 3: 0 and 1 could be read as binary numbers.)
            unsafe {
                call.input = job.input().as_ptr().add(block.cell * inputs);
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "2:",
                    "mov {x}, [{tap}]",
                    "add {x}, [{call}]",
                    "mov {y}, [{call} + 8]",
                    "add {y}, {x}",
                    "mov {n}, [{call} + 16]",
                    "3:",
                    "tileloadd tmm4, [{x} + {inputs}*1]",
                    "tileloadd tmm6, [{w} + {width}*1]",
                    "tileloadd tmm7, [{w} + {width}*1 + 64]",
                    "tdpbusd tmm0, tmm4, tmm6",
                    "tdpbusd tmm1, tmm4, tmm7",
                    "tileloadd tmm5, [{y} + {inputs}*1]",
                    "tdpbusd tmm2, tmm5, tmm6",
                    "tdpbusd tmm3, tmm5, tmm7",
                    "add {x}, {depth}",
                    "add {y}, {depth}",
                    "add {w}, [{call} + 24]",
                    "dec {n}",
                    "jnz 3b",
                    "add {tap}, 8",
                    "cmp {tap}, [{call} + 32]",
                    "jne 2b",
                    "mov {n}, 128",
                    "mov {x}, [{call} + 40]",
                    "tilestored [{x} + {n}*1], tmm0",
                    "tilestored [{x} + {n}*1 + 64], tmm1",
                    "tilestored [{x} + {n}*1 + 2048], tmm2",
                    "tilestored [{x} + {n}*1 + 2112], tmm3",
                    call = in(reg) &raw const call,
                    tap = inout(reg) taps.as_ptr() => _,
                    inputs = in(reg) inputs,
                    w = inout(reg) job.weights().as_ptr().add(4 * channel) => _,
                    width = in(reg) 4 * outputs,
                    depth = in(reg) depth,
                    x = out(reg) _,
                    y = out(reg) _,
                    n = out(reg) _,
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack)
                );
                finish(&mut job, &sums, &block);
            }
        }
    }
    // SAFETY: tiles may be used.
    unsafe { asm!("tilerelease", options(nomem, nostack)) };
}

/// What one run of the assembly computes: BLOCK channels of BLOCK cells in a row.
struct Block {
    /// The first channel.
    channel: usize,
    /// The first cell, and the points `from..to` that lie in the row of cells.
    cell: usize,
    from: usize,
    to: usize,
}

impl Block {
    /// The block that begins at the point `from`.
    fn at(job: &Job<'_>, from: usize, channel: usize) -> Block {
        let cells = &job.cells()[from..job.points()];
        let cell = usize::from(cells[0]);
        let count = cells[..cells.len().min(BLOCK)].partition_point(|&next| usize::from(next) < cell + BLOCK);
        Block { channel, cell, from, to: from + count }
    }
}

/// Turns the sums of a block into activations.
///
/// # Safety
/// The machine must have AVX-512. The block must be one of the job.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn finish(job: &mut Job<'_>, sums: &Sums, block: &Block) {
    let outputs = job.outputs();
    let cells = &job.cells()[block.from..block.to];
    let residual = job.residual();
    for half in [0, SIDE] {
        let at = block.channel + half;
        // SAFETY: `at` is the first of SIDE outputs. Output and residual have room for them in the cell of each point.
        unsafe {
            // These do not change from cell to cell; the compiler cannot know, since the output is written between.
            let init = _mm512_loadu_si512(job.init().as_ptr().add(at).cast());
            let multiplier = _mm512_loadu_ps(job.multiplier().as_ptr().add(at));
            let output = job.output().as_mut_ptr();
            let put = |here: usize, value: __m512| {
                let clipped = _mm512_min_ps(_mm512_max_ps(value, _mm512_setzero_ps()), _mm512_set1_ps(127.0));
                let bytes = _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(clipped));
                _mm_storeu_si128(output.add(here).cast(), bytes);
            };
            let value = |cell: usize| {
                let sum = _mm512_load_si512(sums.0.as_ptr().add(cell - block.cell).cast::<i32>().add(half).cast());
                _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_add_epi32(sum, init)), multiplier)
            };
            if let Some((residual, ratio)) = residual {
                let (residual, ratio) = (residual.as_ptr(), _mm512_set1_ps(ratio));
                for &cell in cells {
                    let here = usize::from(cell) * outputs + at;
                    let x = _mm512_cvtepu8_epi32(_mm_loadu_si128(residual.add(here).cast()));
                    let x = _mm512_mul_ps(_mm512_cvtepi32_ps(x), ratio);
                    put(here, _mm512_add_ps(value(usize::from(cell)), x));
                }
            } else {
                for &cell in cells {
                    put(usize::from(cell) * outputs + at, value(usize::from(cell)));
                }
            }
        }
    }
}
