//! Tells the tree's files that they are compiled for the model.

fn main() {
    println!("cargo::rustc-cfg=model");
    println!("cargo::rerun-if-changed=build.rs");
}
