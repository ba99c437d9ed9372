//! Records as text: what is read is written and read again as it was, whatever stands in it, and nothing makes the
//! reader fail in another way than by an error.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use kosumi::go::{Color, Komi, Move, Point};
use kosumi::record::meaning::{TimeLeft, ValueError};
use kosumi::record::{NodeId, Record, text};
use kosumi::sgf::{self, SgfError, read, write};

#[track_caller]
fn record(text: &str) -> Record {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn root(text: &str, name: &str) -> Option<String> {
    record(text).text(NodeId::ROOT, name)
}

/// A value between brackets: text with what has to be escaped, escapes that need not be, line breaks of all kinds.
fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-t]{2}",
        1 => "[a-t]{2}:[a-t]{2}",
        3 => any::<String>().prop_map(|text| text::escape(&text)),
        1 => select(vec![r"\]", r"\\", r"\:", r"\a", "\\\n", "\\\r\n", "\n\r", "\n\n", "\t", "[", "(;", ")", ";", "囲碁", "tt"])
            .prop_map(String::from),
    ];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// Names that are known and names that nobody knows, but no moves and no set-up: these are put where they may stand.
fn annotation() -> impl Strategy<Value = (String, Vec<String>)> {
    let name = prop_oneof![
        3 => select(vec!["C", "N", "BL", "OW", "TR", "LB", "TB", "SBKV", "KGSDE", "V1", "X_Y"]).prop_map(String::from),
        1 => "[Q-Z]{3,9}",
    ];
    (name, vec(value(), 1..4))
}

#[derive(Clone, Debug)]
enum Content {
    Nothing,
    Move(bool, Index),
    SetUp(Vec<Index>, bool),
}

#[derive(Clone, Debug)]
struct NewNode {
    parent: Index,
    content: Content,
    annotations: Vec<(String, Vec<String>)>,
}

fn new_node() -> impl Strategy<Value = NewNode> {
    let content = prop_oneof![
        1 => Just(Content::Nothing),
        5 => any::<(bool, Index)>().prop_map(|(black, at)| Content::Move(black, at)),
        1 => (vec(any::<Index>(), 1..9), any::<bool>()).prop_map(|(at, black)| Content::SetUp(at, black)),
    ];
    (any::<Index>(), content, vec(annotation(), 0..4)).prop_map(|(parent, content, annotations)| NewNode {
        parent,
        content,
        annotations,
    })
}

/// A random tree. Half of the nodes go on from the last one, so that there are long lines, too.
fn random_record(size: usize, root: &[(String, Vec<String>)], nodes: &[NewNode]) -> Record {
    let mut record = Record::new(size);
    let annotate = |record: &mut Record, node: NodeId, list: &[(String, Vec<String>)]| {
        for (name, values) in list {
            record.set(node, name, &values.iter().map(String::as_str).collect::<Vec<_>>());
        }
    };
    annotate(&mut record, NodeId::ROOT, root);
    let mut ids = vec![NodeId::ROOT];
    for NewNode { parent, content, annotations } in nodes {
        let at = parent.index(2 * ids.len());
        let parent = ids.get(at).copied().unwrap_or(ids[ids.len() - 1]);
        let point = |at: &Index| Point::new(at.index(size), at.index(size * size) / size, size);
        let color = |black: bool| if black { Color::Black } else { Color::White };
        let node = match content {
            Content::Nothing => record.add_child(parent),
            Content::Move(black, at) => {
                let mv = if at.index(9) == 0 { Move::Pass } else { Move::Play(point(at)) };
                record.add_move(parent, color(*black), mv, size)
            }
            Content::SetUp(at, black) => {
                let node = record.add_child(parent);
                let points: Vec<String> =
                    at.iter().map(|at| kosumi::record::meaning::point_value(point(at), size)).collect();
                let values: Vec<&str> = points.iter().map(String::as_str).collect();
                record.set(node, if *black { "AB" } else { "AE" }, &values);
                node
            }
        };
        annotate(&mut record, node, annotations);
        ids.push(node);
    }
    record
}

/// Text that is nearly SGF.
fn nearly_sgf() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        select(vec!["(", ")", ";", "(;", "[", "]", "\\", " ", "\n", "AB", "B", "W", "PL", "SZ[9]", "B[aa]", "W[tt]"])
            .prop_map(String::from),
        select(vec!["AB[aa:cc]", "AE[bb]", "CA[gbk]", "GaMe[1]", "foo[1]", "C[a\\]b]", "HA[2]", "KM[375]", "FF[3]"])
            .prop_map(String::from),
        value().prop_map(|value| format!("[{value}]")),
    ];
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_as_it_was(
        size in 2..=25_usize,
        root in vec(annotation(), 0..4),
        nodes in vec(new_node(), 0..40),
    ) {
        let mut before = random_record(size, &root, &nodes);
        if size <= 19 {
            // On these boards the point tt is a pass, and there is none.
            prop_assert!(before.preorder().all(|(_, node)| before.move_at(node, size).is_ok()));
        }
        let text = write(&before);
        let after = read(text.as_bytes());
        prop_assert_eq!(after.as_ref(), Ok(&before), "{}", text);
        prop_assert_eq!(write(&before), text);
        // Equality is no matter of course.
        let last = before.preorder().last().map_or(NodeId::ROOT, |(_, node)| node);
        before.set(last, "ZZZZZZZZZZ", &["x"]);
        prop_assert_ne!(after.as_ref(), Ok(&before));
    }

    #[test]
    fn what_is_read_is_written_as_it_was(text in nearly_sgf()) {
        for text in [format!("(;{text})"), format!("(;GM[1]SZ[9];{text}"), text] {
            let Ok(first) = read(text.as_bytes()) else { continue };
            let written = write(&first);
            let second = read(written.as_bytes());
            prop_assert_eq!(second.as_ref(), Ok(&with_encoding(&first)), "{:?} is written as {}", text, written);
            // Nodes with a move have one, and nothing set up; the root has none.
            for (_, node) in first.preorder() {
                let names: Vec<&str> = first.properties(node).map(|property| property.name()).collect();
                let moves = names.iter().filter(|name| matches!(**name, "B" | "W")).count();
                let sets_up = names.iter().any(|name| matches!(*name, "AB" | "AW" | "AE" | "PL"));
                prop_assert!(moves == 0 || moves == 1 && !sets_up && node != NodeId::ROOT, "{}", written);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..300), utf_16 in any::<String>()) {
        let _ = read(&bytes);
        let _ = read(&[b"(;", &bytes[..]].concat());
        let _ = read(&[b"(;CA[Big5]C[", &bytes[..], b"])"].concat());
        let units: Vec<u8> = format!("\u{feff}(;C[{}])", text::escape(&utf_16)).encode_utf16().flat_map(u16::to_le_bytes).collect();
        prop_assert_eq!(read(&units).map(|record| record.comment(NodeId::ROOT)), Ok(Some(text::unescape(&text::escape(&utf_16)))));
    }
}

#[test]
fn the_tree_is_that_of_the_text() {
    let text = "(;SZ[9];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff]))";
    let record = record(text);
    let shape: Vec<(usize, String)> = record
        .preorder()
        .map(|(depth, node)| (depth, record.properties(node).map(|p| p.value().to_owned()).collect::<String>()))
        .collect();
    let expected = [(0, "9"), (1, "aa"), (2, "bb"), (3, "cc"), (4, "dd"), (4, "ee"), (2, "ff")];
    assert_eq!(shape, expected.map(|(depth, value)| (depth, value.to_owned())));
    assert_eq!(
        write(&record),
        "(;SZ[9]\n;B[aa]\n(\n;W[bb]\n;B[cc]\n(\n;W[dd]\n)\n(;W[ee])\n)\n(;W[ff])\n)",
        "a line for each node of the main line, one for each other variation"
    );
    // A branch that goes on after its variations is one more variation.
    let odd = read(b"(;SZ[9];B[aa](;W[bb]);W[cc])").unwrap();
    assert_eq!(odd, read(b"(;SZ[9];B[aa](;W[bb])(;W[cc]))").unwrap());
    for (text, error) in [
        ("", SgfError::NoGame),
        ("no game", SgfError::NoGame),
        ("()", SgfError::NoGame),
        ("(;B[aa]", SgfError::Format { line: 1, what: "the text ends before the game does" }),
        ("(;\nB[aa)", SgfError::Format { line: 2, what: "a value has no end" }),
        ("(;B[aa\\])", SgfError::Format { line: 1, what: "a value has no end" }),
        ("(;B)", SgfError::Format { line: 1, what: "a property has no value" }),
        ("(;\n\n5)", SgfError::Format { line: 3, what: "this is no node and no property" }),
        ("(;(B[aa]))", SgfError::Format { line: 1, what: "a property stands outside of a node" }),
    ] {
        assert_eq!(read(text.as_bytes()), Err(error), "{text}");
    }
}

#[test]
fn properties_are_kept_in_order_with_their_values_as_they_are() {
    let text = "(;GM[1]FF[4]SZ[9]XY[a\\]b][][ c ]C[one\\\ntwo]AB[aa:bb][cc]SBKV[55.3]\n)";
    let record = record(text);
    let list: Vec<(&str, Vec<&str>)> =
        record.properties(NodeId::ROOT).map(|property| (property.name(), property.values().collect())).collect();
    let expected: [(&str, &[&str]); 7] = [
        ("GM", &["1"]),
        ("FF", &["4"]),
        ("SZ", &["9"]),
        ("XY", &["a\\]b", "", " c "]),
        ("C", &["one\\\ntwo"]),
        ("AB", &["aa:bb", "cc"]),
        ("SBKV", &["55.3"]),
    ];
    assert_eq!(list, expected.map(|(name, values)| (name, values.to_vec())));
    assert_eq!(write(&record), text);
    assert_eq!(record.comment(NodeId::ROOT).as_deref(), Some("onetwo"));
}

#[test]
fn properties_are_set_replaced_and_removed_in_place() {
    let mut record = record("(;GM[1]SZ[9]KM[5.5];B[aa]C[x])");
    record.set(NodeId::ROOT, "KM", &["6.5"]);
    record.set_behind(NodeId::ROOT, "RU", &["Japanese"], &["GM", "KM"]);
    record.set_behind(NodeId::ROOT, "AP", &["x"], &["GM"]);
    record.set_text(NodeId::ROOT, "GC", "a ] b");
    let node = record.first_child(NodeId::ROOT).unwrap();
    record.set(node, "TR", &["aa", "bb"]);
    record.remove(node, "C");
    record.remove(node, "C");
    assert_eq!(write(&record), "(;GM[1]AP[x]SZ[9]KM[6.5]RU[Japanese]GC[a \\] b]\n;B[aa]TR[aa][bb]\n)");
}

#[test]
fn a_node_has_one_move_and_nothing_beside_it_that_is_set_up() {
    for (text, expected) in [
        // The root is no move.
        ("(;GM[1]B[aa]SZ[9]C[x])", "(;GM[1]SZ[9];B[aa]C[x])"),
        ("(;SZ[9]C[x]B[aa](;W[bb])(;W[cc]))", "(;SZ[9]C[x];B[aa](;W[bb])(;W[cc]))"),
        // Two moves in one node, with their times.
        ("(;SZ[9];B[aa]BL[10]W[bb]WL[9];B[cc])", "(;SZ[9];B[aa]BL[10];W[bb]WL[9];B[cc])"),
        ("(;SZ[9];B[aa]W[bb]B[cc])", "(;SZ[9];B[aa];W[bb];B[cc])"),
        // Stones first.
        ("(;SZ[9];B[aa]AB[bb]C[x])", "(;SZ[9];AB[bb];B[aa]C[x])"),
        ("(;SZ[9]HA[2]AB[aa][bb]W[cc])", "(;SZ[9]HA[2]AB[aa][bb];W[cc])"),
    ] {
        assert_eq!(record(text), record(expected), "{text}");
        assert_ne!(write(&record(text)), text);
    }
}

#[test]
fn what_older_standards_wrote_is_read_as_the_new_one_has_it() {
    let old = record("(;GaMe[1]FF[3]SiZe[9]CA[ISO-8859-1]foo[1]A1[x];Black[tt];W[ss])");
    assert_eq!(old, record("(;GM[1]FF[4]SZ[9]CA[UTF-8]foo[1]A1[x];B[];W[ss])"));
    assert_eq!(record("(;SZ[21];B[tt])"), record("(;SZ[21];B[tt])"));
    assert_ne!(record("(;SZ[21];B[tt])"), record("(;SZ[21];B[])"));
    assert_eq!(record("(;SZ[19];B[tt])"), record("(;SZ[19];B[])"));
}

/// The record as it is written: text beyond ASCII names its encoding.
fn with_encoding(record: &Record) -> Record {
    let mut written = record.clone();
    if !write(record).is_ascii() && record.property(NodeId::ROOT, "CA").is_none() {
        written.set_behind(NodeId::ROOT, "CA", &["UTF-8"], &[]);
    }
    written
}

#[test]
fn text_is_read_in_its_encoding() {
    for (bytes, expected) in [
        (&b"\xef\xbb\xbf(;PB[\xc3\xa9])"[..], "é"),
        (b"(;PB[\xe9])", "é"),
        (b"(;CA[Shift_JIS]PB[\x95\x5c])", "表"),
        (b"(;GM[1]CA[Big5]PB[\xb3\x5c])", "許"),
        (b"(;CA[EUC-KR]PB[\xc0\xcc])", "이"),
        (b"Some text before it (and this) (\n ;PB[x])", "x"),
    ] {
        let record = read(bytes).unwrap();
        assert_eq!(record.player(Color::Black).as_deref(), Some(expected), "{bytes:?}");
        assert_eq!(read(write(&record).as_bytes()), Ok(with_encoding(&record)));
    }
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let record = read(&utf_16("\u{feff}(;CA[UTF-16]PB[囲碁])")).unwrap();
    assert_eq!(record.player(Color::Black).as_deref(), Some("囲碁"));
    assert_eq!(record.text(NodeId::ROOT, "CA").as_deref(), Some("UTF-8"), "as it is written");
}

#[test]
fn what_is_known_can_be_asked_for() {
    let text = "(;GM[1]SZ[9]KM[6.5]RU[AGA]HA[2]PB[a]PW[b]BR[3d]WR[12k]DT[1996-05-06,07]RE[W+Time]AB[cc][gg]PL[W]\
                ;W[ee]C[a \\] b]N[name]WL[12.5]OW[3])";
    let record = record(text);
    let node = record.first_child(NodeId::ROOT).unwrap();
    assert_eq!(record.size(), Ok(9.into()));
    assert_eq!(record.komi(), Ok(Komi::new(6.5).ok()));
    assert_eq!(record.rules().map(|rules| rules.name()), Some("aga"));
    assert_eq!(record.handicap(NodeId::ROOT), Some(2));
    assert_eq!(Color::BOTH.map(|color| record.player(color)), [Some("a".into()), Some("b".into())]);
    assert_eq!(Color::BOTH.map(|color| record.rank(color)), [Some("3d".into()), Some("12k".into())]);
    assert_eq!(record.date().as_deref(), Some("1996-05-06,07"));
    assert_eq!(record.result().as_deref(), Some("W+Time"));
    assert_eq!(root("(;RE[?])", "RE").as_deref(), Some("?"));
    assert_eq!(self::record("(;RE[?])").result(), None);
    assert_eq!(record.comment(node).as_deref(), Some("a ] b"));
    assert_eq!(record.node_name(node).as_deref(), Some("name"));
    assert_eq!(record.time_left(node, Color::White), TimeLeft { seconds: Some(12.5), moves: Some(3) });
    assert_eq!(record.time_left(node, Color::Black), TimeLeft::default());
    assert_eq!(record.move_at(node, 9), Ok(Some((Color::White, Move::Play(Point::new(4, 4, 9))))));
    let set_up = record.set_up(NodeId::ROOT, 9).unwrap().expect("stones");
    assert_eq!(set_up.to_move, Some(Color::White));
    assert!(set_up.changes_stones() && record.set_up(node, 9).unwrap().is_none());
    for (text, error) in [
        ("(;SZ[9];B[a])", ValueError::Property("B".into())),
        ("(;SZ[9];B[jj])", ValueError::Point),
        ("(;SZ[9];B[aA])", ValueError::Point),
    ] {
        let record = self::record(text);
        assert_eq!(record.move_at(record.first_child(NodeId::ROOT).unwrap(), 9), Err(error), "{text}");
    }
}

#[test]
fn komi_is_in_points_in_hundredths_or_in_stones() {
    for (text, points) in [
        ("6.5", 6.5),
        ("6,5", 6.5),
        (" 7 ", 7.0),
        ("0", 0.0),
        ("-5.5", -5.5),
        // Fox: Chinese komi in hundredths of stones; Tygem: in hundredths of points.
        ("375", 7.5),
        ("650", 6.5),
        ("750", 7.5),
        ("3.75", 7.5),
        ("2.75", 5.5),
        // Three decimals, or a point at all, are ours and mean points.
        ("3.750", 3.75),
        ("375.0", 375.0),
        ("99", 99.0),
    ] {
        assert_eq!(record(&format!("(;KM[{text}])")).komi(), Ok(Komi::new(points).ok()), "{text}");
    }
    for text in ["", "seven", "?"] {
        assert_eq!(record(&format!("(;KM[{text}])")).komi(), Ok(None), "{text}");
    }
    assert_eq!(record("(;KM[1e300])").komi(), Err(ValueError::Property("KM".into())));
}

#[test]
fn variations_change_places_and_go() {
    let mut record = record("(;B[aa](;W[bb])(;W[cc])(;W[dd]))");
    let parent = record.first_child(NodeId::ROOT).unwrap();
    let [b, c, d] = record.children(parent).collect::<Vec<_>>()[..] else { panic!("three variations") };
    record.promote(d);
    assert_eq!(record.children(parent).collect::<Vec<_>>(), [d, b, c]);
    record.promote(d);
    record.promote(b);
    assert_eq!(record.children(parent).collect::<Vec<_>>(), [b, d, c]);
    record.retain_children(parent, |child| child != d);
    assert_eq!(record.children(parent).collect::<Vec<_>>(), [b, c]);
    record.retain_children(parent, |_| false);
    assert_eq!(record.first_child(parent), None);
    let added = record.add_child(parent);
    assert_eq!(record.children(parent).collect::<Vec<_>>(), [added]);
    assert_eq!(record.parent(added), Some(parent));
}

#[test]
fn depth_and_width_have_no_limit_but_the_length() {
    let count = 300_000;
    for text in [
        format!("({})", ";B[]".repeat(count)),
        format!("{}{}", "(;B[]".repeat(count), ")".repeat(count)),
        format!("(;{})", "(;B[])".repeat(count)),
        format!("(;TB{})", "[aa:ss]".repeat(count)),
        format!("(;{})", "TB[aa:ss]".repeat(count)),
        format!("(;{})", "B[aa]".repeat(count)),
        format!("(;{})", "(;B[]".repeat(count) + &")".repeat(count)),
    ] {
        let record = read(text.as_bytes()).unwrap();
        assert!(record.node_count() <= count + 1);
        assert_eq!(read(write(&record).as_bytes()), Ok(record));
    }
    assert_eq!(read(&vec![b';'; sgf::LONGEST + 1]), Err(SgfError::TooLong));
}
