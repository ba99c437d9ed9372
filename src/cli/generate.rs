//! The man page and the completions of shells, made from the command line's own description.

use clap::Command;
use clap_complete::Shell;

use super::flags;

/// Completions for a shell.
pub(super) fn completions(shell: Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut flags::command(), "kosumi", &mut text);
    text
}

/// The man page: the program, and each subcommand with its options.
///
/// # Errors
/// Errors of writing; none is to be expected, because this writes to memory.
pub(super) fn man_page() -> std::io::Result<Vec<u8>> {
    let mut command = flags::command();
    command.build();
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        subcommand(sub, &mut text)?;
    }
    Ok(text)
}

fn subcommand(sub: &Command, text: &mut Vec<u8>) -> std::io::Result<()> {
    text.extend(format!(".SH \"KOSUMI {}\"\n", sub.get_name().to_uppercase()).bytes());
    let about = sub.get_about().map(|about| about.to_string()).unwrap_or_default();
    text.extend(format!("{}\n", about.replace('-', "\\-")).bytes());
    let man = clap_mangen::Man::new(sub.clone());
    man.render_options_section(text)
}
