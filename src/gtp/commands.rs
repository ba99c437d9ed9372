//! THE table of commands. A new command is a function in one of the files below and a row here.

mod admin;
mod analyze;
mod board;
mod cgos;
mod gogui;
mod gomill;
mod handicap;
mod katago;
mod kgs;
mod leela;
mod moves;
mod net;
mod rules;
mod scoring;
mod sgf;
mod time;

pub(super) use board::showboard;

use super::args::Args;
use super::error::CommandResult;
use super::{Session, SessionOptions};

/// A command.
#[derive(Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, for people.
    pub usage: &'static str,
    /// Carries the command out.
    pub run: fn(&mut Session, &Args<'_>) -> CommandResult,
}

const fn row(name: &'static str, usage: &'static str, run: fn(&mut Session, &Args<'_>) -> CommandResult) -> Command {
    Command { name, usage, run }
}

/// The arguments of live analysis.
const ANALYZE: &str = "[COLOR] [CENTISECONDS] [KEY VALUE]...";

/// Every command that each session has, in the order in which `list_commands` names them.
pub const COMMANDS: &[Command] = &[
    row("protocol_version", "", admin::protocol_version),
    row("name", "", admin::name),
    row("version", "", admin::version),
    row("known_command", "NAME", known_command),
    row("list_commands", "", list_commands),
    row("quit", "", admin::quit),
    row("boardsize", "SIZE|COLUMNS ROWS", board::boardsize),
    row("rectangular_boardsize", "COLUMNS ROWS", board::rectangular_boardsize),
    row("clear_board", "", board::clear_board),
    row("komi", "POINTS", board::komi),
    row("get_komi", "", board::get_komi),
    row("showboard", "", board::showboard),
    row("fixed_handicap", "STONES", handicap::fixed_handicap),
    row("place_free_handicap", "STONES", handicap::place_free_handicap),
    row("set_free_handicap", "VERTEX VERTEX...", handicap::set_free_handicap),
    row("play", "COLOR VERTEX", moves::play),
    row("genmove", "COLOR", moves::genmove),
    row("reg_genmove", "COLOR", moves::reg_genmove),
    row("undo", "", moves::undo),
    row("gg-undo", "[MOVES]", moves::gg_undo),
    row("lz-analyze", ANALYZE, analyze::lz_analyze),
    row("lz-genmove_analyze", ANALYZE, analyze::lz_genmove_analyze),
    row("kata-analyze", ANALYZE, analyze::kata_analyze),
    row("kata-genmove_analyze", ANALYZE, analyze::kata_genmove_analyze),
    row("kata-search", "[COLOR]", analyze::kata_search),
    row("kata-search_cancellable", "[COLOR]", analyze::kata_search_cancellable),
    row("kata-search_analyze", ANALYZE, analyze::kata_search_analyze),
    row("kata-search_analyze_cancellable", ANALYZE, analyze::kata_search_analyze_cancellable),
    row("time_settings", "MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES", time::time_settings),
    row("time_left", "COLOR SECONDS STONES", time::time_left),
    row("kgs-time_settings", "none|absolute|byoyomi|canadian SECONDS...", time::kgs_time_settings),
    row("kata-list_time_settings", "", time::kata_list_time_settings),
    row("kata-time_settings", "KIND SECONDS...", time::kata_time_settings),
    row("final_score", "", scoring::final_score),
    row("final_status", "VERTEX", scoring::final_status),
    row("final_status_list", "dead|alive|seki", scoring::final_status_list),
    row("loadsgf", "FILE [MOVE_NUMBER]", sgf::loadsgf),
    row("printsgf", "[FILE]", sgf::printsgf),
    row("cputime", "", admin::cputime),
    row("kosumi-param", "[NAME [VALUE]]", admin::param),
    row("kosumi-net", "[FILE|none|shipped]", net::kosumi_net),
    row("kata-raw-nn", "[COLOR] [SYMMETRY|all] [OPTIMISM]", net::kata_raw_nn),
    row("kata-get-models", "", katago::kata_get_models),
    row("kata-list-params", "", katago::kata_list_params),
    row("kata-get-param", "NAME", katago::kata_get_param),
    row("kata-get-params", "", katago::kata_get_params),
    row("kata-set-param", "NAME VALUE", katago::kata_set_param),
    row("kata-set-params", "JSON", katago::kata_set_params),
    row("set_position", "[COLOR VERTEX]...", katago::set_position),
    row("clear_cache", "", katago::clear_cache),
    row("stop", "", katago::stop),
    row("heatmap", "[SYMMETRY|all|average]", leela::heatmap),
    row("lz-setoption", "[name NAME value VALUE]", leela::lz_setoption),
    row("kosumi-level", "[RANK|max]", admin::level),
    row("gogui-analyze_commands", "", gogui::analyze_commands),
    row("gogui-interrupt", "", gogui::interrupt),
    row("gogui-play_sequence", "COLOR VERTEX...", gogui::play_sequence),
    row("gogui-setup", "COLOR VERTEX...", gogui::setup),
    row("gogui-setup_player", "COLOR", gogui::setup_player),
    row("gogui-title", "", gogui::title),
    row("kosumi-best_moves", "[COLOR]", gogui::best_moves),
    row("kosumi-visits", "[COLOR]", gogui::visits),
    row("kosumi-win_rates", "[COLOR]", gogui::win_rates),
    row("kosumi-variation", "[COLOR]", gogui::variation),
    row("kosumi-ownership", "[COLOR]", gogui::ownership),
    row("kosumi-statistics", "[COLOR]", gogui::statistics),
    row("kosumi-live_graphics", "[off|moves|variation|ownership]", gogui::live_graphics),
    row("kosumi-rules", "[NAME]", rules::kosumi_rules),
    row("kgs-rules", "NAME", rules::kgs_rules),
    row("kgs-genmove_cleanup", "COLOR", kgs::kgs_genmove_cleanup),
    row("kgs-game_over", "", kgs::kgs_game_over),
    row("cgos-opponent_name", "NAME", cgos::cgos_opponent_name),
    row("cgos-opponent_rating", "RATING", cgos::cgos_opponent_rating),
    row("cgos-gameover", "RESULT", cgos::cgos_gameover),
    row("cgos-genmove_analyze", "COLOR", cgos::cgos_genmove_analyze),
    row("gomill-cpu_time", "", admin::cputime),
    row("gomill-describe_engine", "", gomill::gomill_describe_engine),
    row("gomill-explain_last_move", "", gomill::gomill_explain_last_move),
    row("gomill-genmove_ex", "[COLOR [KEYWORD...]]", gomill::gomill_genmove_ex),
    row("kata-get-rules", "", rules::kata_get_rules),
    row("kata-set-rules", "NAME|JSON|KEYS", rules::kata_set_rules),
    row("kata-set-rule", "KEY VALUE", rules::kata_set_rule),
];

/// Listed only if the user wants it: some versions of kgsGtp crash on an engine that has this command.
const CHAT: Command = row("kgs-chat", "game|private NAME WORD...", kgs::kgs_chat);

impl Command {
    /// The commands that a session has, in the order in which `list_commands` names them.
    pub fn all(options: &SessionOptions) -> impl Iterator<Item = &'static Command> {
        COMMANDS.iter().chain(options.kgs_chat.then_some(&CHAT))
    }

    /// The command of this name, if a session has it.
    pub fn by_name(name: &str, options: &SessionOptions) -> Option<&'static Command> {
        Command::all(options).find(|command| command.name == name)
    }
}

/// `true` or `false`.
fn known_command(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let known = args.words().first().is_some_and(|name| Command::by_name(name, &session.options).is_some());
    Ok(known.to_string())
}

/// All commands, one a line.
fn list_commands(session: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(Command::all(&session.options).map(|command| command.name).collect::<Vec<_>>().join("\n"))
}
