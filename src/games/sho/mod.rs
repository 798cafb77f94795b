#![doc = include_str!("rules.md")]

mod board;
mod check;
mod draw;
mod evaluate;
mod greedy;
mod moves;
mod observe;
mod position;
mod rules;
mod state;
#[cfg(test)]
mod tests;

pub use moves::Move;
pub use rules::{PaRa, Rules};
pub use state::{Dict, Phase, State};

use crate::base::error::Error;
use crate::rules::options::check_ranges;
use crate::rules::{
    Action, ActionFields, Chance, Game, Outcome, Player, Side, Statistic, TWO_D6, Tally, Turn, game_items,
};

const KILLS: usize = 0;
const STACKS: usize = 1;
const PA_RA: usize = 2;
const COINS_SENT_HOME: usize = 3;

/// A rule book of Sho.
///
/// ```
/// use sarai::games::sho::{Rules, Sho};
/// use sarai::Game;
/// let game = Sho::new(Rules::default())?;
/// assert_eq!(game.num_players(), 3);
/// assert!(Sho::new(Rules { coins: 10, ..Rules::default() }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sho {
    rules: Rules,
    num_sides: usize,
    /// Bit `p` for each position on the track; bit 0, the hand, is set too but never a target.
    on_track: u64,
}

impl Game for Sho {
    game_items!();

    const NAME: &'static str = "sho";
    const ID: &'static str = "Sho";
    const NUM_ACTIONS: usize = 130;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "kills", meaning: "enemy stacks killed" },
        Statistic { name: "stacks", meaning: "moves onto coins of the same side" },
        Statistic { name: "pa_ra", meaning: "throws of 1-1 that gave another throw or value" },
        Statistic { name: "coins_sent_home", meaning: "enemy coins killed" },
    ];

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, rules.players as usize)?;
        rules.validate()?;
        let num_sides = rules.num_sides();
        let on_track = u64::MAX >> (64 - rules.num_shells);
        Ok(Sho { rules, num_sides, on_track })
    }

    fn num_players(&self) -> usize {
        self.rules.players as usize
    }

    fn side(&self, player: Player) -> Side {
        Side(self.side_index(player) as u8)
    }

    fn max_chance_outcomes(&self) -> usize {
        TWO_D6.weights().len()
    }

    #[cfg_attr(fast, inline(always))]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Value | Phase::Source | Phase::Overflow => Turn::Player(state.player),
            Phase::First | Phase::Roll | Phase::Reroll => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn player_on_turn(&self, state: &State) -> Option<Player> {
        (!matches!(state.phase, Phase::First | Phase::Over)).then_some(state.player)
    }

    fn key(&self, state: &State) -> State {
        State { turn: 0, ..*state }
    }

    fn without_limits(&self) -> Self {
        let rules = Rules { max_turns: u16::MAX, ..self.rules.clone() };
        Sho { rules, ..self.clone() }
    }

    fn action_fields(action: Action) -> ActionFields {
        match Move::from_action(action).expect("an action of the game") {
            Move::Source(source) => ActionFields::of("move").from(source),
            Move::Value(value) => ActionFields::of("distance").die(value),
            Move::BringAll => ActionFields::of("bring_all"),
            Move::Decline => ActionFields::of("decline"),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, state: &State) -> &'static Chance {
        match state.phase {
            Phase::First => Chance::first_player(self.num_players()),
            _ => &TWO_D6,
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn resolve<T: Tally>(&self, state: &mut State, outcome: Outcome, tally: &mut T) {
        self.throw(state, outcome, tally);
    }

    fn winner(&self, state: &State) -> Option<Side> {
        state.winner
    }

    fn returns_range(&self) -> (f64, f64) {
        (-self.rules.stake, self.rules.stake * self.gain())
    }
}

impl Sho {
    /// How many stakes a winner gets (R15): the pot is a stake from each; with teams each winner takes one loser's.
    pub(super) fn gain(&self) -> f64 {
        if self.rules.teams { 1.0 } else { (self.rules.players - 1) as f64 }
    }
}
