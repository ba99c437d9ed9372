//! The list of crates in `docs/dependencies.md` is complete, and names none that is not used.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_direct_dependency_has_a_row() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let mut used = BTreeSet::new();
    let mut add = |table: &toml::Table| {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = table.get(kind).and_then(|names| names.as_table());
            used.extend(names.into_iter().flat_map(|names| names.keys().cloned()));
        }
    };
    add(&manifest);
    let targets = manifest["target"].as_table().expect("a table");
    targets.values().filter_map(|target| target.as_table()).for_each(&mut add);
    assert!(used.len() > 20, "{used:?}");
    let page = std::fs::read_to_string(root.join("docs/dependencies.md")).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let named: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(named, used);
}
