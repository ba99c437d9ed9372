//! Nothing: the comparison is in `benches/`. Run it with `cargo bench -p kosumi-peers`.
