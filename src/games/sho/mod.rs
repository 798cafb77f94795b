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
use crate::rules::action::{Action, ActionFields, ActionSet};
use crate::rules::chance::{self, Chance, Outcome, TWO_D6};
use crate::rules::game::{Game, Preset, Statistic, Tally, Turn};
use crate::rules::options::{OptionSpec, check_ranges};
use crate::rules::player::{PerPlayer, Player, Side};

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
    const NAME: &'static str = "sho";
    const ID: &'static str = "Sho";
    const RULE_BOOK: &'static str = include_str!("rules.md");
    const HOW_TO_PLAY: &'static str = include_str!("how_to_play.md");
    const NUM_ACTIONS: usize = 130;
    const OPTIONS: &'static [OptionSpec] = rules::OPTIONS;
    const PRESETS: &'static [Preset<Rules>] = rules::PRESETS;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "kills", meaning: "enemy stacks killed" },
        Statistic { name: "stacks", meaning: "moves onto coins of the same side" },
        Statistic { name: "pa_ra", meaning: "throws of 1-1 that gave another throw or value" },
        Statistic { name: "coins_sent_home", meaning: "enemy coins killed" },
    ];

    type Rules = Rules;
    type State = State;

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, rules.players as usize)?;
        rules.validate()?;
        let num_sides = rules.num_sides();
        let on_track = u64::MAX >> (64 - rules.num_shells);
        Ok(Sho { rules, num_sides, on_track })
    }

    fn rules(&self) -> &Rules {
        &self.rules
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

    fn initial_state(&self) -> State {
        self.start()
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

    #[cfg_attr(fast, inline(always))]
    fn legal_actions(&self, state: &State) -> ActionSet {
        self.legal(state)
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
    fn apply<T: Tally>(&self, state: &mut State, action: Action, tally: &mut T) {
        self.play(state, action, tally);
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, state: &State) -> &'static Chance {
        match state.phase {
            Phase::First => chance::first_player(self.num_players()),
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

    fn returns(&self, state: &State) -> PerPlayer<f64> {
        let mut returns = PerPlayer::new(self.num_players(), 0.0);
        if let Some(winner) = state.winner {
            let gain = self.gain();
            for (seat, score) in returns.as_mut_slice().iter_mut().enumerate() {
                let won = self.side(Player(seat as u8)) == winner;
                *score = self.rules.stake * if won { gain } else { -1.0 };
            }
        }
        returns
    }

    fn returns_range(&self) -> (f64, f64) {
        (-self.rules.stake, self.rules.stake * self.gain())
    }

    fn turns_passed(&self, state: &State) -> u32 {
        state.turn as u32
    }

    fn check(&self, state: &State) -> Result<(), Error> {
        self.check_state(state)
    }
}

impl Sho {
    /// How many stakes a winner gets (R15): the pot is a stake from each; with teams each winner takes one loser's.
    pub(super) fn gain(&self) -> f64 {
        if self.rules.teams { 1.0 } else { (self.rules.players - 1) as f64 }
    }
}
