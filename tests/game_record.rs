//! The game as a cursor on its record: wherever it goes, and by whatever way, the position is the one that the moves
//! from the root make. Moves that the rules forbid are kept and marked, stones set up in mid-game take nothing away.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use kosumi::game::{CannotFollow, CannotUndo, Game, LoadError};
use kosumi::go::rules::{AGA, CHINESE, JAPANESE, NEW_ZEALAND, PRESETS, TROMP_TAYLOR};
use kosumi::go::{Color, IllegalMove, Komi, Move, Point, Ruleset, diagram};
use kosumi::record::NodeId;
use kosumi::sgf;

#[track_caller]
fn load(text: &str, until: Option<usize>, rules: Ruleset) -> Game {
    let record = sgf::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    Game::load(record, until, rules, None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn text(game: &Game) -> String {
    sgf::write(&game.to_record(None))
}

fn play(game: &mut Game, color: Color, (column, row): (usize, usize)) -> Result<(), IllegalMove> {
    game.play(color, Move::Play(Point::new(column, row, game.size())))
}

/// All that can be seen of a game at its cursor, and what the search keys it by.
#[derive(Debug, PartialEq)]
struct View {
    stones: String,
    ko: Option<Point>,
    captured: [u32; 2],
    played: [u32; 2],
    turn: Color,
    passes: u8,
    over: bool,
    handicap: usize,
    komi: Komi,
    start: (u64, Color),
    moves: Vec<(Color, Move)>,
    move_count: usize,
    forbidden: Option<IllegalMove>,
    answers: Vec<Result<(), IllegalMove>>,
}

fn view(game: &Game) -> View {
    let mut position = game.position().clone();
    let board = position.board().clone();
    board.check();
    let mut answers = Vec::new();
    for color in Color::BOTH {
        position.set_to_move(color);
        answers.extend(board.points().map(|point| position.check(Move::Play(point))));
    }
    let position = game.position();
    View {
        stones: diagram::draw(&board),
        ko: board.ko(),
        captured: Color::BOTH.map(|color| board.captured(color)),
        played: Color::BOTH.map(|color| position.played(color)),
        turn: position.to_move(),
        passes: position.consecutive_passes(),
        over: position.is_over(),
        handicap: game.handicap(),
        komi: game.komi(),
        start: (game.start().board().hash(), game.start().to_move()),
        moves: game.moves().to_vec(),
        move_count: game.move_count(),
        forbidden: game.forbidden(),
        answers,
    }
}

/// A node of a random record: its parent, and what it has.
type RandomNode = (Index, u8, bool, Index, Index);

/// A tree on a small board, so that there are captures, kos, repetitions and occupied points.
fn random_tree(size: usize, nodes: &[RandomNode]) -> kosumi::record::Record {
    let mut record = kosumi::record::Record::new(size);
    let mut ids = vec![NodeId::ROOT];
    for (parent, kind, black, at, other) in nodes {
        // Mostly the last node, so that there are long lines.
        let parent = ids.get(parent.index(4 * ids.len())).copied().unwrap_or(ids[ids.len() - 1]);
        let point = |at: &Index| Point::new(at.index(size), at.index(size * size) / size, size);
        let color = if *black { Color::Black } else { Color::White };
        let value = |at| kosumi::record::meaning::point_value(point(at), size);
        let id = match kind {
            0..=199 => record.add_move(parent, color, Move::Play(point(at)), size),
            200..=214 => record.add_move(parent, color, Move::Pass, size),
            _ => record.add_child(parent),
        };
        match kind {
            215..=224 => record.set(id, if *black { "AB" } else { "AW" }, &[&value(at), &value(other)]),
            225..=234 => record.set(id, "AE", &[&value(at), &value(other)]),
            235..=239 => record.set(id, "PL", &[if *black { "B" } else { "W" }]),
            240..=255 => record.set_text(id, "C", "a comment"),
            _ => {}
        }
        ids.push(id);
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_to_a_node_leads_to_the_same_position(
        size in 2..=5_usize,
        rules in select(PRESETS.iter().map(|&(_, rules)| rules).collect::<Vec<_>>()),
        nodes in vec(any::<RandomNode>(), 1..80),
        steps in vec((0..6_u8, any::<Index>()), 1..60),
    ) {
        let record = random_tree(size, &nodes);
        let fresh = Game::load(record.clone(), Some(1), rules, None).expect("the root can be reached");
        let all: Vec<NodeId> = record.preorder().map(|(_, node)| node).collect();
        // From the root, node by node.
        let replayed = |node: NodeId| {
            let mut game = fresh.clone();
            game.go_to(NodeId::ROOT).expect("the root");
            let mut way: Vec<NodeId> = record.ancestors(node).collect();
            way.pop();
            while let Some(next) = way.pop() {
                game.go_to(next)?;
            }
            Ok::<_, CannotFollow>(game)
        };
        let mut game = fresh.clone();
        for (kind, index) in steps {
            let before = (game.cursor(), view(&game));
            let outcome = match kind {
                0 => game.forward().map(|_| ()),
                1 => {
                    let parent = record.parent(before.0);
                    prop_assert_eq!(game.back(), parent.is_some());
                    prop_assert_eq!(game.cursor(), parent.unwrap_or(NodeId::ROOT));
                    Ok(())
                }
                2 => {
                    let count = index.index(4);
                    let moves = record.ancestors(before.0).filter(|&node| record.has_move(node)).count();
                    prop_assert_eq!(game.undo(count), if count <= moves { Ok(()) } else { Err(CannotUndo) });
                    let left = record.ancestors(game.cursor()).filter(|&node| record.has_move(node)).count();
                    prop_assert_eq!(left, if count <= moves { moves - count } else { moves });
                    Ok(())
                }
                _ => {
                    let node = all[index.index(all.len())];
                    let outcome = game.go_to(node);
                    if outcome.is_ok() {
                        prop_assert_eq!(game.cursor(), node);
                    }
                    outcome
                }
            };
            if let Err(error) = outcome {
                prop_assert_eq!((game.cursor(), view(&game)), before, "{} changes the game", error);
            }
            let expected = replayed(game.cursor()).expect("a node that was reached");
            prop_assert_eq!(view(&game), view(&expected));
            // No record is touched by looking at it.
            prop_assert_eq!(game.record(), &record);
        }
        // A game that is written where it stands is read as it was, if it stands at an end.
        if record.first_child(game.cursor()).is_none() && game.move_count() > 0 {
            let again = Game::load(game.to_record(None), None, CHINESE, None).expect("it could be followed before");
            prop_assert_eq!(view(&again), view(&game));
        }
    }
}

/// The seventh move repeats the position after the first.
const REPETITION: &str = "(;SZ[2]KM[0];B[ab];W[ba];B[aa];W[bb];B[ab];W[aa];B[ab];W[ba])";

#[test]
fn moves_that_the_rules_forbid_are_kept_and_marked() {
    let game = load(REPETITION, None, CHINESE);
    assert_eq!((game.moves().len(), game.move_count()), (8, 8));
    assert_eq!(diagram::draw(game.position().board()), ". O\nX .\n");
    let marked = |game: &Game| -> Vec<Option<IllegalMove>> {
        game.record().main_line().skip(1).map(|node| game.record().forbidden(node)).collect()
    };
    let mut expected = [None; 8];
    expected[6] = Some(IllegalMove::Superko);
    expected[7] = Some(IllegalMove::Superko);
    assert_eq!(marked(&game), expected);
    assert_eq!(game.forbidden(), Some(IllegalMove::Superko));
    // Where the rules allow it, nothing is marked.
    let game = load(REPETITION, None, JAPANESE);
    assert_eq!(marked(&game), [None; 8]);
    // The text is that of the record.
    assert_eq!(sgf::write(game.record()).replace('\n', ""), REPETITION);

    // Suicide, and a ko that is retaken at once.
    let suicide = load("(;SZ[5];W[ba];W[ab];B[aa];W[cc])", None, CHINESE);
    assert_eq!(marked(&suicide), [None, None, Some(IllegalMove::Suicide), None]);
    assert_eq!(suicide.position().board().captured(Color::Black), 1);
    assert_eq!(marked(&load("(;SZ[5];W[ba];W[ab];B[aa];W[cc])", None, NEW_ZEALAND)), [None; 4]);
    let ko = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]PL[B];B[cb];W[bb];B[cb])";
    assert_eq!(marked(&load(ko, None, JAPANESE)), [None, Some(IllegalMove::Ko), Some(IllegalMove::Ko)]);

    // On a stone no stone can be put.
    let record = sgf::read(b"(;SZ[5];W[ba];B[ba];W[cc])").unwrap();
    let illegal = CannotFollow::Illegal { number: 2, reason: IllegalMove::Occupied };
    assert_eq!(Game::load(record.clone(), None, CHINESE, None).err(), Some(LoadError::Follow(illegal.clone())));
    let mut game = Game::load(record, Some(2), CHINESE, None).unwrap();
    assert_eq!(game.forward(), Err(illegal));
    assert_eq!(game.move_count(), 1);
}

#[test]
fn a_forbidden_move_can_be_followed_but_not_played() {
    let mut game = load(REPETITION, None, CHINESE);
    game.undo(2).unwrap();
    let (color, mv) = (Color::Black, Move::Play(Point::new(0, 0, 2)));
    assert_eq!(game.play(color, mv), Err(IllegalMove::Superko));
    assert_eq!(game.forward(), Ok(true));
    assert_eq!((game.moves().last(), game.forbidden()), (Some(&(color, mv)), Some(IllegalMove::Superko)));
}

#[test]
fn rules_may_forbid_what_was_forbidden_before() {
    let mut game = load(REPETITION, None, CHINESE);
    assert_eq!(game.set_rules(TROMP_TAYLOR), Ok(()));
    assert_eq!(game.forbidden(), Some(IllegalMove::Superko));
    assert_eq!(game.set_rules(JAPANESE), Ok(()));
    assert_eq!((game.forbidden(), game.move_count()), (None, 8));
    let conflict = game.set_rules(CHINESE).expect_err("the moves were legal");
    assert_eq!((conflict.number, conflict.reason), (7, IllegalMove::Superko));
    assert_eq!((*game.rules(), game.forbidden()), (JAPANESE, None));
}

#[test]
fn stones_set_up_in_mid_game_take_nothing_away() {
    let set_up = "(;SZ[9]HA[2]AB[cg][gc];W[ab];B[aa];W[ba];B[ee];AW[ii]C[added];W[cc];B[gg])";
    let mut game = load(set_up, None, AGA);
    assert_eq!((game.move_count(), game.moves().len()), (6, 2), "moves are counted from the last set-up");
    assert_eq!(game.start().board().stones(Color::White), 3);
    assert_eq!(game.position().board().captured(Color::Black), 1);
    assert_eq!([Color::Black, Color::White].map(|color| game.position().played(color)), [3, 3]);
    assert_eq!((game.handicap(), game.total_komi().points()), (2, 0.5 + 1.0));
    assert_eq!(text(&game).replace('\n', ""), set_up.replace("SZ[9]", "SZ[9]KM[0.5]RU[aga]"));
    game.undo(3).unwrap();
    assert_eq!((game.move_count(), game.moves().len(), game.handicap()), (3, 3, 2));
    assert_eq!(game.position().board().stones(Color::White), 2);
    assert_eq!(game.position().board().captured(Color::Black), 1);
    game.undo(1).unwrap();
    assert_eq!(game.position().board().captured(Color::Black), 0);
    assert_eq!(game.undo(3), Err(CannotUndo));
    // And forward again.
    while game.forward().unwrap() {}
    assert_eq!(view(&game), view(&load(set_up, None, AGA)));
    // Handicap that was played, not set up.
    let played = load("(;SZ[9];B[cg];B[gc];W[ee];AE[ee];W[dd])", None, CHINESE);
    assert_eq!((played.handicap(), played.move_count()), (2, 4));
    // Whose turn it is, said in mid-game.
    let mut turn = load("(;SZ[9];B[cg];PL[B];B[gc])", None, CHINESE);
    assert_eq!((turn.moves().len(), turn.position().to_move()), (2, Color::White));
    turn.undo(1).unwrap();
    assert_eq!(turn.position().to_move(), Color::Black, "as the node says");
    turn.back();
    assert_eq!(turn.position().to_move(), Color::White, "as it was before");
}

#[test]
fn starts_are_told_apart_by_prisoners_too() {
    let game = load("(;SZ[5];W[ab];B[aa];W[ba];B[ee])", None, CHINESE);
    assert_eq!(game.start_key(), game.start().board().hash());
    // The same stones, by a capture and without one.
    let one = load("(;SZ[5];W[ab];B[aa];W[ba];B[ee];AW[cc])", None, CHINESE);
    let none = load("(;SZ[5];W[ab];B[];W[ba];B[ee];AW[cc])", None, CHINESE);
    assert_eq!(one.start().board().hash(), none.start().board().hash());
    assert_ne!(one.start_key(), none.start_key());
}

#[test]
fn other_moves_make_variations() {
    let mut game = Game::new(9, CHINESE, None);
    play(&mut game, Color::Black, (2, 2)).unwrap();
    play(&mut game, Color::White, (6, 6)).unwrap();
    let first = game.cursor();
    game.undo(1).unwrap();
    play(&mut game, Color::White, (4, 4)).unwrap();
    let second = game.cursor();
    game.undo(1).unwrap();
    assert_eq!(game.variations(), [first, second]);
    // The same move is the same node.
    play(&mut game, Color::White, (6, 6)).unwrap();
    assert_eq!(game.cursor(), first);
    game.go_to(second).unwrap();
    assert_eq!(game.moves()[1].1, Move::Play(Point::new(4, 4, 9)));
    game.set_comment("better ] here");
    assert_eq!(game.comment().as_deref(), Some("better ] here"));
    // What is played is the main line of what is written.
    let written = sgf::write(&game.to_record(None));
    assert!(written.ends_with(";B[cg]\n(\n;W[ee]C[better \\] here]\n)\n(;W[gc])\n)"), "{written}");
    // The game's own record keeps its order.
    game.undo(1).unwrap();
    assert_eq!(game.variations(), [first, second]);
    game.set_comment("");
    assert_eq!(game.comment(), None);
}

#[test]
fn moves_taken_back_are_not_written_but_those_loaded_are() {
    let loaded = "(;SZ[9]KM[7]RU[chinese];B[aa](;W[bb];B[cc])(;W[dd]))";
    let mut game = load(loaded, None, CHINESE);
    play(&mut game, Color::White, (8, 8)).unwrap();
    assert!(text(&game).contains(";B[cc]\n;W[ia]\n"));
    game.undo(2).unwrap();
    assert_eq!(
        sgf::read(text(&game).as_bytes()),
        sgf::read(b"(;SZ[9]KM[7]RU[chinese];B[aa](;W[bb];B[cc];W[ia])(;W[dd]))")
    );
    game.forward().unwrap();
    assert_eq!(
        sgf::read(text(&game).as_bytes()),
        sgf::read(loaded.as_bytes()),
        "the move after the cursor was taken back"
    );
    assert_eq!(game.forward(), Ok(true), "it can be made again all the same");
}

#[test]
fn the_result_stands_at_the_end_of_an_unchanged_record() {
    let mut game = load("(;SZ[9]RE[W+R];B[aa];W[bb])", None, CHINESE);
    assert_eq!(game.recorded_result(), Some("W+R"));
    game.undo(1).unwrap();
    assert_eq!(game.recorded_result(), None);
    assert!(text(&game).contains("RE[W+R]"), "the record is still that of this game");
    game.forward().unwrap();
    assert_eq!(game.recorded_result(), Some("W+R"));
    game.undo(1).unwrap();
    play(&mut game, Color::White, (4, 4)).unwrap();
    assert_eq!(game.recorded_result(), None);
    assert!(!text(&game).contains("RE["));
    // Not where it is not reached.
    let game = load("(;SZ[9]RE[W+R];B[aa];W[bb])", Some(2), CHINESE);
    assert_eq!((game.recorded_result(), game.move_count()), (None, 1));
}

#[test]
fn the_result_of_another_line_is_not_that_of_this_one() {
    let record = "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[B+R];B[ee](;W[ce])(;W[ec]))";
    let mut game = load(record, None, CHINESE);
    assert!(text(&game).contains("RE[B+R]"));
    game.undo(1).expect("a move");
    play(&mut game, Color::White, (4, 6)).expect("the other variation");
    assert!(!text(&game).contains("RE["), "{}", text(&game));
}

#[test]
fn a_result_can_be_taken_out_before_a_node_without_properties() {
    let mut game = load("(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[B+R];)", None, CHINESE);
    game.set_komi(Komi::new(6.0).expect("a komi"));
    assert_eq!(text(&game), "(;GM[1]FF[4]SZ[9]KM[6]RU[Chinese]\n;\n)");
}

#[test]
fn a_komi_that_nobody_understands_stays_until_another_one_is_chosen() {
    let mut game = load("(;GM[1]FF[4]SZ[9]KM[some]RU[Chinese];B[ee])", None, CHINESE);
    assert!(text(&game).contains("KM[some]"), "{}", text(&game));
    game.set_komi(Komi::new(6.0).expect("a komi"));
    assert!(text(&game).contains("KM[6]"), "{}", text(&game));
}

#[test]
fn a_handicap_in_the_root_is_that_of_the_stones_in_the_next_node() {
    let game = load("(;GM[1]SZ[19]RU[Chinese]KM[0]HA[4];AB[dd][pp][dp][pd]PL[W];W[qf])", None, CHINESE);
    assert_eq!((game.handicap(), game.total_komi().points()), (4, 4.0));
}

#[test]
fn a_text_beyond_ascii_says_that_it_is_in_utf_8() {
    let read = |bytes: &[u8]| sgf::write(&sgf::read(bytes).expect("a record"));
    assert_eq!(read(b"(;GM[1]FF[4]PB[J\xfcrgen])"), "(;CA[UTF-8]GM[1]FF[4]PB[Jürgen]\n)");
    assert_eq!(read(b"(;GM[1]FF[4]PB[Juergen])"), "(;GM[1]FF[4]PB[Juergen]\n)");
    assert_eq!(read("(;CA[GBK]PB[围])".as_bytes()), "(;CA[UTF-8]PB[围]\n)");
}

#[test]
fn what_a_record_names_is_in_force_for_it_alone() {
    let komi = |points| Komi::new(points).ok();
    let record = sgf::read(b"(;SZ[9]KM[6.5]RU[Japanese];B[aa])").unwrap();
    let mut game = Game::load(record, None, CHINESE, komi(5.5)).unwrap();
    assert_eq!((*game.rules(), Some(game.komi())), (JAPANESE, komi(6.5)));
    assert_eq!((*game.chosen_rules(), game.chosen_komi()), (CHINESE, komi(5.5)));
    game.set_komi(Komi::ZERO);
    game.set_rules(AGA).unwrap();
    assert_eq!((*game.rules(), game.komi()), (AGA, Komi::ZERO));
    assert_eq!((*game.chosen_rules(), game.chosen_komi()), (AGA, Some(Komi::ZERO)));
    assert_eq!(text(&game).replace('\n', ""), "(;SZ[9]KM[0]RU[aga];B[aa])");
    // Rules that are not understood stay in the record until others are chosen.
    let mut game = load("(;SZ[9]RU[Rules of the house]KM[375];B[aa])", None, CHINESE);
    assert_eq!(text(&game).replace('\n', ""), "(;SZ[9]RU[Rules of the house]KM[375];B[aa])");
    game.set_rules(AGA).unwrap();
    assert_eq!(text(&game).replace('\n', ""), "(;SZ[9]RU[aga]KM[375];B[aa])");
}

#[test]
fn lines_beyond_all_measure_are_refused() {
    // Twelve points of the lowest rows are taken again and again: superko would be asked at each play.
    let line = |plays: usize| format!("(;SZ[2]{})", ";B[ab];W[ba];B[aa];W[bb];B[ab];W[aa]".repeat(plays / 6));
    let record = sgf::read(line(60_000).as_bytes()).unwrap();
    assert_eq!(Game::load(record.clone(), None, JAPANESE, None).err(), Some(LoadError::Follow(CannotFollow::TooLong)));
    let mut game = Game::load(record, Some(10_001), JAPANESE, None).unwrap();
    assert_eq!(game.move_count(), 10_000);
    game.undo(5000).unwrap();
    assert_eq!(game.move_count(), 5000);
    // Passes are compared with nothing.
    let passes = sgf::read(format!("(;SZ[2]{})", ";B[];W[]".repeat(60_000)).as_bytes()).unwrap();
    assert_eq!(Game::load(passes, None, JAPANESE, None).unwrap().move_count(), 120_000);
}
