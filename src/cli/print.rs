//! `kosumi config`: the settings in force as a file that can be read again.

use std::fmt::Write;

use clap::Arg;
use kosumi::search::params::{PARAMS, Param};

use super::file::write_value;
use super::settings::{self, Entry, Origin, Resolved};

/// All settings as commented TOML. A setting that was set is a line with its source. A default is a comment.
pub(super) fn config(resolved: &Resolved) -> String {
    let mut text =
        format!("# The settings of Kosumi {} in force, and where each comes from.\n", env!("CARGO_PKG_VERSION"));
    text += "# What stands first wins: command line, environment (KOSUMI_TIME_PER_MOVE=5), file, preset, default.\n";
    text += "# Defaults stand as comments: take the mark away to set them. An empty text sets nothing.\n";
    let place = settings::usual_file();
    let _ = writeln!(text, "# The usual place of the file: {}", settings::show(place.as_deref()));
    for arg in settings::command().get_arguments() {
        let name = settings::name(arg);
        let entry = resolved.entries.iter().find(|entry| entry.name == name);
        match name {
            // These options choose the sources of settings, and each setting is printed with its source.
            "config" | "no-config" | "set" => {}
            _ => setting(&mut text, arg, entry),
        }
    }
    text += "\n# Tunables of the search.\n[search]\n";
    for param in PARAMS {
        let of_param = |entry: &&Entry| {
            let value = entry.value.to_string_lossy();
            let name = value.split_once('=').map(|(name, _)| name.replace('-', "_"));
            entry.name == "set" && name.as_deref() == Some(param.name)
        };
        let entry = resolved.entries.iter().rev().find(of_param);
        let default = param.default.to_string();
        let value = entry.map(|entry| entry.value.to_string_lossy().into_owned());
        let value = value.as_deref().and_then(|value| value.split_once('=')).map(|(_, value)| value);
        let doc = format!("{} ({} to {}{})", param.doc.trim(), param.low, param.high, defaults_with_net(param));
        line(&mut text, &doc, param.name, value, &default, entry.map(|entry| &entry.origin));
    }
    text
}

/// The defaults of a search with a net, where they differ from the one without. A net evaluates alone unless the user
/// wants playouts beside it.
fn defaults_with_net(param: &Param) -> String {
    let shown = |[small, large]: [f32; 2]| {
        if small == large { small.to_string() } else { format!("{small} on 9×9 and {large} on 19×19") }
    };
    let beside = param.with_net;
    let usual = param.alone.unwrap_or(beside);
    if let Some(medium) = param.medium {
        let (usual, beside) = (shown(usual), shown(beside));
        return format!(
            "; with a net the default is {usual}, but {medium} from 12×12 to 16×16, and {beside} beside playouts"
        );
    }
    if let Some(from) = param.alone_from {
        let [small, large] = usual;
        let beside = shown(beside);
        return format!(
            "; with a net the default is {small}, and {large} from {from}×{from} on, beside playouts {beside}"
        );
    }
    match (usual == [param.default; 2], usual == beside) {
        (true, true) => String::new(),
        (_, true) => format!("; with a net the default is {}", shown(usual)),
        (_, false) => format!("; with a net the default is {}, beside playouts {}", shown(usual), shown(beside)),
    }
}

fn setting(text: &mut String, arg: &Arg, entry: Option<&Entry>) {
    let help = arg.get_help().map(|help| help.to_string()).unwrap_or_default();
    let value = entry.map(|entry| entry.value.to_string_lossy());
    let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    let default = default.unwrap_or_default();
    line(text, &help, settings::name(arg), value.as_deref(), &default, entry.map(|entry| &entry.origin));
}

fn line(text: &mut String, help: &str, name: &str, value: Option<&str>, default: &str, origin: Option<&Origin>) {
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = match (value, origin) {
        (Some(value), Some(origin)) => write!(text, "\n# {help}\n# from: {origin}\n{name} = {}\n", write_value(value)),
        _ => write!(text, "\n# {help}\n# {name} = {}\n", write_value(default)),
    };
}
