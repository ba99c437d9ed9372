//! The convolution's code for each instruction set, and which of them the machine has. Only the convolution takes
//! noticeable time.
//!
//! All kernels give the same bits. Sums of whole numbers do not depend on their order, and the operations after the
//! sums are rounded one by one. `plain` computes the same in plain loops.

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx_vnni;
mod check;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse41;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
mod windows;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::conv::Job;

/// The code of one instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Plain Rust: the reference, and the kernel of machines without any other.
    Plain,
    /// SSE 4.1: as AVX2, on half as many bytes.
    Sse41,
    /// AVX2: products of sixteen bits in pairs, `vpmaddwd`, by windows (see `kernel/windows.rs`).
    Avx2,
    /// AVX-VNNI: `vpdpbusd` on 256 bits.
    AvxVnni,
    /// AVX-512 VNNI: `vpdpbusd` on 512 bits.
    Avx512Vnni,
    /// AMX: `tdpbusd` on tiles.
    Amx,
    /// NEON: products of bytes in pairs, `smull` and `sadalp`.
    Neon,
    /// NEON with dot products: `sdot`.
    NeonDot,
}

impl Kernel {
    /// Every kernel, slower before faster.
    pub const ALL: [Kernel; 8] = [
        Kernel::Plain,
        Kernel::Neon,
        Kernel::NeonDot,
        Kernel::Sse41,
        Kernel::Avx2,
        Kernel::AvxVnni,
        Kernel::Avx512Vnni,
        Kernel::Amx,
    ];

    /// The kernel's name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Plain => "plain",
            Kernel::Sse41 => "sse41",
            Kernel::Avx2 => "avx2",
            Kernel::AvxVnni => "avx-vnni",
            Kernel::Avx512Vnni => "avx512-vnni",
            Kernel::Amx => "amx",
            Kernel::Neon => "neon",
            Kernel::NeonDot => "neon-dot",
        }
    }

    /// Does the machine have the instructions of this kernel?
    pub fn is_available(self) -> bool {
        match self {
            Kernel::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse41 => is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1"),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Kernel::AvxVnni => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512Vnni => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Amx => Kernel::Avx512Vnni.is_available() && amx::is_available(),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(target_arch = "aarch64")]
            Kernel::NeonDot => std::arch::is_aarch64_feature_detected!("dotprod"),
            #[allow(unreachable_patterns)] // Which are left depends on the machine.
            _ => false,
        }
    }

    /// The fastest kernel of this machine. Its output must equal the plain kernel's before it is chosen.
    pub fn best() -> Kernel {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| {
            let here = |kernel: &Kernel| kernel.is_available();
            let right = |kernel: &Kernel| {
                let agrees = check::agrees(|job| kernel.run(job));
                if !agrees {
                    log::error!("the code for {kernel} gives wrong numbers on this machine; slower code is used");
                }
                agrees
            };
            Kernel::ALL.into_iter().rev().filter(here).find(right).unwrap_or(Kernel::Plain)
        })
    }

    /// Computes the convolution.
    ///
    /// # Panics
    /// If the machine lacks the kernel.
    pub fn run(self, job: Job<'_>) {
        assert!(self.is_available(), "this machine has no {self}");
        match self {
            Kernel::Plain => plain::run(job),
            // SAFETY: the assertion above checks that the machine has the kernel; this holds for all kernels below.
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse41 => unsafe { sse41::run(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { avx2::run(job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kernel::AvxVnni => unsafe { avx_vnni::run(job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kernel::Avx512Vnni => unsafe { avx512::run(job) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kernel::Amx => unsafe { amx::run(job) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Kernel::Neon => unsafe { neon::run(job) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Kernel::NeonDot => unsafe { neon::run_dot(job) },
            #[allow(unreachable_patterns)] // Which are left depends on the machine; none of them is available.
            _ => plain::run(job),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(text: &str) -> Result<Kernel, UnknownKernel> {
        Kernel::ALL.into_iter().find(|kernel| kernel.name() == text).ok_or(UnknownKernel)
    }
}

/// The text names no kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a kernel is one of plain, neon, neon-dot, sse41, avx2, avx-vnni, avx512-vnni, amx")]
pub struct UnknownKernel;
