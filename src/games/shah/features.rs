//! What players look at beyond the places of stones: mills, lines that may become mills, room to move. Inputs of networks.
//!
//! Each number is of one side; the viewer's come first, then the same of the enemy. Stones count as sliding, even while
//! they are being placed or may fly.

use super::board::{ALL, across, full, gaps, in_lines, in_mills, neighbours, slides};

/// What the numbers are.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("mills", "lines of three own stones, divided by 4"),
    ("pairs", "lines of two own stones and an empty point, divided by 4"),
    ("singles", "lines of one own stone and two empty points, divided by 8"),
    ("threats", "pairs that a stone next to the empty point can fill, divided by 4"),
    ("running", "threats that a stone of a mill can fill, and come back, divided by 2"),
    ("free", "threats that no enemy next to the empty point can block, divided by 2"),
    ("room", "empty points next to own stones, divided by 12"),
    ("stuck", "own stones that cannot move, divided by 9"),
    ("moves", "edges from own stones to empty points, divided by 16"),
];

const EACH: usize = PARTS.len();

/// Writes them for the viewer and the enemy, by the stones of each.
pub(super) fn write(own: u32, enemy: u32, out: &mut [f32]) {
    let empty = ALL & !(own | enemy);
    let (first, second) = out.split_at_mut(EACH);
    of_side(own, enemy, empty, first);
    of_side(enemy, own, empty, second);
}

#[cfg_attr(fast, inline(always))]
fn of_side(own: u32, enemy: u32, empty: u32, out: &mut [f32]) {
    let (lines, gone) = (in_lines(own), in_lines(empty));
    let pairs = gaps(lines, gone);
    let threats = pairs & across(own);
    let share = |count: u32, of: f32| count as f32 / of;
    out[0] = share(full(lines).count_ones(), 4.0);
    out[1] = share(pairs.count_ones(), 4.0);
    out[2] = share(gaps(gone, lines).count_ones(), 8.0);
    out[3] = share(threats.count_ones(), 4.0);
    out[4] = share((threats & across(in_mills(own))).count_ones(), 2.0);
    out[5] = share((threats & !across(enemy)).count_ones(), 2.0);
    out[6] = share((neighbours(own) & empty).count_ones(), 12.0);
    out[7] = share((own & !neighbours(empty)).count_ones(), 9.0);
    out[8] = share(slides(own, empty).count_ones(), 16.0);
}
