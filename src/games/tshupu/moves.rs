//! Moves of T'shu-p'u: their ids, what is legal, what they do.
//!
//! | id | move |
//! |---|---|
//! | 0..=131 | `33 * m + p`: a piece with progress `p` by the die that shows 1, 3, 4, 6 for `m` 0, 1, 2, 3 |
//! | 132..=164 | `132 + p`: a piece with progress `p` by both dice at once |

use super::board::{CENTRE, ENEMIES, FACES, HAND, MEETS, OFF, Pieces, UP_TO_CENTRE, equal_bytes, mode};
use super::{ENTRIES, FOUR_SIDED_FACES, FinishedPlayer, HITS, PARTIAL_TURNS, Phase, State, TshuPu};
use crate::rules::{Action, ActionSet, MAX_PLAYERS, Outcome, Player, Tally};

/// A move, as people think of it. `from` is the progress of the piece, 0 (in hand) to 32 (in the centre).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// By the die that shows this face: 1, 3, 4 or 6.
    Die {
        /// What the die shows.
        face: u8,
        /// Where the piece comes from.
        from: u8,
    },
    /// By the total of both dice.
    Both {
        /// Where the piece comes from.
        from: u8,
    },
}

/// Ids of one mode.
const PER_MODE: u16 = CENTRE as u16 + 1;
/// The mode of a move by both dice.
const BOTH: u16 = FACES.len() as u16;

impl Move {
    /// The id of the move; `None` where no move is made so.
    ///
    /// ```
    /// use sarai::games::tshupu::Move;
    /// assert_eq!(Move::Die { face: 4, from: 10 }.action(), Some(sarai::Action(76)));
    /// assert_eq!(Move::from_action(sarai::Action(142)), Some(Move::Both { from: 10 }));
    /// assert_eq!(Move::Die { face: 2, from: 10 }.action(), None);
    /// assert_eq!(Move::from_action(sarai::Action(165)), None);
    /// ```
    pub const fn action(self) -> Option<Action> {
        let (mode, from) = match self {
            Move::Die { face: face @ (1 | 3 | 4 | 6), from } => (mode(face) as u16, from),
            Move::Both { from } => (BOTH, from),
            Move::Die { .. } => return None,
        };
        if from > CENTRE { None } else { Some(Action(mode * PER_MODE + from as u16)) }
    }

    /// The move with this id; `None` where no move has it.
    pub const fn from_action(action: Action) -> Option<Move> {
        let from = (action.0 % PER_MODE) as u8;
        match action.0 / PER_MODE {
            BOTH => Some(Move::Both { from }),
            mode if mode < BOTH => Some(Move::Die { face: FACES[mode as usize], from }),
            _ => None,
        }
    }
}

/// For each face: from where it bears a piece off (R10).
static BEARS_OFF: [u64; 8] = {
    let mut from = [0; 8];
    from[1] = 1 << CENTRE;
    from
};

#[cfg_attr(fast, inline(always))]
fn may_leave(open: u64, face: u8) -> u64 {
    open >> face | BEARS_OFF[face as usize & 7]
}

impl State {
    /// The places that nobody bars to whose pieces move.
    #[cfg_attr(fast, inline(always))]
    fn open(&self) -> u64 {
        UP_TO_CENTRE & !(self.barred as u64)
    }

    /// Where a piece may stand to move by a die that shows `face` (R5, R7, R10), as bits of progress.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn may_leave(&self, face: u8) -> u64 {
        may_leave(self.open(), face)
    }
}

/// What the pieces that move look like, as bits of progress.
struct View {
    /// Some piece stands here.
    on: u64,
    /// Two or more pieces stand here.
    twos: u64,
    /// Nobody bars this place: the hand, the own column and the centre included.
    open: u64,
}

impl View {
    /// Where a piece may stand to move by a die that shows `face` (R5, R7, R10).
    #[cfg_attr(fast, inline(always))]
    fn may_leave(&self, face: u8) -> u64 {
        may_leave(self.open, face)
    }

    /// The pieces that can move by a die that shows `face`.
    #[cfg_attr(fast, inline(always))]
    fn movers(&self, face: u8) -> u64 {
        self.on & self.may_leave(face)
    }

    /// The pieces that can move by both dice at once: never off (R10).
    #[cfg_attr(fast, inline(always))]
    fn total_movers(&self, dice: [u8; 2]) -> u64 {
        self.on & self.open >> (dice[0] + dice[1])
    }

    /// Where a piece may go first when the other die is played by another of these pieces. The first move changes
    /// nothing about the second: whom it hits stood on no cross-cut (R7), so barred nothing.
    #[cfg_attr(fast, inline(always))]
    fn leaves_another(&self, movers: u64) -> u64 {
        let several = movers & (movers.wrapping_sub(1) | self.twos) != 0;
        if several {
            u64::MAX
        } else if movers != 0 {
            !movers
        } else {
            0
        }
    }
}

impl TshuPu {
    /// Whose pieces a player moves: his own, or his partner's when his own are all off (R12). With
    /// `finished_player="pass"` nobody is asked whose own are.
    ///
    /// In the second part of a throw this is still who it was in the first: who bears off his last piece has no other
    /// piece for the second die, so that his turn is over.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn owner(&self, s: &State) -> usize {
        let player = s.player.index() % MAX_PLAYERS;
        if s.pieces[player] == Pieces::ALL_OFF { player ^ 2 } else { player }
    }

    /// The squares that the enemies of a seat bar (R7), as bits of its progress.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn barred(&self, s: &State, owner: usize) -> u32 {
        let mut barred = 0;
        for (bars, enemy) in self.bars.iter().zip(ENEMIES) {
            for progress in s.pieces[(owner + enemy) % MAX_PLAYERS].values() {
                barred |= bars[progress as usize & 63];
            }
        }
        barred
    }

    /// What the pieces of `owner` look like while `s.barred` holds what their enemies bar.
    #[cfg_attr(fast, inline(always))]
    fn view(&self, s: &State, owner: usize) -> View {
        let (on, twos) = s.pieces[owner].occupied();
        View { on, twos, open: s.open() }
    }

    /// The pieces that may play the second die (R3).
    #[cfg_attr(fast, inline(always))]
    fn second_movers(&self, view: &View, face: u8, moved: u8) -> u64 {
        let first = if self.rules.same_piece_both_dice { 0 } else { 1 << (moved & 63) };
        view.movers(face) & (!first | view.twos)
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal(&self, s: &State) -> ActionSet {
        let [low, high] = s.dice;
        match s.phase {
            Phase::Move => {
                let view = self.view(s, self.owner(s));
                let (by_low, by_high) = (view.movers(low), view.movers(high));
                let total = view.total_movers(s.dice);
                let mut low_first = by_low & view.leaves_another(by_high);
                let mut high_first = by_high & view.leaves_another(by_low);
                if self.rules.same_piece_both_dice {
                    low_first |= by_low & view.may_leave(high) >> low;
                    high_first |= by_high & view.may_leave(low) >> high;
                }
                // R4: one die alone where nothing plays both.
                if low_first | high_first | total == 0 {
                    (low_first, high_first) = (by_low, by_high);
                }
                actions(low, low_first, high, high_first, total)
            }
            Phase::Second => {
                let view = self.view(s, self.owner(s));
                actions(low, self.second_movers(&view, low, s.moved), 0, 0, 0)
            }
            Phase::First | Phase::Roll | Phase::Over => ActionSet::EMPTY,
        }
    }

    /// Moves one piece of `owner` and sends home whom it meets (R6, R9, R10). Where it stands then.
    #[cfg_attr(fast, inline(always))]
    fn carry<T: Tally>(&self, s: &mut State, owner: usize, from: u8, distance: u8, tally: &mut T) -> u8 {
        let to = from + distance;
        s.pieces[owner] = s.pieces[owner].advance(from, to);
        tally.add(ENTRIES, s.player, (from == HAND) as u32);
        let [next, last] = ENEMIES.map(|enemy| (owner + enemy) % MAX_PLAYERS);
        let enemies = s.pieces[next].word() as u64 | (s.pieces[last].word() as u64) << 32;
        let [at, again] = MEETS[to as usize & 63];
        let hit = equal_bytes(enemies, at) | equal_bytes(enemies, again);
        if hit != 0 {
            tally.add(HITS, s.player, hit.count_ones());
            s.pieces[next] = s.pieces[next].send_home(hit as u32);
            s.pieces[last] = s.pieces[last].send_home((hit >> 32) as u32);
        }
        to
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn play<T: Tally>(&self, s: &mut State, action: Action, tally: &mut T) {
        let owner = self.owner(s);
        let (mode, from) = (action.0 / PER_MODE, (action.0 % PER_MODE) as u8);
        let total = s.dice[0] + s.dice[1];
        let distance = if mode == BOTH { total } else { FACES[mode as usize % FACES.len()] };
        // Nothing is left after both dice at once, and after the second of two.
        let rest = total - distance;
        let moved = self.carry(s, owner, from, distance, tally);
        if rest != 0 {
            // Whomever the first die hit stood on no cross-cut (R7), so that the barred squares stay the same.
            let view = self.view(s, owner);
            if self.second_movers(&view, rest, moved) != 0 {
                s.phase = Phase::Second;
                s.dice = [rest, 0];
                s.moved = moved;
                return;
            }
            // A first die that leaves nothing for the second was legal by R4's exception only.
            tally.add(PARTIAL_TURNS, s.player, 1);
        }
        if s.pieces[owner] == Pieces::ALL_OFF && s.pieces[owner ^ 2] == Pieces::ALL_OFF {
            self.end_game(s);
        } else {
            self.end_turn(s);
        }
    }

    /// The turn passes to the next who may throw; each that passes without a throw counts (R12).
    #[cfg_attr(fast, inline(always))]
    fn end_turn(&self, s: &mut State) {
        s.dice = [0; 2];
        s.moved = 0;
        s.barred = 0;
        s.phase = Phase::Roll;
        loop {
            s.turn += 1;
            if s.turn == self.rules.max_turns {
                return self.end_game(s);
            }
            s.player = s.player.next(MAX_PLAYERS);
            if !self.is_passed_over(s, s.player) {
                return;
            }
        }
    }

    /// Whether this seat's turns pass without a throw (R12).
    #[cfg_attr(fast, inline(always))]
    pub(super) fn is_passed_over(&self, s: &State, player: Player) -> bool {
        s.pieces[player.index() % MAX_PLAYERS] == Pieces::ALL_OFF
            && self.rules.finished_player == FinishedPlayer::Pass
    }

    fn end_game(&self, s: &mut State) {
        s.dice = [0; 2];
        s.moved = 0;
        s.barred = 0;
        s.phase = Phase::Over;
        s.player = Player(0);
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn throw(&self, s: &mut State, outcome: Outcome) {
        if s.phase == Phase::First {
            s.player = Player(outcome.0);
            s.phase = Phase::Roll;
            return;
        }
        s.dice = FOUR_SIDED_FACES[outcome.index()];
        s.phase = Phase::Move;
        let owner = self.owner(s);
        s.barred = self.barred(s, owner);
        let view = self.view(s, owner);
        // Whoever can play one die plays something (R4).
        if view.movers(s.dice[0]) | view.movers(s.dice[1]) | view.total_movers(s.dice) == 0 {
            self.end_turn(s);
        }
    }

    pub(super) fn move_name(&self, s: &State, action: Action) -> String {
        let (from, distance, mark) = match Move::from_action(action) {
            Some(Move::Die { face, from }) => (from, face, ""),
            Some(Move::Both { from }) => (from, s.dice[0] + s.dice[1], " (both)"),
            None => return format!("action {action}"),
        };
        let to = from + distance;
        let from = if from == HAND { "hand".to_owned() } else { from.to_string() };
        let hit = if self.enemies_hit(s, self.owner(s), to).0 == 0 { "" } else { "*" };
        if to == OFF { format!("{from}/off") } else { format!("{from}/{to}{hit}{mark}") }
    }

    /// How many enemy pieces stand on the square that has this number in the owner's course, and what progress they would
    /// lose in all.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn enemies_hit(&self, s: &State, owner: usize, progress: u8) -> (u32, u32) {
        let [next, last] = ENEMIES.map(|enemy| s.pieces[(owner + enemy) % MAX_PLAYERS].word() as u64);
        let enemies = next | last << 32;
        let [at, again] = MEETS[progress as usize & 63];
        let hit = equal_bytes(enemies, at) | equal_bytes(enemies, again);
        if hit == 0 {
            return (0, 0);
        }
        let lost = (enemies & ((hit >> 7) * 0xff)).to_le_bytes();
        (hit.count_ones(), lost.into_iter().map(u32::from).sum())
    }
}

/// The set in which a die that shows `low` may be played from `by_low`, one that shows `high` from `by_high`, and both
/// at once from `total`. The bits that the top mode would have past the 128th are never set: 6 brings nobody home from 29.
#[cfg_attr(fast, inline(always))]
fn actions(low: u8, by_low: u64, high: u8, by_high: u64, total: u64) -> ActionSet {
    let place = |face: u8, movers: u64| (movers as u128) << (PER_MODE as u32 * mode(face));
    let single = place(low, by_low) | place(high, by_high);
    ActionSet::from_words([single as u64, (single >> 64) as u64, total << (BOTH * PER_MODE - 128)])
}
