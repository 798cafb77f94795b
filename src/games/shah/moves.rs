//! Moves: their ids, what is legal, what they do.
//!
//! | id | move |
//! |---|---|
//! | 0..=23 | place a stone on the point, or land there with the stone that was lifted |
//! | 24..=87 | slide along the directed edge `id - 24` |
//! | 88..=111 | remove the enemy stone on the point `id - 88` |
//! | 112..=135 | lift the stone on the point `id - 112`, to fly (R14) |

use super::board::{
    ALL, EDGES, ENDS, NAMES, POINTS, in_mills, mills_at, neighbours, slides, under_three_or_three,
};
use super::state::NO_POINT;
use super::{
    Begin, Blocked, CAPTURES, EXTRA_MOVES, MILLS, MillProtection, OpeningRemovals, Phase, Shah, State,
};
use crate::rules::{Action, ActionSet, Player, Side, Tally};

const SLIDE: u16 = POINTS as u16;
pub(super) const REMOVE: u16 = SLIDE + EDGES as u16;
const FLY: u16 = REMOVE + POINTS as u16;
const END: u16 = FLY + POINTS as u16;

/// A move, as people think of it. Points are 0 to 23, see [the board](crate::games::shah#board).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Place a stone on this point, or land there (R2, R14).
    Place(u8),
    /// Move a stone from the first point to the second, its neighbour (R5).
    Slide(u8, u8),
    /// Remove the enemy stone on this point (R4, R6, R13).
    Remove(u8),
    /// Lift the stone on this point, to land anywhere (R14).
    Fly(u8),
}

impl Move {
    /// The id of the move; `None` for points that are not on the board, or are no neighbours.
    ///
    /// ```
    /// use sarai::games::shah::Move;
    /// assert_eq!(Move::Slide(0, 9).action(), Some(sarai::Action(25)));
    /// assert_eq!(Move::Slide(0, 2).action(), None);
    /// assert_eq!(Move::from_action(sarai::Action(25)), Some(Move::Slide(0, 9)));
    /// assert_eq!(Move::from_action(sarai::Action(136)), None);
    /// ```
    pub fn action(self) -> Option<Action> {
        let (base, index) = match self {
            Move::Place(point) => (0, point as usize),
            Move::Slide(from, to) => {
                return ENDS
                    .iter()
                    .position(|&ends| ends == [from, to])
                    .map(|edge| Action(SLIDE + edge as u16));
            }
            Move::Remove(point) => (REMOVE, point as usize),
            Move::Fly(point) => (FLY, point as usize),
        };
        (index < POINTS).then_some(Action(base + index as u16))
    }

    /// The move with this id; `None` where no move has it.
    pub const fn from_action(action: Action) -> Option<Move> {
        match action.0 {
            id @ 0..SLIDE => Some(Move::Place(id as u8)),
            id @ SLIDE..REMOVE => {
                let [from, to] = ENDS[(id - SLIDE) as usize];
                Some(Move::Slide(from, to))
            }
            id @ REMOVE..FLY => Some(Move::Remove((id - REMOVE) as u8)),
            id @ FLY..END => Some(Move::Fly((id - FLY) as u8)),
            _ => None,
        }
    }
}

impl std::fmt::Display for Move {
    /// "a7", "a7-a4", "xb6", "fly a7".
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |point: u8| NAMES.get(point as usize).copied().unwrap_or("?");
        match *self {
            Move::Place(point) => f.write_str(name(point)),
            Move::Slide(from, to) => write!(f, "{}-{}", name(from), name(to)),
            Move::Remove(point) => write!(f, "x{}", name(point)),
            Move::Fly(point) => write!(f, "fly {}", name(point)),
        }
    }
}

impl Shah {
    pub(super) fn move_name(&self, action: Action) -> String {
        match Move::from_action(action) {
            Some(played) => played.to_string(),
            None => format!("action {action}"),
        }
    }

    /// Whether a player has stones enough, and few enough, to fly (R14).
    #[cfg_attr(fast, inline(always))]
    pub(super) fn flies(&self, stones: u32) -> bool {
        self.rules.flying && under_three_or_three(stones).1
    }

    /// Whether a player whose hand is empty can move, be it his turn or not (R7).
    #[cfg_attr(fast, inline(always))]
    pub(super) fn can_move(&self, stones: u32, empty: u32) -> bool {
        neighbours(stones) & empty != 0 || self.flies(stones) && empty != 0
    }

    /// The stones that the player to act may remove, in phase remove (R4, R6, R13).
    #[cfg_attr(fast, inline(always))]
    pub(super) fn removable(&self, s: &State) -> u32 {
        let enemy = s.stones[1 - s.player.index()];
        if self.rules.mill_protection == MillProtection::UnlessAllInMills && s.opening_removals == 0 {
            let outside = enemy & !in_mills(enemy);
            if outside != 0 { outside } else { enemy }
        } else {
            enemy
        }
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn legal(&self, s: &State) -> ActionSet {
        let own = s.stones[s.player.index()];
        let empty = s.empty();
        ActionSet::from_words(match s.phase {
            Phase::Slide if s.extra => edge_words(self.extra_moves(s)),
            Phase::Slide if self.flies(own) => [0, (own as u64) << (FLY - 64), own as u64 >> (128 - FLY)],
            Phase::Slide => edge_words(slides(own, empty)),
            Phase::Place => [empty as u64, 0, 0],
            // Not back to where it was lifted.
            Phase::Land => [(empty & !(1 << s.lifted)) as u64, 0, 0],
            Phase::Remove => [0, (self.removable(s) as u64) << (REMOVE - 64), 0],
            Phase::First | Phase::Over => [0; 3],
        })
    }

    /// The edges of the extra moves that are legal (R7). The opponent cannot move, so no neighbour of his is empty: a
    /// move lets him move if and only if it leaves such a neighbour.
    #[cfg_attr(fast, inline(always))]
    fn extra_moves(&self, s: &State) -> u64 {
        let me = s.player.index();
        let (own, empty) = (s.stones[me], s.empty());
        let opening = slides(own & neighbours(s.stones[1 - me]), empty);
        if opening != 0 { opening } else { slides(own, empty) }
    }

    /// Who places first is known.
    pub(super) fn begin(&self, s: &mut State, first: Player) {
        s.phase = Phase::Place;
        s.player = first;
        if self.rules.begin == Begin::FirstPlayer {
            s.beginner = first.0;
        }
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn play<T: Tally>(&self, s: &mut State, action: Action, tally: &mut T) {
        let player = s.player;
        let me = player.index();
        match s.phase {
            Phase::Slide if action.0 < REMOVE => {
                let [from, to] = ENDS[(action.0 - SLIDE) as usize % EDGES];
                s.stones[me] ^= 1 << from | 1 << to;
                self.finish_move(s, to as usize, tally);
            }
            Phase::Place => {
                let point = action.index() % POINTS;
                s.stones[me] |= 1 << point;
                s.hand[me] -= 1;
                if mills_at(s.stones[me], point) != 0 {
                    tally.add(MILLS, player, 1);
                    if s.beginner == State::NOBODY {
                        s.beginner = player.0;
                    }
                    if self.rules.placement_captures {
                        s.phase = Phase::Remove;
                        return;
                    }
                }
                self.end_placement(s);
            }
            Phase::Remove => {
                let enemy = 1 - me;
                s.stones[enemy] &= !(1 << (action.0 - REMOVE));
                tally.add(CAPTURES, player, 1);
                if s.opening_removals != 0 {
                    s.opening_removals -= 1;
                    if s.opening_removals == 0 {
                        self.begin_moving(s);
                    } else if !self.pass_turn(s) {
                        s.player = Player(enemy as u8);
                    }
                    return;
                }
                s.no_capture = 0;
                // Stones in hand count: only while placing there are any.
                let placing = s.turn < 2 * self.rules.pieces as u16;
                let few = if placing {
                    s.stones[enemy].count_ones() + (s.hand[enemy] as u32) < 3
                } else {
                    under_three_or_three(s.stones[enemy]).0
                };
                if few {
                    s.end(Some(Side(player.0)));
                } else if placing {
                    self.end_placement(s);
                } else {
                    self.end_move(s);
                }
            }
            Phase::Land => {
                let point = action.index() % POINTS;
                s.stones[me] |= 1 << point;
                s.lifted = NO_POINT;
                s.phase = Phase::Slide;
                self.finish_move(s, point, tally);
            }
            Phase::Slide => {
                let point = action.0 - FLY;
                s.stones[me] &= !(1 << point);
                s.lifted = point as u8;
                s.phase = Phase::Land;
            }
            Phase::First | Phase::Over => {}
        }
    }

    /// A stone has come to a point in the moving phase: a mill captures, unless the move was an extra one (R6, R7).
    #[cfg_attr(fast, inline(always))]
    fn finish_move<T: Tally>(&self, s: &mut State, to: usize, tally: &mut T) {
        let mill = mills_at(s.stones[s.player.index()], to) != 0;
        if s.extra {
            tally.add(EXTRA_MOVES, s.player, 1);
        }
        if mill {
            tally.add(MILLS, s.player, 1);
            if !s.extra {
                s.phase = Phase::Remove;
                return;
            }
        }
        s.no_capture = s.no_capture.saturating_add(1);
        self.end_move(s);
    }

    /// A turn is over. Whether that has ended the game as a draw (R10).
    #[cfg_attr(fast, inline(always))]
    fn pass_turn(&self, s: &mut State) -> bool {
        s.turn += 1;
        let over = s.turn == self.rules.max_turns;
        if over {
            s.end(None);
        }
        over
    }

    /// A placement is complete, with its capture (R2, R3, R4).
    #[cfg_attr(fast, inline(always))]
    fn end_placement(&self, s: &mut State) {
        let other = Player(1 - s.player.0);
        // R2: each turn so far has placed one stone.
        if s.turn + 1 < 2 * self.rules.pieces as u16 {
            if !self.pass_turn(s) {
                s.phase = Phase::Place;
                s.player = other;
            }
            return;
        }
        if s.beginner == State::NOBODY {
            s.beginner = s.player.0;
        }
        if self.rules.opening_removals == OpeningRemovals::None {
            self.begin_moving(s);
        } else if !self.pass_turn(s) {
            s.phase = Phase::Remove;
            s.player = Player(s.beginner);
        }
    }

    /// The last turn before the moving phase is complete (R5, R7, R11).
    #[cfg_attr(fast, inline(always))]
    fn begin_moving(&self, s: &mut State) {
        let beginner = s.beginner as usize;
        let other = 1 - beginner;
        let empty = s.empty();
        let can = self.can_move(s.stones[beginner], empty);
        if !can && self.rules.blocked == Blocked::Loses {
            return s.end(Some(Side(other as u8)));
        }
        if self.pass_turn(s) {
            return;
        }
        if !can && empty == 0 {
            return s.end(None);
        }
        s.phase = Phase::Slide;
        s.extra = !can;
        s.player = Player(if can { beginner } else { other } as u8);
    }

    /// A move is complete, with its capture (R7, R10, R11, R12).
    #[cfg_attr(fast, inline(always))]
    fn end_move(&self, s: &mut State) {
        let player = s.player.0;
        let other = 1 - player;
        s.phase = Phase::Slide;
        let opened = self.can_move(s.stones[other as usize], s.empty());
        if !opened && self.rules.blocked == Blocked::Loses {
            return s.end(Some(Side(player)));
        }
        if self.rules.no_capture_limit as u32 == s.no_capture && s.no_capture != 0 {
            s.turn += 1;
            return s.end(None);
        }
        let same_turn = !opened && !s.extra;
        s.extra = !opened;
        if opened {
            s.player = Player(other);
        }
        if !same_turn {
            self.pass_turn(s);
        }
    }
}

/// The words of a set of edges as slides.
#[cfg_attr(fast, inline(always))]
fn edge_words(edges: u64) -> [u64; 3] {
    [edges << SLIDE, edges >> (64 - SLIDE), 0]
}

impl State {
    /// What stands for nobody in `beginner`.
    pub(super) const NOBODY: u8 = 2;

    /// The points without a stone.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn empty(&self) -> u32 {
        ALL & !(self.stones[0] | self.stones[1])
    }

    pub(super) fn end(&mut self, winner: Option<Side>) {
        self.phase = Phase::Over;
        self.player = Player(0);
        self.extra = false;
        self.winner = winner;
    }
}
