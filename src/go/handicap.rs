//! Where handicap stones go.

use super::point::Point;
use super::size::Size;

/// Why no such handicap exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of this size has fixed points for {most} handicap stones at most, and at least 2 are needed")]
pub struct NoFixedHandicap {
    /// The largest fixed handicap of this size; 0 if the size has none.
    pub most: usize,
}

/// Why a board has no free handicap of so many stones, as a sentence without its end.
pub fn no_free_handicap(size: Size, stones: usize) -> String {
    match stones {
        0 | 1 => "a handicap has 2 stones or more".into(),
        _ => format!("a board of {size:#} has no room for {stones} handicap stones"),
    }
}

/// The largest fixed handicap of a size: none below 7, four on 7 and on even sizes, nine on other sizes (GTP version 2
/// draft 2, §4.1.1). On a rectangle, both sides have to allow it, as in KataGo.
pub fn most_fixed(size: impl Into<Size>) -> usize {
    let of_side = |side: usize| match side {
        0..=6 => 0,
        7 => 4,
        n if n % 2 == 0 => 4,
        _ => 9,
    };
    let size = size.into();
    of_side(size.width()).min(of_side(size.height()))
}

/// The fixed points for a number of stones, in the order of the specification. Corners: lower left, upper right, upper
/// left, lower right. Then the middles of the left, right, lower and upper sides. Five, seven and nine stones include
/// the centre. Corner points lie on the third line on boards below 13, on the fourth line on larger boards. On a
/// rectangle, the columns follow from the number of columns, and the rows from the number of rows, as in KataGo.
///
/// # Errors
/// If this size has no fixed points for so many stones.
pub fn fixed(size: impl Into<Size>, stones: usize) -> Result<Vec<Point>, NoFixedHandicap> {
    let size = size.into();
    let most = most_fixed(size);
    if !(2..=most).contains(&stones) {
        return Err(NoFixedHandicap { most });
    }
    let lines = |side: usize| {
        let low = if side < 13 { 2 } else { 3 };
        (low, side - 1 - low, side / 2)
    };
    let ((left, right, center), (low, high, middle)) = (lines(size.width()), lines(size.height()));
    let corners = [(left, low), (right, high), (left, high), (right, low)];
    let sides = [(left, middle), (right, middle), (center, low), (center, high)];
    let mut places: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    if stones >= 6 {
        places.extend(&sides[..if stones >= 8 { 4 } else { 2 }]);
    }
    if matches!(stones, 5 | 7 | 9) {
        places.push((center, middle));
    }
    Ok(places.into_iter().map(|(column, row)| Point::new(column, row, size)).collect())
}

/// Good points for exactly so many handicap stones on the empty board: first the fixed points, then points far from
/// each other on the third line or above, on small boards on the second. The edge comes last.
///
/// Returns `None` for a number below 2, or if White would have no point to play on.
pub fn free(size: impl Into<Size>, stones: usize) -> Option<Vec<Point>> {
    let size = size.into();
    if stones < 2 || stones >= size.points() {
        return None;
    }
    if let Ok(points) = fixed(size, stones) {
        return Some(points);
    }
    let mut points = fixed(size, most_fixed(size).min(stones)).unwrap_or_default();
    while points.len() < stones {
        let next = size
            .places()
            .map(|(column, row)| Point::new(column, row, size))
            .filter(|p| !points.contains(p))
            .max_by_key(|&p| (!is_on_edge(p, size), room(p, &points, size), std::cmp::Reverse(p.index())))?;
        points.push(next);
    }
    Some(points)
}

fn is_on_edge(point: Point, size: Size) -> bool {
    size.line(point.column(size), point.row(size)) == 0
}

/// The quality of a point beside the taken points. Far from them is good, the third and fourth lines are best, the
/// first two lines are worst.
fn room(point: Point, taken: &[Point], size: Size) -> usize {
    let (x, y) = (point.column(size), point.row(size));
    let nearest = taken
        .iter()
        .map(|t| t.column(size).abs_diff(x).pow(2) + t.row(size).abs_diff(y).pow(2))
        .min()
        .unwrap_or(size.points());
    // Squared distance in quarters. The line decides between points at about the same distance.
    let line = match size.line(x, y) {
        0 => 0,
        1 => 2,
        2 | 3 => 6,
        _ => 4,
    };
    nearest.min(36) * 4 * (1 + line)
}
