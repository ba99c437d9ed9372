//! The program: flags to one subcommand to an exit code.

mod cli;

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cli::{BenchOptions, GtpOptions, Task};
use kosumi::engine::Engine;
use kosumi::gtp::{self, input::Input};

/// Exit code after wrong settings, as after a wrong flag.
const WRONG_SETTINGS: u8 = 2;

fn main() -> ExitCode {
    let task = match cli::read() {
        Ok(task) => task,
        Err(error) => {
            eprintln!("kosumi: {}", error.to_string().replace('\n', "\nkosumi: "));
            return ExitCode::from(WRONG_SETTINGS);
        }
    };
    let result = match task {
        Task::Play(options, warnings) => play(&options, &warnings),
        Task::Match(options) => kosumi::matches::run(&options.settings()).map(|_| ()),
        Task::Bench(options) => bench(&options),
        Task::Print(bytes) => print(&bytes),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kosumi: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `kosumi gtp`: answers commands until the input ends.
fn play(options: &GtpOptions, warnings: &[String]) -> Result<(), String> {
    start_log(options)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    if std::io::stdin().is_terminal() {
        eprintln!("Kosumi {}, a Go engine. It speaks GTP, as Sabaki and GoGui do for you.", env!("CARGO_PKG_VERSION"));
        eprintln!(
            "Type \"genmove black\" for its move, \"play white D4\" for yours, \"showboard\", \"list_commands\", \"quit\"."
        );
    }
    let stop = Arc::new(AtomicBool::new(false));
    let input = Input::start(std::io::stdin(), Arc::clone(&stop)).map_err(|error| format!("cannot read: {error}"))?;
    let engine = Engine::new(options.engine(), stop);
    gtp::run(engine, options.session(), &input, std::io::stdout()).map_err(|error| format!("cannot write: {error}"))
}

/// `kosumi bench`: prints speeds and a signature.
fn bench(options: &BenchOptions) -> Result<(), String> {
    let results = kosumi::bench::run(kosumi::bench::Options {
        threads: usize::from(options.threads),
        divide_by: options.divide_by,
    });
    let text = if options.json {
        serde_json::to_string_pretty(&results).map_err(|error| error.to_string())?
    } else {
        results.table()
    };
    print(format!("{text}\n").as_bytes())
}

/// Writes to standard output. A reader that has gone does not want it.
fn print(bytes: &[u8]) -> Result<(), String> {
    match std::io::stdout().write_all(bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(()),
    }
}

/// Logs go to standard error or a file, never to standard output. So do the messages of panics.
fn start_log(options: &GtpOptions) -> Result<(), String> {
    let mut builder = env_logger::Builder::new();
    builder.filter_level(options.log_level).format_target(false);
    if let Some(path) = &options.log_file {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| format!("--log-file {}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    builder.init();
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    Ok(())
}
