//! From bytes to text. A record tells its encoding by the property CA, by a byte order mark, or not at all.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

/// CA is searched in this many bytes: it belongs to the root, and mostly to its first line.
const HEAD: usize = 4096;

/// Names of encodings in records that the Web's table of labels lacks: Windows' code pages, and shortened names.
const MORE_LABELS: &[(&str, &Encoding)] = &[
    ("cp932", SHIFT_JIS),
    ("cp936", GBK),
    ("cp949", EUC_KR),
    ("ms949", EUC_KR),
    ("uhc", EUC_KR),
    ("euckr", EUC_KR),
    ("cp950", BIG5),
    ("eucjp", EUC_JP),
];

/// Begins the escape sequences by which ISO-2022-JP changes its characters.
const ESCAPE: u8 = 0x1b;

/// Decodes a text. A byte order mark, or the pattern of the first two characters, decides first. Valid UTF-8 counts as
/// UTF-8, since many programs write UTF-8 and name another encoding; ISO-2022-JP with its escapes is valid UTF-8, too,
/// and is not. Then CA decides, and without CA the look of the text, see [`likely`]. Bytes that cannot be decoded become
/// U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    // "(" or a blank, in two bytes.
    match bytes {
        [first, 0, ..] if *first != 0 => return UTF_16LE.decode_without_bom_handling(bytes).0,
        [0, second, ..] if *second != 0 => return UTF_16BE.decode_without_bom_handling(bytes).0,
        _ => {}
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && !is_other_than_utf_8(text)
    {
        return Cow::Borrowed(text);
    }
    named(bytes).unwrap_or_else(|| likely(bytes)).decode_without_bom_handling(bytes).0
}

/// The encoding that the letters of a text without CA look like, else the standard's default, ISO 8859-1. Many programs
/// of East Asia write no CA. There a backslash or a bracket can be the second byte of a character. Read as ISO 8859-1, it
/// would hide the end of a name and the moves behind.
fn likely(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let read = |encoding: &'static Encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let is_sound = |encoding: &&'static Encoding| read(encoding).is_some_and(|text| !hides_an_end(&text));
    // A name of one or two characters is too short for a guess.
    [guess, SHIFT_JIS, BIG5, GBK].into_iter().find(is_sound).unwrap_or(WINDOWS_1252)
}

/// Has a text the marks of East Asian characters that were taken for two each? Behind the first one stands a backslash
/// that hides the end of a value, or a bracket that ends it in the middle of a name.
fn hides_an_end(text: &str) -> bool {
    let mut last = ['\0'; 3];
    text.chars().any(|c| {
        last = [last[1], last[2], c];
        !last[0].is_ascii() && (last[1..] == ['\\', ']'] || last[1] == ']' && !c.is_ascii())
    })
}

/// Is a text that could be UTF-8 of the encoding that CA names? ISO-2022-JP is told by its escapes. Two bytes of the
/// other encodings of East Asia can be one character of two bytes in UTF-8. But East Asian characters have three bytes
/// or more there.
fn is_other_than_utf_8(text: &str) -> bool {
    let named = || named(text.as_bytes());
    if text.is_ascii() {
        return text.as_bytes().contains(&ESCAPE) && named() == Some(ISO_2022_JP);
    }
    let is_short = text.chars().all(|c| c.len_utf8() <= 2);
    is_short && named().is_some_and(|named| [GBK, GB18030, BIG5, EUC_JP, EUC_KR, SHIFT_JIS].contains(&named))
}

/// The encoding that CA names, if CA itself can be read without knowing the encoding.
fn named(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let at = head.windows(3).enumerate().position(|(i, three)| {
        let begins = i == 0 || !head[i - 1].is_ascii_alphabetic();
        three == b"CA[" && begins
    })?;
    let label = head[at + 3..].split(|&byte| byte == b']').next()?;
    let label = label.trim_ascii();
    let more = || MORE_LABELS.iter().find(|(name, _)| label.eq_ignore_ascii_case(name.as_bytes()));
    let encoding = Encoding::for_label(label).or_else(|| more().map(|&(_, encoding)| encoding))?;
    let readable = ![REPLACEMENT, UTF_16LE, UTF_16BE].contains(&encoding);
    readable.then_some(encoding)
}

/// The encoding that a record names after reading.
pub(super) const NAME: &str = "UTF-8";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_found() {
        let utf_16 = |order: fn(u16) -> [u8; 2], text: &str| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        for (bytes, text) in [
            (b"(;C[a])".to_vec(), "(;C[a])"),
            ("(;C[ä囲])".into(), "(;C[ä囲])"),
            (b"\xef\xbb\xbf(;C[\xc3\xa4])".to_vec(), "(;C[ä])"),
            (utf_16(u16::to_le_bytes, "\u{feff}(;C[ä囲])"), "(;C[ä囲])"),
            (utf_16(u16::to_be_bytes, "\u{feff}(;C[ä囲])"), "(;C[ä囲])"),
            (utf_16(u16::to_le_bytes, "(;C[囲])"), "(;C[囲])"),
            (utf_16(u16::to_be_bytes, "(;C[囲])"), "(;C[囲])"),
            (b"(;C[\xe4])".to_vec(), "(;C[ä])"),
            // The second byte of the character is a backslash, that of 表 in Shift_JIS: the text must be decoded
            // first.
            (b"(;CA[Shift_JIS]C[\x95\x5c])".to_vec(), "(;CA[Shift_JIS]C[表])"),
            (b"(;CA[gb2312]C[\xce\xa7\xc6\xe5])".to_vec(), "(;CA[gb2312]C[围棋])"),
            (b"(;CA[iso-2022-jp]C[\x1b$B0O8k\x1b(B])".to_vec(), "(;CA[iso-2022-jp]C[囲碁])"),
            ("(;CA[ISO-2022-JP]C[囲碁])".into(), "(;CA[ISO-2022-JP]C[囲碁])"),
            // Two characters of GBK that would be one of UTF-8 each.
            (b"(;CA[GB2312]PB[\xca\xb1\xd4\xbd])".to_vec(), "(;CA[GB2312]PB[时越])"),
            ("(;CA[GB2312]PB[é围])".into(), "(;CA[GB2312]PB[é围])"),
            ("(;CA[ISO-8859-1]PB[é])".into(), "(;CA[ISO-8859-1]PB[é])"),
            (b"(;CA[CP949]C[\xb9\xd9\xb5\xcf])".to_vec(), "(;CA[CP949]C[바둑])"),
            // No CA. The second byte of 表 in Shift_JIS is a backslash, and that of ゾ a bracket.
            (b"(;PB[\x95\x5c];B[ee])".to_vec(), "(;PB[表];B[ee])"),
            (b"(;PB[\x83\x5d\x83\x93];B[ee])".to_vec(), "(;PB[ゾン];B[ee])"),
            (b"(;PB[\x88\xe4\x8e\x52\x97\x54\x91\xbe];B[ee])".to_vec(), "(;PB[井山裕太];B[ee])"),
            (b"(;PB[\xb3\x5c\xa5\x5c];B[ee])".to_vec(), "(;PB[許功];B[ee])"),
            (b"(;PB[\xce\xa7\xc6\xe5];B[ee])".to_vec(), "(;PB[围棋];B[ee])"),
            (b"(;PB[\xb9\xd9\xb5\xcf];B[ee])".to_vec(), "(;PB[바둑];B[ee])"),
            (b"(;PB[M\xfcller]PW[Andr\xe9])".to_vec(), "(;PB[Müller]PW[André])"),
            (b"(;CA[no such thing]C[\xe4])".to_vec(), "(;CA[no such thing]C[ä])"),
            (b"(;CA[UTF-16]C[\xe4])".to_vec(), "(;CA[UTF-16]C[ä])"),
        ] {
            assert_eq!(decode(&bytes), text, "{bytes:?}");
        }
        assert_eq!(NAME, encoding_rs::UTF_8.name());
    }

    #[test]
    fn any_bytes_are_some_text() {
        for bytes in [&b""[..], b"\0", b"(", b"\xff\xfe", b"\xfe\xff\xd8", b"CA[", b"CA[\xff", b"\0\0", b"\xef\xbb\xbf"]
        {
            let _ = decode(bytes);
        }
    }
}
