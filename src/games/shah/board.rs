//! The board as numbers: 24 points as bits of a word, 64 directed edges as bits of a longer one.
//!
//! ```text
//!  0 a7 ---------- 1 d7 ---------- 2 g7
//!   |  3 b6 ------ 4 d6 ------ 5 f6  |
//!   |   |  6 c5 -- 7 d5 -- 8 e5  |   |
//!  9 - 10 - 11            12 - 13 - 14
//!   |   | 15 c3 - 16 d3 - 17 e3  |   |
//!   | 18 b2 ----- 19 d2 ----- 20 f2  |
//! 21 a1 --------- 22 d1 --------- 23 g1
//! ```
//!
//! What the rules ask of a set of points is the union of what they ask of its points, so that it is looked up byte by
//! byte: three tables of 256 entries, made at compile time.

use std::array;

use crate::rules::const_for;

/// How many points the board has.
pub(super) const POINTS: usize = 24;

/// How many directed edges it has.
pub(super) const EDGES: usize = 64;

/// All points.
pub(super) const ALL: u32 = (1 << POINTS) - 1;

/// The name of each point: the file, then the rank.
pub(super) const NAMES: [&str; POINTS] = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3", "d3",
    "e3", "b2", "d2", "f2", "a1", "d1", "g1",
];

/// The points of each line, in order.
pub(super) const LINE_POINTS: [[u8; 3]; 16] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [9, 10, 11],
    [12, 13, 14],
    [15, 16, 17],
    [18, 19, 20],
    [21, 22, 23],
    [0, 9, 21],
    [3, 10, 18],
    [6, 11, 15],
    [1, 4, 7],
    [16, 19, 22],
    [8, 12, 17],
    [5, 13, 20],
    [2, 14, 23],
];

/// The points of each line.
pub(super) const LINES: [u32; 16] = {
    let mut lines = [0; 16];
    const_for!(0, 16, |line| {
        let [a, b, c] = LINE_POINTS[line];
        lines[line] = 1 << a | 1 << b | 1 << c;
    });
    lines
};

/// The other two points of both lines that a point lies in.
const REST: [[u32; 2]; POINTS] = {
    let mut rest = [[0; 2]; POINTS];
    const_for!(0, POINTS, |point| {
        let (mut line, mut found) = (0, 0);
        while line < 16 {
            if LINES[line] >> point & 1 != 0 {
                rest[point][found] = LINES[line] & !(1 << point);
                found += 1;
            }
            line += 1;
        }
    });
    rest
};

/// Which of its two lines are the first and the second of each point, in [`LINE_POINTS`], and its place within them.
const PLACES: [[(usize, usize); 2]; POINTS] = {
    let mut places = [[(0, 0); 2]; POINTS];
    const_for!(0, 16, |line| {
        const_for!(0, 3, |place| {
            // The first eight lines are the rows, the others the columns: each point lies in one of either.
            places[LINE_POINTS[line][place] as usize][line / 8] = (line, place);
        });
    });
    places
};

const fn adjacent(from: usize, to: usize) -> bool {
    const_for!(0, 16, |line| {
        let [a, b, c] = LINE_POINTS[line];
        let (a, b, c) = (a as usize, b as usize, c as usize);
        if (from == b && (to == a || to == c)) || (to == b && (from == a || from == c)) {
            return true;
        }
    });
    false
}

/// Where each directed edge leads from and to, in ascending order.
pub(super) const ENDS: [[u8; 2]; EDGES] = {
    let mut ends = [[0; 2]; EDGES];
    let mut edge = 0;
    const_for!(0, POINTS, |from| {
        const_for!(0, POINTS, |to| {
            if adjacent(from, to) {
                ends[edge] = [from as u8, to as u8];
                edge += 1;
            }
        });
    });
    assert!(edge == EDGES);
    ends
};

/// What belongs to a set of points, by each byte of the set.
pub(super) type ByByte<T> = [[T; 256]; 3];

/// Such a table, of things that have a point and bits each.
macro_rules! by_byte {
    ($count:expr, |$number:ident| $thing:expr) => {{
        let mut table = [[0; 256]; 3];
        const_for!(0, $count, |$number| {
            let (point, bits) = $thing;
            const_for!(0, 256, |byte| {
                if byte >> (point % 8) & 1 != 0 {
                    table[point as usize / 8][byte] |= bits;
                }
            });
        });
        table
    }};
}

/// The edges that begin in a set of points, and those that end there.
static LEAVING: ByByte<u64> = by_byte!(EDGES, |edge| (ENDS[edge][0], 1 << edge));
static ENTERING: ByByte<u64> = by_byte!(EDGES, |edge| (ENDS[edge][1], 1 << edge));

static BESIDE: ByByte<u32> = by_byte!(EDGES, |edge| (ENDS[edge][0], 1 << ENDS[edge][1]));

/// Bit `3 * line + place` for each point, in both of its lines.
static IN_LINES: ByByte<u64> = by_byte!(POINTS, |point| {
    let [(row, left), (column, up)] = PLACES[point];
    (point, 1 << (3 * row + left) | 1 << (3 * column + up))
});

/// The same bits for each point in its one line that has a neighbour of a set of points in its other line.
static ACROSS: ByByte<u64> = by_byte!(EDGES, |edge| {
    let [from, to] = ENDS[edge];
    let (near, there) = (PLACES[from as usize], PLACES[to as usize]);
    // An edge is part of one line.
    let (line, place) = there[if near[0].0 == there[0].0 { 1 } else { 0 }];
    (from, 1 << (3 * line + place))
});

/// The points of the columns that have such bits, from bit 24 on.
static OF_COLUMNS: ByByte<u32> = by_byte!(POINTS, |bit| (bit, 1 << LINE_POINTS[8 + bit / 3][bit % 3]));

/// A point by itself: its bit, and what [`in_lines`], [`across`] and [`neighbours`] make of that.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) bit: u32,
    pub(super) beside: u32,
    pub(super) lines: u64,
    pub(super) across: u64,
}

/// Each point, and some that stand nowhere, so that no bound is checked.
pub(super) static POINT: [Point; 32] = {
    let mut all = [Point { bit: 0, beside: 0, lines: 0, across: 0 }; 32];
    const_for!(0, POINTS, |point| {
        let bit = 1 << point;
        all[point] = Point { bit, beside: neighbours(bit), lines: in_lines(bit), across: across(bit) };
    });
    all
};

/// The lowest of the three bits of each line.
const FIRSTS: u64 = 0x2492_4924_9249;

/// The three bytes of a set of points.
#[cfg_attr(fast, inline(always))]
pub(super) const fn bytes(points: u32) -> [usize; 3] {
    [points as u8 as usize, (points >> 8) as u8 as usize, (points >> 16) as u8 as usize]
}

/// The edges on which a stone of these points may move to one of those (R5).
#[cfg_attr(fast, inline(always))]
pub(super) fn slides(from: u32, to: u32) -> u64 {
    let ([a, b, c], [x, y, z]) = (bytes(from), bytes(to));
    (LEAVING[0][a] | LEAVING[1][b] | LEAVING[2][c]) & (ENTERING[0][x] | ENTERING[1][y] | ENTERING[2][z])
}

/// The points that a neighbour of these points is: their own may be among them.
#[cfg_attr(fast, inline(always))]
pub(super) const fn neighbours(points: u32) -> u32 {
    let [a, b, c] = bytes(points);
    BESIDE[0][a] | BESIDE[1][b] | BESIDE[2][c]
}

/// How many mills the stone on `point` is part of: 0 to 2.
#[cfg_attr(fast, inline(always))]
pub(super) fn mills_at(stones: u32, point: usize) -> u32 {
    let [one, other] = REST[point];
    (stones & one == one) as u32 + (stones & other == other) as u32
}

/// Points as bits of their lines, so that all lines are looked at at once: three bits a line, and two for each point.
#[cfg_attr(fast, inline(always))]
pub(super) const fn in_lines(points: u32) -> u64 {
    let [a, b, c] = bytes(points);
    IN_LINES[0][a] | IN_LINES[1][b] | IN_LINES[2][c]
}

/// The points that stones can come to from outside a line, as bits of that line.
#[cfg_attr(fast, inline(always))]
pub(super) const fn across(stones: u32) -> u64 {
    let [a, b, c] = bytes(stones);
    ACROSS[0][a] | ACROSS[1][b] | ACROSS[2][c]
}

/// The lowest bit of each line that has all of its own.
#[cfg_attr(fast, inline(always))]
pub(super) fn full(lines: u64) -> u64 {
    lines & lines >> 1 & lines >> 2 & FIRSTS
}

/// The bits of lines that are the only ones missing there, where they are among those that are `empty`.
#[cfg_attr(fast, inline(always))]
pub(super) fn gaps(lines: u64, empty: u64) -> u64 {
    let first = empty & lines >> 1 & lines >> 2 & FIRSTS;
    let middle = lines & empty >> 1 & lines >> 2 & FIRSTS;
    let last = lines & lines >> 1 & empty >> 2 & FIRSTS;
    first | middle << 1 | last << 2
}

/// The stones that are part of a mill.
#[cfg_attr(fast, inline(always))]
pub(super) fn in_mills(stones: u32) -> u32 {
    let bits = full(in_lines(stones)) * 7;
    let [a, b, c] = bytes((bits >> POINTS) as u32);
    // The rows hold the points in their own order.
    bits as u32 & ALL | OF_COLUMNS[0][a] | OF_COLUMNS[1][b] | OF_COLUMNS[2][c]
}

/// The other two points of both lines that a point lies in.
#[cfg_attr(fast, inline(always))]
pub(super) fn lines_through(point: usize) -> [u32; 2] {
    REST[point]
}

/// Whether a set has fewer than three points, and whether it has exactly three. Taking out the lowest point one after
/// another is cheaper than counting them all.
#[cfg_attr(fast, inline(always))]
pub(super) fn under_three_or_three(set: u32) -> (bool, bool) {
    let without_lowest = |set: u32| set & set.wrapping_sub(1);
    let third = without_lowest(without_lowest(set));
    (third == 0, third != 0 && without_lowest(third) == 0)
}

/// How points may change places so that lines stay lines and neighbours stay neighbours, in ascending order: the first
/// moves nothing. `image[from]` is where a point goes.
pub(super) fn symmetries() -> Vec<[u8; POINTS]> {
    let beside = |a: u8, b: u8| ENDS.contains(&[a, b]);
    // Point by point, with every image that the neighbours so far allow.
    let mut partial: Vec<Vec<u8>> = vec![Vec::new()];
    for point in 0..POINTS as u8 {
        let mut longer = Vec::new();
        for images in &partial {
            for image in (0..POINTS as u8).filter(|image| !images.contains(image)) {
                if (0..point).all(|before| beside(before, point) == beside(images[before as usize], image)) {
                    longer.push([&images[..], &[image]].concat());
                }
            }
        }
        partial = longer;
    }
    let line = |images: &[u8], line: u32| {
        (0..POINTS).filter(|point| line >> point & 1 != 0).fold(0, |set, point| set | 1 << images[point])
    };
    let whole = partial.into_iter().filter(|images| LINES.iter().all(|&l| LINES.contains(&line(images, l))));
    whole.map(|images| array::from_fn(|point| images[point])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_sixteen_symmetries() {
        let all = symmetries();
        assert_eq!(all.len(), 16);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(all[0], array::from_fn(|point| point as u8));
        for images in &all {
            for ends in ENDS {
                assert!(ENDS.contains(&ends.map(|point| images[point as usize])));
            }
        }
        // A group: what two do one after another, one does.
        for one in &all {
            for other in &all {
                assert!(all.contains(&array::from_fn(|point| other[one[point] as usize])));
            }
        }
    }
}
