//! A weight file: it is read or refused. The checksum is made right, or nothing behind it would ever be tried.

#![no_main]

use kosumi::go::{Komi, Position, Ruleset};
use kosumi::net::planes::{PlaneMaker, Planes, Situation, last_of};
use kosumi::net::{Kernel, Net, Workspace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = bytes.to_vec();
    let _ = Net::from_bytes(&file);
    if let Some(body) = file.len().checked_sub(4) {
        let checksum = crc32fast::hash(&file[..body]).to_le_bytes();
        file[body..].copy_from_slice(&checksum);
    }
    let Ok(net) = Net::from_bytes(&file) else { return };
    let _ = net.description().to_string();
    let size = net.description().sizes.first().copied().unwrap_or(9).clamp(2, 25);
    let position = Position::new(size, Ruleset::default());
    let situation = Situation { position: &position, last: last_of(std::iter::empty()), komi: Komi::ZERO };
    let mut planes = Planes::default();
    PlaneMaker::default().make(&situation, &mut planes);
    // All kernels agree on the whole numbers, whatever the weights are.
    let plain = Net::from_bytes(&file).expect("read a moment ago").with_kernel(Kernel::Plain);
    let ours = net.evaluate(&mut Workspace::new(&net), &planes, 0).raw.clone();
    assert_eq!(ours, plain.evaluate(&mut Workspace::new(&plain), &planes, 0).raw);
});
