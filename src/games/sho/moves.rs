//! Moves of Sho: their ids, what is legal, what they do.
//!
//! | id | move |
//! |---|---|
//! | 0..=63 | move from source `s`: 0 a hand coin, `s` the stack on position `s` |
//! | 64..=127 | choose the value `id - 63` (1..=64) |
//! | 128 | bring all coins from hand to 9 (R12) |
//! | 129 | decline the overflow (R14) |

use super::board::{HAND, MAX_POOL, NINE, OFF};
use super::{COINS_SENT_HOME, KILLS, PA_RA, PaRa, Phase, STACKS, Sho, State};
use crate::rules::{Action, ActionSet, D6_FACES, Outcome, Player, Side, Tally, bits};

/// A move, as people think of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Move the stack on this position, or a hand coin where it is 0, by the chosen value.
    Source(u8),
    /// Choose the distance of the next move.
    Value(u8),
    /// Bring all coins from hand to 9 (R12).
    BringAll,
    /// Leave the overflow unused (R14).
    Decline,
}

impl Move {
    /// The id of the move.
    ///
    /// ```
    /// use sarai::games::sho::Move;
    /// assert_eq!(Move::Value(11).action().0, 74);
    /// assert_eq!(Move::from_action(sarai::Action(74)), Some(Move::Value(11)));
    /// assert_eq!(Move::from_action(sarai::Action(130)), None);
    /// ```
    pub const fn action(self) -> Action {
        Action(match self {
            Move::Source(source) => source as u16,
            Move::Value(value) => value as u16 + 63,
            Move::BringAll => 128,
            Move::Decline => 129,
        })
    }

    /// The move with this id; `None` where no move has it.
    pub const fn from_action(action: Action) -> Option<Move> {
        match action.0 {
            id @ 0..=63 => Some(Move::Source(id as u8)),
            id @ 64..=127 => Some(Move::Value((id - 63) as u8)),
            128 => Some(Move::BringAll),
            129 => Some(Move::Decline),
            _ => None,
        }
    }
}

const BRING_ALL_BIT: u64 = 1;
const DECLINE_BIT: u64 = 2;

/// How a moved stack came down (R6).
enum Landing {
    Place,
    Stack,
    /// `last`: the victim has no stack on the track any more.
    Kill {
        last: bool,
    },
    /// With the counts left unused.
    Finish(u8),
}

impl Sho {
    #[cfg_attr(fast, inline(always))]
    pub(super) fn side_index(&self, player: Player) -> usize {
        if self.rules.teams { player.index() & 1 } else { player.index() }
    }

    /// How many coins move from a source: one from hand, or `entry_coins` where the side has nothing out yet.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn size_at(&self, s: &State, side: usize, source: u8) -> u8 {
        if source != HAND {
            s.size[source as usize]
        } else if s.hand[side] == self.rules.coins {
            self.rules.entry_coins.min(self.rules.coins)
        } else {
            1
        }
    }

    /// The sources that can move by `value`: bit 0 a hand coin, bit `p` the stack on `p` (R6, R10).
    #[cfg_attr(fast, inline(always))]
    pub(super) fn sources(&self, s: &State, side: usize, value: u8) -> u64 {
        let own = s.track[side];
        let movers = own | (s.hand[side] != 0) as u64;
        // What would land past the last position goes off, which nothing forbids.
        let landing = movers.checked_shl(value as u32).unwrap_or(0) & self.on_track;
        let enemies = s.occupied() & !own;
        let mut illegal = 0;
        for target in bits(landing & enemies) {
            let source = target as u8 - value;
            let too_large = s.size[target] > self.size_at(s, side, source);
            illegal |= (too_large as u64) << source;
        }
        if !self.rules.niner_stack {
            for target in bits(landing & own) {
                let source = target as u8 - value;
                let all = s.size[target] + self.size_at(s, side, source) == self.rules.coins;
                illegal |= (all as u64) << source;
            }
        }
        movers & !illegal
    }

    /// Whether anything can move by `value`. Mostly some mover meets nobody, which is seen without looking at sizes.
    #[cfg_attr(fast, inline(always))]
    fn any_source(&self, s: &State, side: usize, value: u8) -> bool {
        let own = s.track[side];
        let movers = own | (s.hand[side] != 0) as u64;
        let met = if self.rules.niner_stack { s.occupied() & !own } else { s.occupied() };
        let unmet = movers & !(met & self.on_track).checked_shr(value as u32).unwrap_or(0);
        unmet != 0 || self.sources(s, side, value) != 0
    }

    /// Whether the source being asked for is the first of a split, whose second part must be playable (R13).
    #[cfg_attr(fast, inline(always))]
    fn asks_first_part(&self, s: &State) -> bool {
        self.rules.pa_ra == PaRa::Flexible && s.moved == 0 && s.pool.len() > 1 && s.value != s.pool.total()
    }

    /// The sources from which a split can begin with a part of `value` (R13).
    pub(super) fn first_part_sources(&self, s: &State, side: usize, value: u8) -> u64 {
        let rest = s.pool.total() - value;
        let mut legal = 0;
        for source in bits(self.sources(s, side, value)) {
            let mut after = *s;
            let landing = self.carry(&mut after, side, source as u8, value, &mut ());
            let playable = match landing {
                // The turn ends with this kill: nothing need be playable after it (R11).
                Landing::Kill { last: true } if self.rules.last_kill_ends_turn => true,
                Landing::Finish(_) => self.sources(&after, side, rest) != 0,
                _ => self.sources(&after, side, rest) & !(1 << (source as u8 + value)) != 0,
            };
            legal |= (playable as u64) << source;
        }
        legal
    }

    /// The values that may be chosen from the pool: bit `v - 1` for the value `v` (R9, R13).
    pub(super) fn values(&self, s: &State) -> u64 {
        let side = self.side_index(s.player);
        if self.rules.pa_ra == PaRa::Flexible {
            let total = s.pool.total();
            let splits = (1..total)
                .filter(|&value| self.first_part_sources(s, side, value) != 0)
                .fold(0, |values, value| values | 1 << (value - 1));
            if splits == 0 && self.sources(s, side, total) != 0 {
                return 1 << (total - 1);
            }
            return splits;
        }
        bits((s.pool.sums() >> 1) as u64)
            .filter(|&bit| self.any_source(s, side, bit as u8 + 1))
            .fold(0, |values, bit| values | 1 << bit)
    }

    /// Whether all coins may come from hand to 9 at once (R12).
    #[cfg_attr(fast, inline(always))]
    fn may_bring_all(&self, s: &State, side: usize) -> bool {
        s.six_three_roll
            && s.value == NINE
            && s.moved == 0
            && s.cleared >> side & 1 != 0
            && self.rules.num_shells > NINE
            && s.occupied() >> NINE & 1 == 0
            && !self.asks_first_part(s)
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal(&self, s: &State) -> ActionSet {
        let side = self.side_index(s.player);
        ActionSet::from_words(match s.phase {
            Phase::Source => {
                let bring_all = if self.may_bring_all(s, side) { BRING_ALL_BIT } else { 0 };
                let sources = if self.rules.pa_ra != PaRa::Flexible {
                    self.sources(s, side, s.value)
                } else if self.asks_first_part(s) {
                    self.first_part_sources(s, side, s.value)
                } else {
                    // The stack of the first part does not move again.
                    let first = if s.moved != 0 && s.moved != OFF { 1 << s.moved } else { 0 };
                    self.sources(s, side, s.value) & !first
                };
                [sources, 0, bring_all]
            }
            Phase::Value => [0, self.values(s), 0],
            Phase::Overflow => [self.sources(s, side, s.value), 0, DECLINE_BIT],
            Phase::First | Phase::Roll | Phase::Reroll | Phase::Over => [0; 3],
        })
    }

    /// Moves a stack or hand coins and settles what they meet (R6). The caller decides what follows.
    #[cfg_attr(fast, inline(always))]
    fn carry<T: Tally>(&self, s: &mut State, side: usize, source: u8, value: u8, tally: &mut T) -> Landing {
        let size = self.size_at(s, side, source);
        if source == HAND {
            s.hand[side] -= size;
            s.cleared &= !(1 << side);
        } else {
            s.track[side] &= !(1 << source);
            s.size[source as usize] = 0;
        }
        let target = source + value;
        if target >= self.rules.num_shells {
            s.off[side] += size;
            return Landing::Finish(target - self.rules.num_shells);
        }
        let at = target as usize;
        let bit = 1 << target;
        if s.track[side] & bit != 0 {
            s.size[at] += size;
            tally.add(STACKS, s.player, 1);
            return Landing::Stack;
        }
        let mut landing = Landing::Place;
        if s.occupied() & bit != 0 {
            let victim = (0..self.num_sides).find(|&v| s.track[v] & bit != 0).unwrap_or(0);
            let coins = s.size[at];
            s.track[victim] &= !bit;
            s.hand[victim] += coins;
            s.cleared |= ((s.hand[victim] == self.rules.coins) as u8) << victim;
            tally.add(KILLS, s.player, 1);
            tally.add(COINS_SENT_HOME, s.player, coins as u32);
            landing = Landing::Kill { last: s.track[victim] == 0 };
        }
        s.track[side] |= bit;
        s.size[at] = size;
        landing
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn play<T: Tally>(&self, s: &mut State, action: Action, tally: &mut T) {
        let side = self.side_index(s.player);
        match Move::from_action(action) {
            Some(Move::Value(value)) => {
                s.value = value;
                s.phase = Phase::Source;
            }
            Some(Move::Source(source)) if s.phase == Phase::Overflow => {
                let landing = self.carry(s, side, source, s.value, tally);
                s.value = 0;
                self.follow(s, side, landing, false);
            }
            Some(Move::Source(source)) => self.play_source(s, side, source, tally),
            Some(Move::BringAll) => {
                s.cleared &= !(1 << side);
                s.track[side] |= 1 << NINE;
                s.size[NINE as usize] = s.hand[side];
                s.hand[side] = 0;
                s.six_three_roll = false;
                self.end_turn(s);
            }
            Some(Move::Decline) | None => self.end_turn(s),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn play_source<T: Tally>(&self, s: &mut State, side: usize, source: u8, tally: &mut T) {
        let value = s.value;
        let first_part = self.asks_first_part(s);
        s.six_three_roll = false;
        if first_part {
            let rest = s.pool.total() - value;
            match self.carry(s, side, source, value, tally) {
                Landing::Kill { last: true } if self.rules.last_kill_ends_turn => {
                    return self.end_turn(s);
                }
                Landing::Finish(_) => s.moved = OFF,
                _ => s.moved = source + value,
            }
            s.pool.clear();
            s.pool.push(rest);
            s.value = rest;
            return;
        }
        if s.pool.len() == 1 || self.rules.pa_ra == PaRa::Flexible {
            s.pool.clear();
        } else {
            s.pool.spend(value);
        }
        s.value = 0;
        s.moved = 0;
        let landing = self.carry(s, side, source, value, tally);
        self.follow(s, side, landing, self.rules.finish_overflow);
    }

    /// What a deciding move leads to: a win, the overflow, another throw, or the end of the turn (R7, R8, R11, R14).
    #[cfg_attr(fast, inline(always))]
    fn follow(&self, s: &mut State, side: usize, landing: Landing, overflow: bool) {
        match landing {
            Landing::Finish(_) if s.off[side] == self.rules.coins => {
                self.end_game(s, Some(Side(side as u8)));
            }
            Landing::Finish(unused) if overflow && unused > 0 && self.any_source(s, side, unused) => {
                s.value = unused;
                s.phase = Phase::Overflow;
            }
            Landing::Kill { last: true } if self.rules.last_kill_ends_turn => self.end_turn(s),
            Landing::Stack | Landing::Kill { .. } => s.phase = Phase::Roll,
            Landing::Finish(_) | Landing::Place => self.end_turn(s),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn end_turn(&self, s: &mut State) {
        s.pool.clear();
        s.value = 0;
        s.moved = 0;
        s.turn += 1;
        if s.turn == self.rules.max_turns {
            self.end_game(s, None);
        } else {
            s.phase = Phase::Roll;
            s.player = s.player.next(self.rules.players as usize);
        }
    }

    fn end_game(&self, s: &mut State, winner: Option<Side>) {
        s.pool.clear();
        s.six_three_roll = false;
        s.phase = Phase::Over;
        s.player = Player(0);
        s.winner = winner;
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn throw<T: Tally>(&self, s: &mut State, outcome: Outcome, tally: &mut T) {
        if s.phase == Phase::First {
            s.player = Player(outcome.0);
            s.phase = Phase::Roll;
            return;
        }
        let [low, high] = D6_FACES[outcome.index()];
        s.six_three_roll = self.rules.six_three && [low, high] == [3, 6];
        s.pool.push(low + high);
        if high == 1 && self.rules.pa_ra != PaRa::None {
            tally.add(PA_RA, s.player, 1);
            if s.pool.len() < MAX_POOL {
                s.phase = Phase::Reroll;
                return;
            }
        }
        let playable = if s.pool.len() == 1 {
            s.value = low + high;
            s.phase = Phase::Source;
            self.any_source(s, self.side_index(s.player), s.value)
        } else {
            s.phase = Phase::Value;
            self.values(s) != 0
        };
        if !playable {
            self.end_turn(s);
        }
    }

    pub(super) fn move_name(&self, s: &State, action: Action) -> String {
        let side = self.side_index(s.player);
        match Move::from_action(action) {
            Some(Move::Source(source)) => {
                let from = if source == HAND { "hand".to_owned() } else { source.to_string() };
                let target = source + s.value;
                if target >= self.rules.num_shells {
                    return format!("{from}/off");
                }
                let mark = if s.track[side] >> target & 1 != 0 {
                    "+"
                } else if s.occupied() >> target & 1 != 0 {
                    "*"
                } else {
                    ""
                };
                format!("{from}/{target}{mark}")
            }
            Some(Move::Value(value)) => format!("value {value}"),
            Some(Move::BringAll) => "hand/9 all".into(),
            Some(Move::Decline) => "decline".into(),
            None => format!("action {action}"),
        }
    }
}
