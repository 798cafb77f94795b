#![doc = include_str!("rules.md")]

mod board;
mod check;
mod draw;
mod evaluate;
#[cfg(not(target_family = "wasm"))]
mod exact;
mod features;
mod greedy;
mod moves;
mod observe;
mod position;
mod rules;
mod state;
#[cfg(test)]
mod tests;

#[cfg(not(target_family = "wasm"))]
pub use exact::{Board, Moving, Placing, Position};
pub use moves::Move;
pub use rules::{Begin, Blocked, MillProtection, OpeningRemovals, Rules};
pub use state::{Dict, Phase, State};

use crate::base::error::Error;
use crate::rules::options::check_ranges;
use crate::rules::{
    Action, ActionFields, Chance, FirstPlayer, Game, Outcome, Player, Side, Statistic, Tally, Turn,
    game_items,
};

const CAPTURES: usize = 0;
const MILLS: usize = 1;
const EXTRA_MOVES: usize = 2;

/// A rule book of Shah.
///
/// ```
/// use sarai::games::shah::{Rules, Shah};
/// use sarai::Game;
/// let game = Shah::new(Rules::default())?;
/// assert_eq!(game.num_players(), 2);
/// assert!(Shah::new(Rules { max_turns: 0, ..Rules::default() }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shah {
    rules: Rules,
    /// How many turns pass before the moving phase: the placements and the opening removals.
    moving_from: u16,
}

impl Game for Shah {
    game_items!();

    const DICE: bool = false;
    const NAME: &'static str = "shah";
    const ID: &'static str = "Shah";
    const NUM_ACTIONS: usize = 136;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "captures", meaning: "enemy stones removed, opening removals included" },
        Statistic { name: "mills", meaning: "placements and moves that made a mill, extra moves included" },
        Statistic { name: "extra_moves", meaning: "moves made because the opponent could not move" },
    ];

    const IN_PAIRS: bool = true;

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, 2)?;
        rules.validate()?;
        let removals = if rules.opening_removals == OpeningRemovals::Both { 2 } else { 0 };
        let moving_from = 2 * rules.pieces as u16 + removals;
        Ok(Shah { rules, moving_from })
    }

    fn num_players(&self) -> usize {
        2
    }

    fn max_chance_outcomes(&self) -> usize {
        // Nothing but who begins is ever drawn.
        if self.rules.first_player == FirstPlayer::Random { 2 } else { 0 }
    }

    #[cfg_attr(fast, inline(always))]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Place | Phase::Remove | Phase::Slide | Phase::Land => Turn::Player(state.player),
            Phase::First => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn player_on_turn(&self, state: &State) -> Option<Player> {
        (!matches!(state.phase, Phase::First | Phase::Over)).then_some(state.player)
    }

    fn key(&self, state: &State) -> State {
        // Placing ends by the count of turns, which is the clock only after it.
        State { turn: state.turn.min(self.moving_from), no_capture: 0, ..*state }
    }

    fn without_limits(&self) -> Self {
        let rules = Rules { max_turns: u16::MAX, no_capture_limit: 0, ..self.rules.clone() };
        Shah { rules, ..self.clone() }
    }

    fn action_fields(action: Action) -> ActionFields {
        match Move::from_action(action).expect("an action of the game") {
            Move::Place(point) => ActionFields::of("place").to(point),
            Move::Slide(from, to) => ActionFields::of("slide").from(from).to(to),
            Move::Remove(point) => ActionFields::of("remove").from(point),
            Move::Fly(point) => ActionFields::of("lift").from(point),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, _: &State) -> &'static Chance {
        Chance::first_player(2)
    }

    #[cfg_attr(fast, inline(always))]
    fn resolve<T: Tally>(&self, state: &mut State, outcome: Outcome, _: &mut T) {
        self.begin(state, Player(outcome.0));
    }

    fn winner(&self, state: &State) -> Option<Side> {
        state.winner
    }

    fn is_timed_out(&self, state: &State) -> bool {
        let no_captures = state.no_capture == u32::from(self.rules.no_capture_limit) && state.no_capture > 0;
        // A full board on which nobody can move is a draw of its own.
        state.phase == Phase::Over
            && state.winner.is_none()
            && (no_captures || state.turn == self.rules.max_turns)
    }
}
