//! The program: it reads the flags, runs one subcommand, and gives an exit code.

mod cli;

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cli::output::{Essential, LogFile};
use cli::ranks::Ranks;
use cli::{
    AnalysisOptions, BenchOptions, DatasetOptions, GtpOptions, MatchOptions, NetOptions, PlayOptions, ReviewOptions,
    Task, WebOptions, ending,
};
use kosumi::analysis::{self, AnalysisError};
use kosumi::dataset::{self, row::Form};
use kosumi::engine::{Engine, EngineOptions};
use kosumi::gtp::{self, Reader, input::Input};
use kosumi::net::{Net, nets::LONGEST_FILE};
use kosumi::play::{self, PlayError};
use kosumi::review::{self, ReviewError};
use kosumi::web::{self, WebError};

/// Exit code after wrong settings, as after a wrong flag.
const WRONG_SETTINGS: u8 = 2;

/// Why the program ends without success.
struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// The settings ask for something that this machine does not have.
    fn of_settings(error: impl std::fmt::Display) -> Failure {
        Failure { message: error.to_string(), code: WRONG_SETTINGS }
    }

    /// A signal has stopped the work.
    fn stopped(more: &str) -> Failure {
        Failure { message: format!("stopped{more}"), code: ending::code().unwrap_or(1) }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure { message, code: 1 }
    }
}

fn main() -> ExitCode {
    if let Err(error) = ending::watch() {
        tell(&format!("a signal ends the program without a word: {error}"));
    }
    let task = match cli::read() {
        Ok(task) => task,
        Err(error) => {
            tell(&error.to_string().replace('\n', "\nkosumi: "));
            return ExitCode::from(WRONG_SETTINGS);
        }
    };
    let result = match task {
        Task::Gtp(options, warnings) => gtp(&options, &warnings),
        Task::Play(options, warnings) => play(&options, &warnings),
        Task::Review(options, warnings) => review(*options, &warnings),
        Task::Web(options, warnings) => serve(&options, &warnings),
        Task::Analysis(options, warnings) => analyze(&options, &warnings),
        Task::Match(options) => play_match(*options),
        Task::Bench(options) => bench(&options),
        Task::Net(options) => net(&options),
        Task::Dataset(options) => dataset(&options).map_err(Failure::from),
        Task::Selfplay(options) => options
            .settings()
            .map_err(Failure::of_settings)
            .and_then(|settings| kosumi::selfplay::run(&settings).map(|_| ()).map_err(Failure::from)),
        Task::Teach(options) => {
            options.options().map_err(Failure::of_settings).and_then(|options| Ok(kosumi::teach::run(&options)?))
        }
        Task::Print(bytes, warnings) => {
            warnings.iter().for_each(|warning| tell(warning));
            print(&bytes).map_err(Failure::from)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            tell(&message);
            ExitCode::from(code)
        }
    }
}

/// `kosumi gtp`: answers commands until the input ends.
fn gtp(options: &GtpOptions, warnings: &[String]) -> Result<(), Failure> {
    let ranks = Ranks::join()?;
    start_log(options, ranks.as_ref()).map_err(Failure::of_settings)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    let mut engine = options.engine().map_err(Failure::of_settings)?;
    let ranks = match among(ranks, options, &mut engine)? {
        Role::Lead(ranks) => ranks,
        Role::HasFollowed => return Ok(()),
    };
    if std::io::stdin().is_terminal() {
        aside(&format!(
            "Kosumi {}, a Go engine. It speaks GTP, as Sabaki and GoGui do for you.\n\
             Type \"genmove black\" for its move, \"play white D4\" for yours, \"showboard\", \"list_commands\", \
             \"quit\".\n\
             For a game without commands, leave with \"quit\" and start `kosumi play`.",
            env!("CARGO_PKG_VERSION")
        ));
    }
    let at_terminal = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    let reader = match (at_terminal, std::io::stdin().is_terminal()) {
        (false, _) => Reader::Program,
        (true, true) => Reader::Person,
        (true, false) => Reader::Audience,
    };
    let answer = || -> Result<(), Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let session = options.session(reader);
        let input = Input::start(std::io::stdin(), Arc::clone(&stop), engine.search.time.clone())
            .map_err(|error| Failure::of_settings(format!("the system gives no thread to read with: {error}")))?;
        let engine = Engine::new(engine, stop).map_err(Failure::of_settings)?;
        Ok(gtp::run(engine, session, &input, std::io::stdout(), std::io::stderr())
            .map_err(|error| format!("cannot write: {error}"))?)
    };
    let result = answer();
    // The other ranks wait for this one, also where it could not begin.
    if let Some(ranks) = ranks {
        ranks.dismiss();
    }
    result
}

/// What this process has to do among its ranks.
enum Role {
    /// Lead the others, or be alone.
    Lead(Option<Ranks>),
    /// Nothing more: it has followed until the end.
    HasFollowed,
}

/// Leads the other ranks, or follows rank 0 until the end.
fn among(ranks: Option<Ranks>, options: &GtpOptions, engine: &mut EngineOptions) -> Result<Role, Failure> {
    match ranks {
        Some(ranks) if ranks.rank() > 0 => {
            ranks.follow(options.cluster(), engine.clone()).map_err(Failure::of_settings)?;
            Ok(Role::HasFollowed)
        }
        Some(ranks) => {
            ranks.lead(options.cluster(), engine);
            Ok(Role::Lead(Some(ranks)))
        }
        None => Ok(Role::Lead(None)),
    }
}

/// `kosumi play`: a game with a person, until the person leaves.
fn play(options: &PlayOptions, warnings: &[String]) -> Result<(), Failure> {
    start_log(&options.engine, None).map_err(Failure::of_settings)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    let (output, choice) = (std::io::stdout(), anstream::AutoStream::choice(&std::io::stdout()));
    let colours = choice != anstream::ColorChoice::Never;
    let settings = play::Settings {
        person: options.color,
        handicap: options.handicap,
        style: play::Style { colours, round: colours && has_round_stones() },
        at_terminal: std::io::stdin().is_terminal() && output.is_terminal(),
    };
    ending::take_leave_with(if colours { b"\x1b[0m\n" } else { b"\n" });
    let engine = options.engine.for_a_person().engine().map_err(Failure::of_settings)?;
    let engine = Engine::new(engine, Arc::new(AtomicBool::new(false))).map_err(Failure::of_settings)?;
    // The output stays unlocked between two writings, so that Ctrl-C can end a line.
    let output = anstream::AutoStream::new(output, choice);
    play::run(engine, settings, std::io::stdin().lock(), output).map_err(|error| match error {
        PlayError::Handicap { .. } => Failure::of_settings(error),
        PlayError::Io(_) => error.to_string().into(),
    })
}

/// Does the terminal show characters beyond ASCII? On Unix the locale says it, in the order that POSIX gives its
/// variables. The terminals of today's Windows do.
fn has_round_stones() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| std::env::var(name).unwrap_or_default());
    let locale = variables.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// `kosumi review`: reviews games until all are done, or Ctrl-C is pressed.
fn review(options: ReviewOptions, warnings: &[String]) -> Result<(), Failure> {
    start_log(&options.engine, None).map_err(Failure::of_settings)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    let stop = Arc::new(AtomicBool::new(false));
    ending::set_at_first_signal(&stop);
    let settings = options.settings().map_err(Failure::of_settings)?;
    let tally = review::run(&settings, &stop, std::io::stdout().lock()).map_err(|error| match error {
        ReviewError::Files(_) | ReviewError::Start(_) => Failure::of_settings(error),
        ReviewError::Search(_) | ReviewError::Write(_) => error.to_string().into(),
    })?;
    match tally {
        review::Tally { stopped: true, .. } => Err(Failure::stopped("; the same command goes on from here")),
        review::Tally { failed: 1, .. } => Err("1 game could not be reviewed".to_owned().into()),
        review::Tally { failed: 2.., .. } => Err(format!("{} games could not be reviewed", tally.failed).into()),
        _ => Ok(()),
    }
}

/// `kosumi web`: serves the page until Ctrl-C is pressed.
fn serve(options: &WebOptions, warnings: &[String]) -> Result<(), Failure> {
    start_log(&options.engine, None).map_err(Failure::of_settings)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    let stop = Arc::new(AtomicBool::new(false));
    ending::set_at_first_signal(&stop);
    let settings = options.settings().map_err(Failure::of_settings)?;
    web::run(&settings, &stop, std::io::stdout()).map_err(|error| match error {
        WebError::Listen(..) | WebError::Start(_) | WebError::System(_) => Failure::of_settings(error),
        WebError::Write(_) => error.to_string().into(),
    })
}

/// `kosumi analysis`: answers queries until the input ends.
fn analyze(options: &AnalysisOptions, warnings: &[String]) -> Result<(), Failure> {
    let ranks = Ranks::join()?;
    start_log(&options.engine, ranks.as_ref()).map_err(Failure::of_settings)?;
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    let flags = &options.engine;
    let mut options = options.analysis().map_err(Failure::of_settings)?;
    let ranks = match among(ranks, flags, &mut options.engine)? {
        Role::Lead(ranks) => ranks,
        Role::HasFollowed => return Ok(()),
    };
    // Some clients wait for KataGo's words before they ask anything.
    let ready = || aside(&format!("Kosumi {}. Started, ready to begin handling requests", env!("CARGO_PKG_VERSION")));
    let result = analysis::run(&options, std::io::stdin(), Essential(std::io::stdout()), ready);
    if let Some(ranks) = ranks {
        ranks.dismiss();
    }
    result.map_err(|error| match error {
        AnalysisError::Memory(_) | AnalysisError::Thread(_) => Failure::of_settings(error),
        AnalysisError::Read(_) => error.to_string().into(),
    })
}

/// `kosumi match`: plays a match until its games are played, or a signal stops it.
fn play_match(options: MatchOptions) -> Result<(), Failure> {
    if options.time == Some(0) && options.byo_yomi.is_none() {
        return Err(Failure::of_settings(
            "--time 0 leaves no time at all: give --byo-yomi as well, or --move-time alone",
        ));
    }
    let settings = options.settings();
    ending::set_at_first_signal(&settings.stop);
    let summary = kosumi::matches::run(&settings)?;
    if settings.is_stopped() && (summary.games as usize) < settings.games {
        let more = if settings.output.is_some() { "; the same command goes on from here" } else { "" };
        return Err(Failure::stopped(more));
    }
    Ok(())
}

/// `kosumi bench`: prints speeds and a signature.
fn bench(options: &BenchOptions) -> Result<(), Failure> {
    let results = kosumi::bench::run(kosumi::bench::Workload {
        threads: usize::from(options.threads),
        divide_by: options.divide_by,
    })
    .map_err(Failure::of_settings)?;
    let text = if options.json {
        serde_json::to_string_pretty(&results).map_err(|error| error.to_string())?
    } else {
        results.table()
    };
    Ok(print(format!("{text}\n").as_bytes())?)
}

/// `kosumi net`: prints what is in a weight file, or what the net says of every row of a file.
fn net(options: &NetOptions) -> Result<(), Failure> {
    let read = |path: &Path, longest: usize| {
        kosumi::file::read(path, longest).map_err(|error| format!("{}: {error}", path.display()))
    };
    let wrong = |error| Failure::of_settings(format!("{}: {error}", options.file.display()));
    let mut net =
        Net::from_bytes(&read(&options.file, LONGEST_FILE as usize).map_err(Failure::of_settings)?).map_err(wrong)?;
    let Some(rows) = &options.rows else { return Ok(print(net.description().to_string().as_bytes())?) };
    if let Some(kernel) = options.kernel {
        net = net.with_kernel(kernel);
    }
    let bytes = read(rows, usize::MAX)?;
    dataset::evaluate::rows(&net, &bytes, &mut |line| print(line.as_bytes()))
        .map_err(|error| format!("{}: {error}", rows.display()))??;
    Ok(())
}

/// `kosumi dataset`: writes training rows, and writes its progress to standard error.
fn dataset(options: &DatasetOptions) -> Result<(), String> {
    let teacher = dataset::RowOptions {
        form: Form::new(options.size, options.entries, options.entries),
        one_in: options.one_in,
        owner_playouts: options.owner_playouts,
        komi_spread: options.komi_spread,
        seed: options.seed,
    };
    let source = dataset::source::Source {
        size: options.size,
        komi: options.komi,
        rules: options.rules.clone(),
        first_game: options.first_game,
    };
    let bar = indicatif::ProgressBar::new_spinner();
    let counts = dataset::source::write(&source, teacher, &options.files, &options.output, |counts| {
        let rate = counts.games as f64 / bar.elapsed().as_secs_f64().max(0.001);
        bar.set_message(format!("{} games, {} rows, {rate:.0} games a second", counts.games, counts.rows));
        bar.tick();
    })?;
    bar.finish_and_clear();
    let several = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    aside(&format!(
        "{} of {}, {} of them with owners; {} left out",
        several(counts.rows, "row"),
        several(counts.games, "game"),
        counts.with_owners,
        several(counts.refused, "game")
    ));
    Ok(())
}

/// Writes a message of the program to standard error. It is no error that nobody can read it.
fn tell(message: &str) {
    aside(&format!("kosumi: {message}"));
}

/// Writes a line to standard error. It is no error that nobody can read it.
fn aside(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Writes to standard output. It is no error that the reader has gone away.
fn print(bytes: &[u8]) -> Result<(), String> {
    match std::io::stdout().write_all(bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(()),
    }
}

/// Logs go to standard error or a file, never to standard output. So do the messages of panics.
fn start_log(options: &GtpOptions, ranks: Option<&Ranks>) -> Result<(), String> {
    let mut builder = env_logger::Builder::new();
    builder.filter_level(options.log_level).format_target(false);
    if let Some(rank) = ranks.map(Ranks::rank) {
        builder.format(move |line, record| {
            writeln!(line, "[rank {rank} {} {}] {}", line.timestamp(), record.level(), record.args())
        });
    }
    if let Some(path) = &options.log_file {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| format!("log-file {}: {error}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(LogFile::new(file, path.clone()))));
    }
    builder.init();
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    Ok(())
}
