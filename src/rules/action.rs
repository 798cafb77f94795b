//! Actions and sets of actions.

use std::fmt;
use std::hint::select_unpredictable;

use super::const_for;
use crate::base::cpu::Pdep;

/// The most actions a game may have; an [`ActionSet`] has one bit for each.
pub const MAX_ACTIONS: usize = 192;

const WORDS: usize = MAX_ACTIONS / 64;

/// One micro-action: an id below the game's `NUM_ACTIONS`. Each game's `moves.rs` says what its ids mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(pub u16);

impl Action {
    /// The id as an index.
    #[cfg_attr(fast, inline(always))]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What an action is, as numbers: what programs read instead of its name.
///
/// ```
/// use sarai::rules::action::ActionFields;
/// let fields = ActionFields::of("step").from(13).to(8).die(5);
/// assert_eq!((fields.kind, fields.from, fields.to, fields.die), ("step", 13, 8, 5));
/// assert_eq!(ActionFields::of("pass").die, -1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionFields {
    /// What is done, a word.
    pub kind: &'static str,
    /// Where the piece stands that it is done with, in the numbers of the game's board; -1 where that is none.
    pub from: i16,
    /// Where it comes down; -1 where it does not, or where that is not the action's alone to say.
    pub to: i16,
    /// The die or distance that is played; -1 where it is none.
    pub die: i16,
}

impl ActionFields {
    /// Only a kind.
    pub const fn of(kind: &'static str) -> Self {
        ActionFields { kind, from: -1, to: -1, die: -1 }
    }

    /// The same from here.
    pub const fn from(self, from: u8) -> Self {
        ActionFields { from: from as i16, ..self }
    }

    /// The same to here.
    pub const fn to(self, to: u8) -> Self {
        ActionFields { to: to as i16, ..self }
    }

    /// The same by this die.
    pub const fn die(self, die: u8) -> Self {
        ActionFields { die: die as i16, ..self }
    }
}

/// A set of actions as bits: `Copy`, no allocation, iterated in ascending order.
///
/// ```
/// use sarai::{Action, ActionSet};
/// let set: ActionSet = [Action(3), Action(130)].into_iter().collect();
/// assert!(set.contains(Action(130)));
/// assert_eq!(set.nth(1), Some(Action(130)));
/// assert_eq!(set.iter().map(|a| a.0).collect::<Vec<_>>(), [3, 130]);
/// // Ids past the last bit are never members.
/// assert!(!set.contains(Action(60_000)));
/// assert_eq!(set.nth(2), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ActionSet {
    words: [u64; WORDS],
}

impl ActionSet {
    /// The set with no action.
    pub const EMPTY: ActionSet = ActionSet { words: [0; WORDS] };

    /// The set whose action `64 * w + b` is present when bit `b` of `words[w]` is.
    #[cfg_attr(fast, inline(always))]
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        ActionSet { words }
    }

    /// The bits, as [`ActionSet::from_words`] takes them.
    #[cfg_attr(fast, inline(always))]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.words
    }

    /// Adds an action.
    ///
    /// # Panics
    /// When the id is not below [`MAX_ACTIONS`].
    #[cfg_attr(fast, inline(always))]
    pub fn insert(&mut self, action: Action) {
        self.words[action.index() >> 6] |= 1 << (action.0 & 63);
    }

    /// Whether the action is in the set. False for any id out of range.
    #[cfg_attr(fast, inline(always))]
    pub fn contains(&self, action: Action) -> bool {
        let word = action.index() >> 6;
        word < WORDS && self.words[word] >> (action.0 & 63) & 1 != 0
    }

    /// How many actions are in the set.
    #[cfg_attr(fast, inline(always))]
    pub fn len(&self) -> usize {
        self.words.iter().map(|&word| count(word) as usize).sum()
    }

    /// Whether the set has no action.
    #[cfg_attr(fast, inline(always))]
    pub fn is_empty(&self) -> bool {
        self.words == [0; WORDS]
    }

    /// The member with `rank` smaller members, or `None` when there are no more than `rank` members.
    #[cfg_attr(fast, inline(always))]
    pub fn nth(&self, rank: usize) -> Option<Action> {
        let rank = u32::try_from(rank).ok()?;
        match Pdep::new() {
            Some(pdep) => self.nth_by(pdep, rank),
            None => self.nth_without(rank),
        }
    }

    /// Without a branch: which word the member is in is as random in a playout as its rank.
    #[cfg_attr(fast, inline(always))]
    fn nth_by(&self, pdep: Pdep, rank: u32) -> Option<Action> {
        let [a, b, c] = self.words;
        let first = a.count_ones();
        let second = first + b.count_ones();
        if rank >= second + c.count_ones() {
            return None;
        }
        let (in_first, in_second) = (rank < first, rank < second);
        let word = select_unpredictable(in_first, a, select_unpredictable(in_second, b, c));
        let before = select_unpredictable(in_first, 0, select_unpredictable(in_second, first, second));
        let base = select_unpredictable(in_first, 0, select_unpredictable(in_second, 64, 128));
        let bit = pdep.deal(1 << (rank - before), word).trailing_zeros();
        Some(Action((base + bit) as u16))
    }

    /// Where counting is dear, it is done for as few words as may be.
    #[cfg_attr(fast, inline(always))]
    fn nth_without(&self, mut rank: u32) -> Option<Action> {
        for (index, &word) in self.words.iter().enumerate() {
            let count = count(word);
            if rank < count {
                let bit = select(word, rank);
                return Some(Action((index as u32 * 64 + bit) as u16));
            }
            rank -= count;
        }
        None
    }

    /// The members in ascending order.
    #[cfg_attr(fast, inline(always))]
    pub fn iter(&self) -> Actions {
        Actions { words: self.words }
    }

    /// Writes 1 for each member and 0 for every other id below `mask.len()`.
    ///
    /// # Panics
    /// When `mask` is longer than [`MAX_ACTIONS`].
    #[cfg_attr(fast, inline(always))]
    pub fn write_mask(&self, mask: &mut [i8]) {
        assert!(mask.len() <= MAX_ACTIONS, "a mask has at most {MAX_ACTIONS} cells");
        match Pdep::new() {
            Some(pdep) => self.write_mask_by(mask, |byte| pdep.deal(byte as u64, ONES)),
            None => self.write_mask_by(mask, spread),
        }
    }

    /// The same by what makes cells of the eight bits of a byte, lowest first.
    #[cfg_attr(fast, inline(always))]
    fn write_mask_by(&self, mask: &mut [i8], spread: impl Fn(u8) -> u64) {
        let spread = |byte| spread(byte).to_le_bytes().map(|cell| cell as i8);
        for (cells, word) in mask.chunks_mut(64).zip(self.words) {
            // Most words of a set are empty.
            if word == 0 {
                cells.fill(0);
                continue;
            }
            let mut chunks = cells.chunks_exact_mut(8);
            let mut bytes = word.to_le_bytes().into_iter();
            for (chunk, byte) in (&mut chunks).zip(&mut bytes) {
                chunk.copy_from_slice(&spread(byte));
            }
            let rest = chunks.into_remainder();
            let last = spread(bytes.next().unwrap_or(0));
            rest.copy_from_slice(&last[..rest.len()]);
        }
    }
}

/// A set lowest bit in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The eight bits of a byte as the lowest bits of eight, lowest first.
#[cfg_attr(fast, inline(always))]
fn spread(byte: u8) -> u64 {
    // Cell i keeps bit i of its own copy of the byte; adding 0x7f then carries any kept bit into bit 7.
    let kept = (byte as u64).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    ((kept + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & ONES
}

/// How many bits are set. Most words of a set are empty, and counting without a machine instruction for it is dear.
#[cfg_attr(fast, inline(always))]
fn count(word: u64) -> u32 {
    if word == 0 { 0 } else { word.count_ones() }
}

/// The position of the set bit with `rank` set bits below it.
///
/// Without a branch: which rank is asked for is random in a playout, and a loop over the bits would end where the
/// processor does not expect it.
#[cfg_attr(fast, inline(always))]
fn select(word: u64, rank: u32) -> u32 {
    const HIGHS: u64 = ONES << 7;
    // Byte i holds how many bits are set in bytes 0 to i.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // A high bit for each byte that ends before the bit.
    let before = (((rank as u64 * ONES) | HIGHS) - sums) & HIGHS;
    let place = ((before >> 7).wrapping_mul(ONES) >> 53) as u32 & !7;
    let within = rank - ((sums << 8) >> (place & 63)) as u8 as u32;
    place + IN_BYTE[(within & 7) as usize][(word >> (place & 63)) as u8 as usize] as u32
}

/// The position of the set bit of a byte with so many set bits below it, by that rank and the byte; 0 if there is none.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    const_for!(0, 256, |byte| {
        let mut rank = 0;
        const_for!(0, 8, |bit| {
            if byte >> bit & 1 != 0 {
                table[rank][byte] = bit as u8;
                rank += 1;
            }
        });
    });
    table
};

impl FromIterator<Action> for ActionSet {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut set = ActionSet::EMPTY;
        for action in actions {
            set.insert(action);
        }
        set
    }
}

impl fmt::Debug for ActionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|action| action.0)).finish()
    }
}

impl IntoIterator for ActionSet {
    type Item = Action;
    type IntoIter = Actions;
    fn into_iter(self) -> Actions {
        self.iter()
    }
}

/// The members of an [`ActionSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct Actions {
    words: [u64; WORDS],
}

impl Iterator for Actions {
    type Item = Action;

    #[cfg_attr(fast, inline(always))]
    fn next(&mut self) -> Option<Action> {
        for (index, word) in self.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(Action((index as u32 * 64 + bit) as u16));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::cpu::{Level, use_at_most};
    use proptest::prelude::*;

    /// A set does the same with the instructions of this processor and without.
    fn both(set: ActionSet, rank: u32, cells: usize) -> Vec<(Option<Action>, Vec<i8>)> {
        let mut without = vec![7; cells];
        set.write_mask_by(&mut without, spread);
        let mut all = vec![(set.nth_without(rank), without)];
        use_at_most(Level::Pdep);
        if let Some(pdep) = Pdep::new() {
            let mut mask = vec![7; cells];
            set.write_mask_by(&mut mask, |byte| pdep.deal(byte as u64, ONES));
            all.push((set.nth_by(pdep, rank), mask));
        }
        all
    }

    proptest! {
        #[test]
        fn a_set_agrees_with_a_list(words: [u64; WORDS], empty in 0..8, cells in 1..=MAX_ACTIONS) {
            let words = std::array::from_fn(|word| if empty >> word & 1 == 0 { words[word] } else { 0 });
            let set = ActionSet::from_words(words);
            let list: Vec<Action> =
                (0..MAX_ACTIONS as u16).map(Action).filter(|&a| set.contains(a)).collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), list.clone());
            prop_assert_eq!(set.len(), list.len());
            for rank in 0..=list.len() {
                prop_assert_eq!(set.nth(rank), list.get(rank).copied());
                for (nth, mask) in both(set, rank as u32, cells) {
                    prop_assert_eq!(nth, list.get(rank).copied());
                    for (id, &cell) in mask.iter().enumerate() {
                        prop_assert_eq!(cell, set.contains(Action(id as u16)) as i8);
                    }
                }
            }
            #[cfg(target_pointer_width = "64")]
            prop_assert_eq!(set.nth(1 << 32), None);
            let mut mask = vec![7; cells];
            set.write_mask(&mut mask);
            for (id, &cell) in mask.iter().enumerate() {
                prop_assert_eq!(cell, set.contains(Action(id as u16)) as i8);
            }
        }
    }
}
