//! The configuration file: where it lies, and its lines as settings. `settings` knows their meaning.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use toml::de::{DeTable, DeValue};

/// A line of a file: `name = value`.
#[derive(Debug, PartialEq)]
pub(super) struct SettingLine {
    /// The number of the line, from 1.
    pub number: usize,
    /// The name with dashes between its words; in a table, `table.name` with the name as it stands.
    pub name: String,
    /// The value as the command line would have it; `None` if it is no number, no text and neither true nor false.
    pub value: Option<OsString>,
}

/// Why a file cannot be read as a file of settings.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    /// The line of the fault, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Where the file lies unless the user names one: `kosumi/config.toml` in the user's folder for configurations, that is
/// `$XDG_CONFIG_HOME` or `~/.config`, on Windows `%APPDATA%`. `None` if the user has no home.
pub(super) fn usual_place() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("kosumi").join("config.toml"))
}

/// The text of a file.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn read(path: &Path) -> Result<String, String> {
    // A device or a pipe may have no end.
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if about.is_dir() {
        return Err("is a folder".into());
    }
    // A device such as /dev/null stands for an empty file. A pipe would be waited for.
    if is_pipe(about.file_type()) {
        return Err("is no regular file".into());
    }
    if about.len() > MOST_BYTES {
        return Err("is too large for a configuration".into());
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MOST_BYTES), &mut bytes)
        .map_err(|error| error.to_string())?;
    text(&bytes).ok_or_else(|| "is no text in UTF-8".into())
}

/// The text of a file: UTF-8, or UTF-16 with its mark, as the shell of Windows writes it.
fn text(bytes: &[u8]) -> Option<String> {
    let (encoding, mark) = encoding_rs::Encoding::for_bom(bytes).unwrap_or((encoding_rs::UTF_8, 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..])?;
    Some(text.into())
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}

/// No configuration is longer than this.
const MOST_BYTES: u64 = 1 << 20;

/// The settings of a file, in the order in which they stand there.
///
/// # Errors
/// If the text is no TOML.
pub(super) fn parse(text: &str) -> Result<Vec<SettingLine>, Malformed> {
    let line_of = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| Malformed {
        line: line_of(error.span().map_or(0, |span| span.start)),
        what: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    let mut lines = Vec::new();
    for (key, value) in table.into_inner() {
        let number = line_of(key.span().start);
        match value.into_inner() {
            DeValue::Table(inner) => lines.extend(inner.into_iter().map(|(name, value)| SettingLine {
                number: line_of(name.span().start),
                name: format!("{}.{}", key.get_ref(), name.get_ref()),
                value: scalar(value.get_ref()),
            })),
            value => {
                lines.push(SettingLine { number, name: key.get_ref().replace('_', "-"), value: scalar(&value) });
            }
        }
    }
    lines.sort_by_key(|line| line.number);
    Ok(lines)
}

fn scalar(value: &DeValue<'_>) -> Option<OsString> {
    match value {
        DeValue::String(text) => Some(text.as_ref().into()),
        DeValue::Integer(number) => {
            let value = i128::from_str_radix(number.as_str(), number.radix()).ok();
            Some(value.map_or_else(|| number.to_string(), |value| value.to_string()).into())
        }
        DeValue::Float(number) => Some(number.as_str().into()),
        DeValue::Boolean(truth) => Some(truth.to_string().into()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// A value as a file has it: numbers, `true` and `false` as they are, all else in quotes.
pub(super) fn write_value(text: &str) -> String {
    let bare = text.chars().all(|c| c.is_ascii_alphanumeric() || "+-._".contains(c))
        && DeTable::parse(&format!("x = {text}")).is_ok_and(|table| {
            table.get_ref().values().all(|value| {
                let kept = scalar(value.get_ref()).is_some_and(|read| read.to_str() == Some(text));
                kept && matches!(value.get_ref(), DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_))
            })
        });
    if bare { text.into() } else { toml::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: usize, name: &str, value: &str) -> SettingLine {
        SettingLine { number, name: name.into(), value: Some(value.into()) }
    }

    #[test]
    fn every_kind_of_value_is_read_with_its_line() {
        let text = "# first\nthreads = 0x10\ntime_per_move = 1_0.5\n\nrules = 'aga'\nponder = true\nsize = [1]\n\n[search]\nprior_even = 3\n";
        let wrong = SettingLine { number: 7, name: "size".into(), value: None };
        assert_eq!(
            parse(text),
            Ok(vec![
                line(2, "threads", "16"),
                line(3, "time-per-move", "10.5"),
                line(5, "rules", "aga"),
                line(6, "ponder", "true"),
                wrong,
                line(10, "search.prior_even", "3"),
            ])
        );
    }

    #[test]
    fn text_is_utf_8_or_has_the_mark_of_utf_16() {
        let wide: Vec<u8> = "\u{feff}size = 9 # ä".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [&wide[..], "size = 9 # ä".as_bytes(), "\u{feff}size = 9 # ä".as_bytes()] {
            assert_eq!(text(bytes).as_deref(), Some("size = 9 # ä"));
        }
        assert_eq!(text(b"size = 9 # \xe4"), None);
    }

    #[test]
    fn a_fault_names_its_line() {
        assert_eq!(parse("threads = 1\nsize = = 3\n").map_err(|fault| fault.line), Err(2));
        assert_eq!(parse("size = 3\nrules = 'aga'\nsize = 4\n").map_err(|fault| fault.line), Err(3));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "7",
            "-7.5",
            "0.3",
            "true",
            "chinese",
            "a \"b\" \\ c",
            "1.",
            ".5",
            "",
            "1e3",
            "18446744073709551615",
            "nan",
        ] {
            let file = format!("x = {}", write_value(text));
            assert_eq!(parse(&file), Ok(vec![line(1, "x", text)]), "{file}");
        }
        assert_eq!(write_value("0.5"), "0.5");
        assert_eq!(write_value("aga"), "\"aga\"");
    }
}
