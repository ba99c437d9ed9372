//! Presets: settings for a purpose, in the form of the configuration file. The files in `presets/` are part of the
//! program, and examples to copy.

/// Each preset's name and its file.
pub(super) const PRESETS: &[(&str, &str)] = &[
    ("laptop", include_str!("../../presets/laptop.toml")),
    ("server", include_str!("../../presets/server.toml")),
    ("cgos", include_str!("../../presets/cgos.toml")),
    ("kgs", include_str!("../../presets/kgs.toml")),
    ("ogs", include_str!("../../presets/ogs.toml")),
];

/// The text of a preset.
pub(super) fn by_name(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(n, _)| *n == name).map(|&(_, text)| text)
}

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|&(name, _)| name)
}
