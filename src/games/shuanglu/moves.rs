//! Steps of Shuanglu: their ids, what is legal, what they do.
//!
//! The id of a step is `(die - 1) * 25 + source`, where the source is the mover's own point, or 0 for the bar.
//!
//! R7 speaks of whole turns, but is settled without playing them out. Within a turn the points that a player may step on
//! stay the same: his own steps take pieces of the enemy away only where a single one stood. So a piece that can step by a
//! die can still do so after another has moved, and only where few can step is a closer look needed.

use super::board::{BAR, OFF, OUTSIDE_FROM, PIECES, POINTS, at_most_one, mirrored};
use super::rules::BearOff;
use super::state::{Phase, State};
use super::{FORCED_PASSES, GAMMONS, HITS, OPENING_FACES, PLAYERS, Shuanglu};
use crate::rules::action::{Action, ActionSet};
use crate::rules::bits::bits;
use crate::rules::chance::{D6_FACES, Outcome};
use crate::rules::game::Tally;
use crate::rules::player::Player;

/// Ids that share a die.
const SOURCES: u16 = 25;

/// The id of the first step of each die; a throw that has no second die has no steps for it either.
const OFFSET: [u32; 8] = [0, 0, 25, 50, 75, 100, 125, 0];

/// One step of one piece by one die, as people think of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The die, 1 to 6.
    pub die: u8,
    /// The mover's own point, 1 to 24, or 0 for the bar.
    pub source: u8,
}

impl Step {
    /// The id of the step.
    ///
    /// # Panics
    /// In debug builds, when the die is not 1 to 6 or the source not 0 to 24.
    ///
    /// ```
    /// use sarai::games::shuanglu::Step;
    /// let step = Step { die: 5, source: 13 };
    /// assert_eq!(step.action().0, 113);
    /// assert_eq!(Step::from_action(sarai::Action(113)), Some(step));
    /// assert_eq!(Step::from_action(sarai::Action(150)), None);
    /// ```
    pub const fn action(self) -> Action {
        debug_assert!(self.die >= 1 && self.die <= 6 && self.source <= 24, "no step has this die and source");
        Action((self.die as u16 - 1) * SOURCES + self.source as u16)
    }

    /// The step with this id; `None` where no step has it.
    pub const fn from_action(action: Action) -> Option<Step> {
        if action.0 >= 6 * SOURCES {
            return None;
        }
        Some(Step::decode(action))
    }

    #[cfg_attr(fast, inline(always))]
    const fn decode(action: Action) -> Step {
        Step { die: (action.0 / SOURCES) as u8 + 1, source: (action.0 % SOURCES) as u8 }
    }

    /// Where the piece stands and where it comes down, as indices of a player's counts.
    #[cfg_attr(fast, inline(always))]
    pub(super) const fn path(self) -> (usize, usize) {
        let from = if self.source == 0 { BAR } else { self.source as usize };
        (from, from.saturating_sub(self.die as usize))
    }
}

/// What a player can do with his pieces: those on the board, and the points that he may step on.
#[derive(Clone, Copy)]
struct Mover {
    own: [u8; BAR + 1],
    /// The points of `own` that have a piece.
    points: u32,
    /// The points without a block of the enemy (R4); they stay the same during a turn.
    open: u32,
    overshoot: bool,
}

impl Mover {
    /// The points with a piece that can step by this die, while none is on the bar (R4, R6).
    #[cfg_attr(fast, inline(always))]
    fn sources(&self, die: u8) -> u32 {
        // When all are home, off (bit 0) is a target like the others.
        let home = self.points < 1 << OUTSIDE_FROM;
        let mut sources = self.points & ((self.open | home as u32) << die);
        if self.overshoot && home && self.points < 1 << die && self.points != 0 {
            sources = 1 << self.points.ilog2();
        }
        sources
    }

    /// The sources of a die, the bar among them as bit 0: what may be played as the only die of a turn.
    #[cfg_attr(fast, inline(always))]
    fn any_sources(&self, die: u8) -> u32 {
        if self.own[BAR] != 0 { self.entry(die) } else { self.sources(die) }
    }

    /// Bit 0 if a piece can enter by this die (R5).
    #[cfg_attr(fast, inline(always))]
    fn entry(&self, die: u8) -> u32 {
        self.open >> (BAR as u8 - die) & 1
    }

    /// Whether several pieces can step from these sources, so that one can still do so after any step of another.
    #[cfg_attr(fast, inline(always))]
    fn several(&self, sources: u32) -> bool {
        sources != 0 && (!at_most_one(sources) || self.own[sources.trailing_zeros() as usize] > 1)
    }

    /// The same after a step of a piece on a point.
    fn after(&self, source: usize, die: u8) -> Mover {
        let mut after = *self;
        let target = source.saturating_sub(die as usize);
        after.own[source] -= 1;
        after.own[target] += 1;
        if after.own[source] == 0 {
            after.points &= !(1 << source);
        }
        if target != OFF {
            after.points |= 1 << target;
        }
        after
    }

    /// The steps by two different dice that begin a turn as R7 wants it, for each die.
    #[cfg_attr(fast, inline(always))]
    fn mixed(&self, high: u8, low: u8, larger_die: bool) -> [u32; 2] {
        let (all, both);
        if self.own[BAR] == 0 {
            all = [self.sources(high), self.sources(low)];
            let several = [self.several(all[0]), self.several(all[1])];
            if several == [true, true] {
                return all;
            }
            both = [
                if several[1] { all[0] } else { self.followed(all[0], high, low, all[1]) },
                if several[0] { all[1] } else { self.followed(all[1], low, high, all[0]) },
            ];
        } else {
            all = [self.entry(high), self.entry(low)];
            if self.own[BAR] > 1 {
                // Either both enter, in any order, or one at most.
                return all;
            }
            let goes_on = |die: u8, next: u8| {
                let points = self.points | 1 << (BAR as u8 - die);
                (points & (self.open << next) != 0) as u32
            };
            both = [all[0] * goes_on(high, low), all[1] * goes_on(low, high)];
        }
        if both != [0, 0] {
            both
        } else if larger_die && all[0] != 0 {
            [all[0], 0]
        } else {
            all
        }
    }

    /// Which of the `sources` of a die leave a step by the `next` die, whose own sources now are `others`: none, or a
    /// single piece.
    #[cfg_attr(fast, inline(always))]
    fn followed(&self, sources: u32, die: u8, next: u8, others: u32) -> u32 {
        if sources == 0 {
            return 0;
        }
        // The piece that can step by the next die still can if it is not the one that moves.
        let mut followed = if others != 0 { sources & !others } else { 0 };
        // The piece that moves goes on.
        followed |= sources & (self.open << die << next);
        let rest = sources & !followed;
        // Or the step brings the last piece home, after which pieces may be borne off.
        let outside = self.points >> OUTSIDE_FROM;
        if rest != 0 && at_most_one(outside) {
            followed |= self.followed_at_home(rest, die, next);
        }
        followed
    }

    /// The same, looked at one by one.
    fn followed_at_home(&self, sources: u32, die: u8, next: u8) -> u32 {
        bits(sources as u64)
            .filter(|&source| self.after(source, die).sources(next) != 0)
            .fold(0, |followed, source| followed | 1 << source)
    }
}

impl Shuanglu {
    /// The legal steps of a state as ids.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal(&self, s: &State) -> ActionSet {
        let place = |at: usize| (s.steps[at] as u128) << OFFSET[s.dice[at] as usize & 7];
        let ids = place(0) | place(1);
        // The largest ids are those of a six, which is the larger die if there is one.
        let last = if s.dice[0] == 6 { s.steps[0] >> 3 } else { 0 };
        ActionSet::from_words([ids as u64, (ids >> 64) as u64, last as u64])
    }

    #[cfg_attr(fast, inline(always))]
    fn mover(&self, s: &State) -> Mover {
        let own = s.player.index() & 1;
        Mover {
            own: s.counts[own],
            points: s.occupied[own] & POINTS,
            open: !s.blocks[own ^ 1] & POINTS,
            overshoot: self.rules.bear_off == BearOff::Overshoot,
        }
    }

    /// The legal steps of each die that the player to act has left.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal_steps(&self, s: &State) -> [u32; 2] {
        let [high, low] = s.dice;
        let mover = self.mover(s);
        if low != 0 && low != high {
            return mover.mixed(high, low, self.rules.larger_die);
        }
        // One die, or a double. A step takes nothing away from what other pieces can do: it closes no point, and brings
        // no piece higher up or out of home. So a double gives as many moves in whatever order it is played.
        [mover.any_sources(high), 0]
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn throw<T: Tally>(&self, s: &mut State, outcome: Outcome, tally: &mut T) {
        if s.phase == Phase::Opening {
            let [one, other] = OPENING_FACES[outcome.index()];
            s.player = Player((other > one) as u8);
            s.set_dice(one.max(other), one.min(other), 2);
        } else {
            let [low, high] = D6_FACES[outcome.index()];
            s.set_dice(high, low, if low == high { self.rules.doubles } else { 2 });
        }
        s.phase = Phase::Move;
        s.steps = self.legal_steps(s);
        if s.steps == [0, 0] {
            tally.add(FORCED_PASSES, s.player, 1);
            self.end_turn(s);
        }
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn play<T: Tally>(&self, s: &mut State, action: Action, tally: &mut T) {
        let step = Step::decode(action);
        let (from, to) = step.path();
        let own = s.player.index() & 1;
        s.take(own, from);
        s.put(own, to);
        if to == OFF {
            if s.counts[own][OFF] == PIECES {
                return self.win(s, tally);
            }
        } else if s.counts[own ^ 1][mirrored(to)] != 0 {
            s.take(own ^ 1, mirrored(to));
            s.put(own ^ 1, BAR);
            tally.add(HITS, s.player, 1);
        }
        let [high, low] = s.dice;
        match s.left {
            1 => return self.end_turn(s),
            2 => s.set_dice(if step.die == high { low } else { high }, 0, 1),
            left => s.left = left - 1,
        }
        s.steps = self.legal_steps(s);
        if s.steps == [0, 0] {
            self.end_turn(s);
        }
    }

    /// R7: what cannot be played is lost, and the turn passes on.
    #[cfg_attr(fast, inline(always))]
    fn end_turn(&self, s: &mut State) {
        // The turn before the dice: they share a word of memory, which is slow to read once a part of it was written.
        s.turn += 1;
        s.set_dice(0, 0, 0);
        s.steps = [0, 0];
        if s.turn == self.rules.max_turns {
            s.phase = Phase::Over;
            s.player = Player(0);
        } else {
            s.phase = Phase::Roll;
            s.player = s.player.next(PLAYERS);
        }
    }

    /// R8: the game ends at once, even with a die left.
    #[cold]
    fn win<T: Tally>(&self, s: &mut State, tally: &mut T) {
        if s.counts[s.player.index() ^ 1][OFF] == 0 {
            tally.add(GAMMONS, s.player, 1);
        }
        s.set_dice(0, 0, 0);
        s.steps = [0, 0];
        s.phase = Phase::Over;
        s.player = Player(0);
    }
}

impl Shuanglu {
    /// The name of a step: "13/8", "bar/21*" where it hits, "4/off(6)" where the die is larger than the point.
    pub(super) fn move_name(&self, s: &State, action: Action) -> String {
        let Some(step) = Step::from_action(action) else {
            return format!("action {action}");
        };
        let (from, to) = step.path();
        let source = if from == BAR { "bar".to_owned() } else { from.to_string() };
        if to == OFF {
            let larger = step.die as usize > from;
            return if larger { format!("{source}/off({})", step.die) } else { format!("{source}/off") };
        }
        let hit = s.counts[s.player.index() ^ 1][mirrored(to)] != 0;
        format!("{source}/{to}{}", if hit { "*" } else { "" })
    }
}
