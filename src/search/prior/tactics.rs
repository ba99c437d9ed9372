//! Captures, escapes, ataris and self-ataris, with ladders read out.

use super::{Candidate, Context};
use crate::go::ladder::Ladders;
use crate::go::shape::{for_enemy_neighbors, is_self_atari, liberties_after};
use crate::go::{Board, Cell, Color, Point};

/// Strengths of table 1 in Coulom 2007.
const CAPTURE_NEXT_TO_OWN_ATARI: f32 = 30.68;
const CAPTURE_NOT_IN_LADDER: f32 = 3.43;
const CAPTURE_IN_LADDER: f32 = 0.3;
const ESCAPE: f32 = 11.37;
const ESCAPE_INTO_LADDER: f32 = 0.06;
const SELF_ATARI: f32 = 0.06;
const ATARI_IN_LADDER: f32 = 1.58;
const ATARI_OTHER: f32 = 1.7;
const ATARI_WITH_KO: f32 = 10.24;

/// A ladder that takes its prey is worth more than the paper's mean over all ladders, and one against a single
/// stone less than one against many; own values.
const WORKING_LADDER: f32 = 3.0;

/// Adjusts the strengths of the plays.
pub fn apply(context: &mut Context<'_>, candidates: &mut [Candidate]) {
    let board = context.position.board();
    context.ladders.refill();
    for candidate in candidates {
        if let Some(p) = candidate.mv.point() {
            candidate.strength *= strength(board, context.color, p, context.ladders);
        }
    }
}

fn strength(board: &Board, color: Color, point: Point, ladders: &mut Ladders) -> f32 {
    let mut strength = 1.0;
    let mut captures = false;
    for near in board.adjacent(point) {
        if board.cell(near) == Cell::Border || board.cell(near) == Cell::Empty {
            continue;
        }
        if board.cell(near) == color.other().cell() {
            captures |= board.liberties(near).is_atari();
            strength *= against(board, color, point, near, ladders);
        } else if board.liberties(near).is_atari() {
            strength *= escape(board, color, point, near, ladders);
        }
    }
    if !captures && is_self_atari(board, color, point) {
        strength *= SELF_ATARI;
    }
    strength
}

/// A play next to an enemy chain.
fn against(board: &Board, color: Color, point: Point, prey: Point, ladders: &mut Ladders) -> f32 {
    if board.liberties(prey).is_atari() {
        let mut saves_own = false;
        for_enemy_neighbors(board, prey, |near| {
            saves_own |= board.liberties(near).is_atari();
            !saves_own
        });
        if saves_own {
            return CAPTURE_NEXT_TO_OWN_ATARI;
        }
        // Left alone, would it get away?
        return if ladders.escapes(board, prey) { CAPTURE_NOT_IN_LADDER } else { CAPTURE_IN_LADDER };
    }
    let mut liberties = [Point::NONE; 3];
    if board.first_liberties(prey, &mut liberties) != 2 {
        return 1.0;
    }
    if board.ko().is_some() {
        return ATARI_WITH_KO;
    }
    if ladders.atari_captures(board, color, prey, point) { ATARI_IN_LADDER * WORKING_LADDER } else { ATARI_OTHER }
}

/// An extension of an own chain in atari.
fn escape(board: &Board, color: Color, point: Point, chain: Point, ladders: &mut Ladders) -> f32 {
    match liberties_after(board, color, point, 3) {
        0 | 1 => 1.0,
        2 if ladders.is_caught_after(board, color, point, chain) => ESCAPE_INTO_LADDER,
        _ => ESCAPE,
    }
}
