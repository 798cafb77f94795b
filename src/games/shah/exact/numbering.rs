//! Positions as numbers: sets of points up to the symmetries of the board, and sets of points among those that are left.
//!
//! The stones of the side to move make the row: the sets of so many points that a symmetry makes equal are one row, which
//! stands for the smallest of them, read as a number, and rows are in ascending order of these. The stones of the other
//! side make the column: turned by the same symmetry, they are a set of the points that the row leaves free, and columns
//! are in ascending order of these sets, read as numbers of the free points alone.

use std::array;

use super::super::board::{ALL, ByByte, POINTS, bytes, symmetries};
use crate::exact::solvable::Place;
use crate::rules::gather;

/// The most stones of one side.
const MOST: usize = 12;

/// A bit of a row's word that says that a symmetry leaves its set as it is.
const SYMMETRIC: u32 = 1 << 31;

/// What three bytes of a set give together.
#[cfg_attr(fast, inline(always))]
pub(super) fn union(table: &ByByte<u32>, set: u32) -> u32 {
    let [a, b, c] = bytes(set);
    table[0][a] | table[1][b] | table[2][c]
}

/// The sets of one number of points.
struct Sets {
    /// The smallest set of each row, and whether it is symmetric.
    rows: Vec<u32>,
    /// Of each set, by its rank: its row, and the number of a symmetry that makes it the smallest of it.
    places: Vec<u32>,
    /// The sets of the lowest points in ascending order, as far as there may be columns.
    columns: Vec<u32>,
}

/// The tables behind rows and columns.
pub(super) struct Numbering {
    symmetries: Vec<ByByte<u32>>,
    /// The number of the symmetry that undoes each.
    inverses: Vec<u32>,
    /// How many sets of as many points, bits of a byte among them, come before: by byte, by how many points are in the
    /// bytes below, by the value of the byte.
    ranks: Box<[[[u32; 256]; MOST + 1]; 3]>,
    /// The bits of the second byte at the set bits of the first, moved together.
    gathered: Box<[[u8; 256]; 256]>,
    sets: Vec<Sets>,
}

/// How many subsets of `k` items `n` items have.
pub(super) fn binomial(n: usize, k: usize) -> u32 {
    (0..k).fold(1u64, |product, i| product * n.saturating_sub(i) as u64 / (i as u64 + 1)) as u32
}

impl Numbering {
    /// The numbering of positions with `least` to `most` stones on each side, at most [`MOST`].
    pub(super) fn new(least: usize, most: usize) -> Self {
        let all = symmetries();
        let symmetries = all.iter().map(|images| array::from_fn(|byte| turned_bytes(images, byte))).collect();
        let ranks = Box::new(array::from_fn(|byte| {
            array::from_fn(|below| {
                array::from_fn(|value: usize| {
                    let bits = (0..8).filter(|bit| value >> bit & 1 != 0).enumerate();
                    bits.map(|(n, bit)| binomial(8 * byte + bit, below + n + 1)).sum()
                })
            })
        }));
        let gathered = (0..256).map(|mask: usize| {
            array::from_fn(|value: usize| {
                let kept = (0..8).filter(|bit| mask >> bit & 1 != 0).enumerate();
                kept.fold(0u8, |out, (to, from)| out | ((value >> from & 1) as u8) << to)
            })
        });
        let gathered: Vec<[u8; 256]> = gathered.collect();
        let gathered = gathered.into_boxed_slice().try_into().expect("256 masks");
        let undoes = |one: &[u8; POINTS], other: &[u8; POINTS]| {
            (0..POINTS).all(|point| other[one[point] as usize] as usize == point)
        };
        let inverse = |one| all.iter().position(|other| undoes(one, other)).expect("symmetries are a group");
        let inverses = all.iter().map(|one| inverse(one) as u32).collect();
        let mut numbering = Numbering { symmetries, inverses, ranks, gathered, sets: Vec::new() };
        for count in 0..=most {
            let sets = if count < least {
                Sets { rows: Vec::new(), places: Vec::new(), columns: Vec::new() }
            } else {
                numbering.sets_of(count, least)
            };
            numbering.sets.push(sets);
        }
        numbering
    }

    fn sets_of(&self, count: usize, least: usize) -> Sets {
        let mut rows = Vec::new();
        let mut places = vec![u32::MAX; binomial(POINTS, count) as usize];
        for (rank, set) in subsets(POINTS, count).enumerate() {
            if places[rank] != u32::MAX {
                continue;
            }
            // The smallest of its row, as no smaller one has claimed it. A symmetry takes it to an equal set: the one
            // that leads back is its inverse.
            let row = rows.len() as u32;
            let mut fixed = 0;
            for turn in 0..self.symmetries.len() {
                let image = self.turned(turn, set);
                fixed += (image == set) as u32;
                let place = &mut places[self.rank(image) as usize];
                if *place == u32::MAX {
                    *place = row << 4 | self.inverses[turn];
                }
            }
            rows.push(if fixed > 1 { set | SYMMETRIC } else { set });
        }
        Sets { rows, places, columns: subsets(POINTS - least, count).collect() }
    }

    /// The smallest of the positions that a symmetry makes equal: by the stones of who acts, then by those of the other.
    pub(super) fn smallest(&self, own: u32, other: u32) -> (u32, u32) {
        let sets = &self.sets[own.count_ones() as usize];
        let place = sets.places[self.rank(own) as usize];
        let (row, other) = (sets.rows[(place >> 4) as usize], self.turned(place as usize % 16, other));
        let own = row & ALL;
        if row & SYMMETRIC == 0 {
            return (own, other);
        }
        let same = (0..self.symmetries.len()).filter(|&turn| self.turned(turn, own) == own);
        (own, same.map(|turn| self.turned(turn, other)).min().expect("one moves nothing"))
    }

    /// How many symmetries there are.
    pub(super) fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// The image of a set under a symmetry.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn turned(&self, turn: usize, set: u32) -> u32 {
        union(&self.symmetries[turn], set)
    }

    /// How many sets of as many points are smaller.
    #[cfg_attr(fast, inline(always))]
    fn rank(&self, set: u32) -> u32 {
        let [a, b, c] = bytes(set);
        let low = (set & 0xff).count_ones() as usize % 16;
        let middle = (set & 0xffff).count_ones() as usize % 16;
        self.ranks[0][0][a] + self.ranks[1][low.min(MOST)][b] + self.ranks[2][middle.min(MOST)][c]
    }

    /// The points of `set` as numbers of the points of `free` alone.
    #[cfg_attr(fast, inline(always))]
    fn gather(&self, set: u32, free: u32) -> u32 {
        if let Some(gathered) = gather(set, free) {
            return gathered;
        }
        let ([a, b, c], [x, y, z]) = (bytes(set), bytes(free));
        let low = (free & 0xff).count_ones();
        let middle = (free & 0xffff).count_ones();
        self.gathered[x][a] as u32
            | (self.gathered[y][b] as u32) << low
            | (self.gathered[z][c] as u32) << middle
    }

    /// How many rows there are of so many stones.
    pub(super) fn rows(&self, count: usize) -> u32 {
        self.sets[count].rows.len() as u32
    }

    /// The stones that a row stands for, and whether a symmetry leaves them as they are.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn row(&self, count: usize, row: u32) -> (u32, bool) {
        let word = self.sets[count].rows[row as usize];
        (word & ALL, word & SYMMETRIC != 0)
    }

    /// The set of a column as numbers of the free points.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn column(&self, count: usize, column: u32) -> u32 {
        self.sets[count].columns[column as usize]
    }

    /// The place of a position with `count` stones to move; `turned` gives the other stones under a symmetry.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn place(&self, count: usize, own: u32, turned: impl FnOnce(usize) -> u32) -> Place {
        let sets = &self.sets[count];
        let place = sets.places[self.rank(own) as usize];
        let row = place >> 4;
        let free = ALL & !sets.rows[row as usize];
        Place { row, column: self.rank(self.gather(turned(place as usize % 16), free)) }
    }
}

/// The images of the points in one byte of a set, for each of its values.
fn turned_bytes(images: &[u8; POINTS], byte: usize) -> [u32; 256] {
    array::from_fn(|value| {
        (0..8).filter(|bit| value >> bit & 1 != 0).fold(0, |set, bit| set | 1 << images[8 * byte + bit])
    })
}

/// The subsets of `k` of the lowest `n` points, in ascending order.
fn subsets(n: usize, k: usize) -> impl Iterator<Item = u32> {
    let first = (1u32 << k) - 1;
    std::iter::successors((k <= n).then_some(first), move |&set| {
        if k == 0 {
            return None;
        }
        // The next number with as many bits: the lowest run of ones loses its top bit to the zero above it.
        let lowest = set & set.wrapping_neg();
        let raised = set + lowest;
        let next = raised | (((set ^ raised) >> 2) / lowest);
        (next >> n == 0).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_counted_and_ascend() {
        for (n, k) in [(24, 3), (21, 3), (5, 5), (12, 12), (12, 11), (24, 0)] {
            let all: Vec<u32> = subsets(n, k).collect();
            assert_eq!(all.len() as u32, binomial(n, k));
            assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(all.iter().all(|set| set.count_ones() == k as u32 && set >> n == 0));
        }
    }

    #[test]
    fn every_set_has_a_row_and_a_symmetry_that_leads_to_it() {
        let numbering = Numbering::new(3, 6);
        for count in 3..=6 {
            let (mut rank, mut weights) = (0, 0);
            for set in subsets(POINTS, count) {
                assert_eq!(numbering.rank(set), rank);
                rank += 1;
                let place = numbering.sets[count].places[numbering.rank(set) as usize];
                let (smallest, _) = numbering.row(count, place >> 4);
                assert_eq!(numbering.turned(place as usize % 16, set), smallest);
                assert!((0..16).all(|turn| numbering.turned(turn, set) >= smallest));
            }
            for row in 0..numbering.rows(count) {
                let (set, symmetric) = numbering.row(count, row);
                let fixed = (0..16).filter(|&turn| numbering.turned(turn, set) == set).count();
                assert_eq!(symmetric, fixed > 1);
                weights += 16 / fixed as u32;
            }
            assert_eq!(weights, binomial(POINTS, count));
        }
    }

    #[test]
    fn the_smallest_of_equal_positions_is_the_smallest_of_all_images() {
        let numbering = Numbering::new(0, 4);
        let images = |own, other| (0..16).map(move |turn| (turn, own, other));
        for own in subsets(POINTS, 2).chain([0]).chain(subsets(POINTS, 4).step_by(37)) {
            for other in subsets(POINTS, 3).step_by(101).filter(|other| other & own == 0) {
                let all = images(own, other);
                let image = |(turn, own, other)| (numbering.turned(turn, own), numbering.turned(turn, other));
                let smallest = all.clone().map(image).min().unwrap();
                for same in all.map(image) {
                    assert_eq!(numbering.smallest(same.0, same.1), smallest);
                }
            }
        }
    }
}
