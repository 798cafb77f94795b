//! What states are worth by the tables, in the middle of a turn as well: then by the best of what can follow in it.

use super::Cell;
use crate::rules::{Action, Game, Player, Turn};

/// The value of a state for a player, and in how many turns the game ends: 1 won, -1 lost, 0 drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactValue {
    /// 1, 0 or -1.
    pub value: i8,
    /// How many turns the game takes from here, this one counted; `None` in a draw, and where only values are kept.
    pub turns: Option<u16>,
}

impl ExactValue {
    fn of(cell: Cell, passed: u16) -> ExactValue {
        ExactValue { value: cell.value(), turns: cell.turns().map(|turns| turns + passed) }
    }

    /// A cell as who acts sees it: the side that the cell speaks of, or the other.
    #[inline]
    pub(super) fn seen(cell: Cell, acts: bool) -> ExactValue {
        let worth = ExactValue::of(cell, 0);
        if acts { worth } else { worth.turned() }
    }

    fn turned(self) -> ExactValue {
        ExactValue { value: -self.value, ..self }
    }

    /// How good it is: quick wins before slow ones, draws, slow losses before quick ones. Turns that are not kept count as
    /// many.
    pub fn goodness(self) -> i32 {
        let turns = i32::from(self.turns.unwrap_or(u16::MAX));
        self.value as i32 * (1 << 16) - self.value as i32 * turns
    }
}

/// What tables say of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Nothing: no turn begins here, so that it is worth the best of what can follow in the turn.
    InTurn,
    /// Nothing, and what can follow says nothing either.
    Missing,
    /// This, as who acts sees it; or as the other side does, where the flag is false.
    Cell(Cell, bool),
}

/// What the game's own rules make of table values.
pub struct Judge<'a, G, L> {
    /// The game, without limits.
    pub game: &'a G,
    /// What the tables say of a state that is not the end of the game.
    pub lookup: L,
}

impl<G: Game, L: Fn(&G::State) -> Found> Judge<'_, G, L> {
    /// What a state is worth to who acts; `None` where a table is missing, and where nobody acts.
    pub fn state(&self, state: &G::State) -> Option<ExactValue> {
        let Turn::Player(actor) = self.game.turn(state) else { return None };
        self.after(state, actor, self.game.turns_passed(state))
    }

    /// What the best move of a state makes it worth to who acts, whatever the tables say of the state itself.
    pub fn best_move(&self, state: &G::State) -> Option<ExactValue> {
        let Turn::Player(actor) = self.game.turn(state) else { return None };
        self.best(state, actor, self.game.turns_passed(state))
    }

    /// What each move of a state makes it worth to who acts, the best first, of equals the smallest id; `None` where a
    /// table is missing, and where nobody acts.
    pub fn moves(&self, state: &G::State) -> Option<Vec<(Action, ExactValue)>> {
        let mut moves = Vec::new();
        self.each_move(state, |action, worth| moves.push((action, worth)))?;
        moves.sort_by_key(|&(action, worth)| (-worth.goodness(), action.0));
        Some(moves)
    }

    /// The first of [`Judge::moves`].
    pub fn best_of(&self, state: &G::State) -> Option<(Action, ExactValue)> {
        let mut best: Option<(Action, ExactValue)> = None;
        // Actions come in ascending order of their ids.
        self.each_move(state, |action, worth| {
            if best.is_none_or(|(_, best)| worth.goodness() > best.goodness()) {
                best = Some((action, worth));
            }
        })?;
        best
    }

    /// Shows each move of a state, in ascending order of its id, with what it makes the state worth to who acts.
    fn each_move(&self, state: &G::State, visit: impl FnMut(Action, ExactValue)) -> Option<()> {
        let Turn::Player(actor) = self.game.turn(state) else { return None };
        self.each_after(state, actor, self.game.turns_passed(state), visit)
    }

    /// The same for a player whose turn began when so many had passed.
    fn each_after(
        &self,
        state: &G::State,
        actor: Player,
        began: u32,
        mut visit: impl FnMut(Action, ExactValue),
    ) -> Option<()> {
        for action in self.game.legal_actions(state).iter() {
            let mut next = *state;
            self.game.apply(&mut next, action, &mut ());
            visit(action, self.after(&next, actor, began)?);
        }
        Some(())
    }

    /// What a state is worth to a player, whose turn began when so many had passed.
    fn after(&self, state: &G::State, actor: Player, began: u32) -> Option<ExactValue> {
        if self.game.turn(state) == Turn::Over {
            return Some(match self.game.winner(state) {
                None => ExactValue { value: 0, turns: None },
                Some(side) => {
                    let value = if side == self.game.side(actor) { 1 } else { -1 };
                    ExactValue { value, turns: Some(1) }
                }
            });
        }
        let (cell, acts) = match (self.lookup)(state) {
            Found::InTurn => return self.best(state, actor, began),
            Found::Missing => return None,
            Found::Cell(cell, acts) => (cell, acts),
        };
        let player = self.game.player_on_turn(state)?;
        let passed = (self.game.turns_passed(state) - began) as u16;
        let worth = ExactValue::of(cell, passed);
        Some(if (player == actor) == acts { worth } else { worth.turned() })
    }

    fn best(&self, state: &G::State, actor: Player, began: u32) -> Option<ExactValue> {
        let mut best: Option<ExactValue> = None;
        self.each_after(state, actor, began, |_, worth| {
            if best.is_none_or(|best| worth.goodness() > best.goodness()) {
                best = Some(worth);
            }
        })?;
        best
    }
}
