//! Every kernel equals the slow net of `naive.rs`, and bytes that are no weight file are refused.

use proptest::prelude::*;

use super::description::Description;
use super::file::{self, MAGIC};
use super::planes::{PlaneMaker, Planes, SCALARS, Situation};
use super::{Kernel, Net, NetError, Workspace, naive, random};
use crate::go::symmetry::SYMMETRIES;
use crate::go::{Komi, Move, Position, Ruleset, Size};

/// Squares, and as many other rectangles, of up to so many rows and columns.
fn size(most: usize) -> impl Strategy<Value = Size> {
    let rectangle = (2..=most, 2..=most).prop_map(|(width, height)| Size::new(width, height).expect("a size"));
    prop_oneof![(2..=most).prop_map(Size::square), rectangle]
}

/// Random planes and scalars. Plane 0 is 1 on the whole board, as always.
fn noise(size: Size, seed: u64) -> Planes {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let points: Vec<u16> = (0..size.points()).map(|_| (next() & next()) as u16 | 1).collect();
    let mut scalars = [0.0; SCALARS];
    scalars.fill_with(|| next() as f32 / u32::MAX as f32 * 4.0 - 1.0);
    Planes::from_parts(size, &points, scalars)
}

fn shape(blocks: usize, channels: usize, heads: usize) -> Description {
    Description {
        value_channels: heads,
        policy_channels: 96 - heads,
        hidden: 7,
        ..random::description(blocks, channels)
    }
}

/// The tensors of a file.
fn tensors<'a>(file: &'a [u8], description: &Description) -> &'a [u8] {
    let end = file.len() - 4;
    &file[end - description.tensor_bytes()..end]
}

/// The kernels of this machine. The others are named in the output of the tests.
fn kernels() -> Vec<Kernel> {
    let (here, missing): (Vec<Kernel>, Vec<Kernel>) = Kernel::ALL.into_iter().partition(|kernel| kernel.is_available());
    if !missing.is_empty() {
        let names: Vec<&str> = missing.into_iter().map(Kernel::name).collect();
        eprintln!("kernels not tested, because this machine lacks them: {}", names.join(", "));
    }
    here
}

fn compare(description: &Description, size: Size, seed: u64) {
    let file = random::file(description, seed);
    let planes = noise(size, seed);
    let (logits, owner, results) = naive::evaluate(description, tensors(&file, description), &planes);
    for kernel in kernels() {
        let net = Net::from_bytes(&file).expect("a net").with_kernel(kernel);
        let mut workspace = Workspace::new(&net);
        let raw = &net.evaluate(&mut workspace, &planes, 0).raw;
        assert_eq!(raw.logits[..=size.points()], logits[..], "{kernel}: logits");
        assert_eq!(raw.owner[..size.points()], owner[..], "{kernel}: owner");
        assert_eq!(raw.results, results, "{kernel}: results");
    }
}

/// Miri runs this test, too: `cargo +nightly miri test net::tests::a_small`.
#[test]
fn a_small_net_on_a_small_board_gives_what_the_page_says() {
    compare(&shape(1, 32, 32), Size::square(2), 1);
    compare(&shape(1, 32, 32), Size::new(2, 3).expect("a size"), 1);
}

#[test]
fn random_nets_have_activations_between_their_bounds() {
    let net = Net::from_bytes(&random::file(&random::description(6, 64), 1)).expect("a net");
    let mut workspace = Workspace::new(&net);
    net.evaluate(&mut workspace, &noise(9.into(), 1), 0);
    let used: Vec<u8> =
        workspace.grid.cells().iter().flat_map(|&c| &workspace.trunk[usize::from(c) * 64..][..64]).copied().collect();
    let share = |wanted: fn(u8) -> bool| used.iter().filter(|&&a| wanted(a)).count() as f32 / used.len() as f32;
    assert!(share(|a| a == 0) < 0.7 && share(|a| a == 127) < 0.5, "else a comparison of kernels proves little");
    assert!(share(|a| (1..127).contains(&a)) > 0.2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 0 } else { 24 }, ..ProptestConfig::default() })]

    #[test]
    fn every_kernel_gives_the_bits_of_the_page(
        blocks in 1_usize..4, groups in 1_usize..5, heads in 1_usize..3, size in size(13), seed: u64
    ) {
        compare(&shape(blocks, 32 * groups, 32 * heads), size, seed);
    }

    #[test]
    fn the_past_of_a_workspace_changes_nothing(sizes in proptest::collection::vec(size(25), 2..5), seed: u64) {
        let nets = [32, 64].map(|channels| Net::from_bytes(&random::file(&random::description(2, channels), seed)).expect("a net"));
        let mut workspace = Workspace::new(&nets[0]);
        for (i, &size) in sizes.iter().enumerate() {
            let (net, planes) = (&nets[i % 2], noise(size, seed ^ i as u64));
            let symmetry = i % size.symmetries();
            let fresh = net.evaluate(&mut Workspace::new(net), &planes, symmetry).clone();
            prop_assert!(*net.evaluate(&mut workspace, &planes, symmetry) == fresh);
        }
    }

    #[test]
    fn a_turned_look_is_a_look_at_the_turned_board(size in size(9), symmetry in 0..SYMMETRIES, seed: u64) {
        let symmetry = symmetry % size.symmetries();
        let net = Net::from_bytes(&random::file(&random::description(2, 32), seed)).expect("a net");
        let planes = noise(size, seed);
        let (mut one, mut two) = (Workspace::new(&net), Workspace::new(&net));
        let turned = net.evaluate(&mut one, &planes, symmetry);
        let image = net.evaluate(&mut two, &planes.turned(symmetry), 0);
        // Both give the same numbers, each at the place of its point on its board.
        let index = noise_of_indices(size).turned(symmetry);
        for (at, &from) in index.points().iter().enumerate() {
            prop_assert_eq!(turned.raw.logits[usize::from(from)], image.raw.logits[at]);
            prop_assert_eq!(turned.ownership()[usize::from(from)], image.ownership()[at]);
        }
        prop_assert_eq!(turned.raw.results, image.raw.results);
    }
}

/// Planes whose bits are the number of their point.
fn noise_of_indices(size: Size) -> Planes {
    let points: Vec<u16> = (0..size.points() as u16).collect();
    Planes::from_parts(size, &points, [0.0; SCALARS])
}

/// A hash of all bits of a net's outputs (FNV-1a by Fowler, Noll and Vo).
fn hash(net: &Net) -> u64 {
    let mut workspace = Workspace::new(net);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for size in [2, 9, 13, 19, 25] {
        let mut position = Position::new(size, Ruleset::default());
        let mut maker = PlaneMaker::default();
        let mut planes = Planes::default();
        for step in 0..3 {
            let situation = Situation { position: &position, last: [None; 5], komi: Komi::from_half_points(15) };
            maker.make(&situation, &mut planes);
            let out = net.evaluate(&mut workspace, &planes, step);
            let numbers = out.policy().iter().chain(out.ownership()).chain(&out.raw.results);
            for number in numbers.chain([&out.win, &out.draw, &out.loss, &out.lead, &out.spread]) {
                for byte in number.to_bits().to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
                }
            }
            let best = position
                .board()
                .points()
                .max_by(|&a, &b| out.probability(Move::Play(a)).total_cmp(&out.probability(Move::Play(b))));
            position.play(Move::Play(best.expect("a board has points"))).expect("the policy knows what may be played");
        }
    }
    hash
}

#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn a_net_says_the_same_on_every_machine() {
    let file = random::file(&random::description(4, 64), 7);
    for kernel in kernels() {
        let net = Net::from_bytes(&file).expect("a net").with_kernel(kernel);
        assert_eq!(hash(&net), GOLDEN, "{kernel}: {:#x}", hash(&net));
    }
}

/// The hash on the machine that ran this test first.
const GOLDEN: u64 = 0x1f90_3d08_ad41_efc2;

fn error(bytes: &[u8]) -> NetError {
    Net::from_bytes(bytes).expect_err("this is no net")
}

#[test]
fn a_file_that_is_none_is_told_apart() {
    let file = random::file(&random::description(1, 32), 1);
    assert_eq!(error(b""), NetError::Foreign);
    assert_eq!(error(b"(;GM[1])"), NetError::Foreign);
    assert_eq!(error(&MAGIC[..5]), NetError::CutOff { bytes: 5, wanted: 16 });
    for end in [8, 11, 15, 20, file.len() / 2, file.len() - 1] {
        assert!(matches!(error(&file[..end]), NetError::CutOff { bytes, .. } if bytes == end), "cut at {end}");
    }
    assert_eq!(error(&[&file[..], b"\n"].concat()), NetError::TooLong(1));
    let changed = |at: usize, byte: u8| {
        let mut changed = file.clone();
        changed[at] = byte;
        changed
    };
    assert_eq!(error(&changed(8, 9)), NetError::Version(9));
    for at in [20, file.len() / 2, file.len() - 1] {
        assert_eq!(error(&changed(at, file[at] ^ 0x55)), NetError::Checksum, "changed at {at}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn whatever_is_changed_or_cut_is_an_error_and_no_panic() {
    let file = random::file(&random::description(1, 32), 1);
    for at in (0..file.len()).step_by(61) {
        let mut changed = file.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(Net::from_bytes(&changed).is_err(), "changed at {at}");
        assert!(Net::from_bytes(&file[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn a_description_that_cannot_be_is_refused() {
    let written = |change: fn(&mut Description)| {
        let mut description = random::description(1, 32);
        let tensors = vec![0; description.tensor_bytes()];
        change(&mut description);
        Net::from_bytes(&file::write(&description, &tensors)).map(|_| ())
    };
    assert_eq!(written(|_| ()), Ok(()), "zeros are numbers, too");
    assert_eq!(written(|d| d.planes = 2), Err(NetError::Planes(2)));
    let wrong: [fn(&mut Description); 8] = [
        |d| d.channels = 33,
        |d| d.channels = 0,
        |d| d.value_channels = 512,
        |d| d.blocks = 0,
        |d| d.blocks = 65,
        |d| d.pooling = vec![1],
        |d| d.hidden = 0,
        |d| d.sizes = vec![26],
    ];
    for change in wrong {
        assert!(matches!(written(change), Err(NetError::Description(_))));
    }
    assert!(matches!(written(|d| d.name = "\u{1b}[2J".into()), Err(NetError::Description(_))));
    assert!(matches!(written(|d| d.blocks = 2), Err(NetError::CutOff { .. })));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let description = random::description(1, 32);
    let with = |at: usize, bytes: &[u8]| {
        let mut tensors = vec![0; description.tensor_bytes()];
        tensors[at..at + bytes.len()].copy_from_slice(bytes);
        match error(&file::write(&description, &tensors)) {
            NetError::Number(name) => name,
            other => panic!("{other}"),
        }
    };
    let weights = 9 * 16 * 32;
    assert_eq!(with(0, &[0x80]), "input.w");
    assert_eq!(with(weights, &i32::MAX.to_le_bytes()), "input.b");
    for number in [f32::NAN, f32::INFINITY, -1.0, 1e3] {
        assert_eq!(with(weights + 4 * 32, &number.to_le_bytes()), "input.m");
    }
    assert_eq!(with(weights + 8 * 32, &1e6_f32.to_le_bytes()), "input.scalars");
    assert_eq!(with(description.tensor_bytes() - 4, &f32::NAN.to_le_bytes()), "results_bias");
}

#[test]
fn the_largest_sums_do_not_overflow() {
    // Every weight, activation and bias is as large as possible.
    let description = Description { value_channels: 256, policy_channels: 256, ..random::description(1, 256) };
    let mut tensors = Vec::new();
    let conv = |weights: usize, outputs: usize| {
        let mut bytes = vec![127_u8; weights * outputs];
        bytes.extend(std::iter::repeat_n((1_i32 << 28).to_le_bytes(), outputs).flatten());
        bytes.extend(std::iter::repeat_n(999.0_f32.to_le_bytes(), outputs).flatten());
        bytes
    };
    tensors.extend(conv(9 * 16, 256));
    tensors.extend(vec![0; 4 * 16 * 256]);
    tensors.extend(conv(9 * 256, 256));
    tensors.extend(conv(9 * 256, 256));
    tensors.extend(999.0_f32.to_le_bytes());
    tensors.extend(conv(256, 256));
    tensors.extend(conv(256, 256));
    let rest = description.tensor_bytes() - tensors.len();
    tensors.extend(std::iter::repeat_n(999_999.0_f32.to_le_bytes(), rest / 4).flatten());
    tensors.extend(vec![0; rest % 4]);
    // Two of these tensors are whole numbers of sixteen bits. Any bits are valid there.
    let file = file::write(&description, &tensors);
    for kernel in kernels() {
        let net = Net::from_bytes(&file).expect("a net").with_kernel(kernel);
        let out = net.evaluate(&mut Workspace::new(&net), &noise(3.into(), 1), 0).clone();
        assert!(out.policy().iter().chain(out.ownership()).all(|share| share.is_finite()), "{kernel}");
        assert!((out.win + out.draw + out.loss - 1.0).abs() < 1e-5);
    }
}
