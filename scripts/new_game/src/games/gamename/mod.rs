#![doc = include_str!("rules.md")]

mod board;
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
pub use rules::Rules;
pub use state::{Dict, Phase, State};

use crate::base::error::Error;
use crate::rules::options::check_ranges;
use crate::rules::{
    Action, ActionFields, Chance, Game, Outcome, Player, Side, Statistic, Tally, Turn, game_items,
};

/// How many people play (R1).
const PLAYERS: usize = 2;

const CAPTURES: usize = 0;
const FORCED_PASSES: usize = 1;

/// The die (R2): outcome `i` is a throw of `i`, and 0 is the blank.
static DIE: Chance = Chance::new(&[1; 5]);

/// A rule book of Gamename.
///
/// ```
/// use sarai::Game;
/// use sarai::games::gamename;
/// let game = gamename::Gamename::new(gamename::Rules::default())?;
/// assert_eq!(game.num_players(), 2);
/// # Ok::<(), sarai::Error>(())
/// ```
/// Options out of range are refused:
/// ```
/// use sarai::Game;
/// use sarai::games::gamename;
/// let rules = gamename::Rules { max_turns: 0, ..Default::default() };
/// assert!(gamename::Gamename::new(rules).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Gamename {
    rules: Rules,
}

impl Game for Gamename {
    game_items!();

    const NAME: &'static str = "gamename";
    const ID: &'static str = "Gamename";
    const NUM_ACTIONS: usize = board::OFF;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "captures", meaning: "enemy pieces sent back to the hand" },
        Statistic {
            name: "forced_passes",
            meaning: "throws after which no piece could move, blanks included",
        },
    ];

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, PLAYERS)?;
        Ok(Gamename { rules })
    }

    fn num_players(&self) -> usize {
        PLAYERS
    }

    fn max_chance_outcomes(&self) -> usize {
        DIE.weights().len()
    }

    #[cfg_attr(fast, inline(always))]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Roll => Turn::Chance,
            Phase::Move => Turn::Player(state.player),
            Phase::Over => Turn::Over,
        }
    }

    fn player_on_turn(&self, state: &State) -> Option<Player> {
        (state.phase != Phase::Over).then_some(state.player)
    }

    fn key(&self, state: &State) -> State {
        State { turn: 0, ..*state }
    }

    fn without_limits(&self) -> Self {
        Gamename { rules: Rules { max_turns: u16::MAX, ..self.rules.clone() } }
    }

    fn action_fields(action: Action) -> ActionFields {
        let Move { source } = Move::from_action(action).expect("an action of the game");
        ActionFields::of("move").from(source)
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, _: &State) -> &'static Chance {
        &DIE
    }

    #[cfg_attr(fast, inline(always))]
    fn resolve<T: Tally>(&self, state: &mut State, outcome: Outcome, tally: &mut T) {
        self.throw(state, outcome, tally);
    }

    fn winner(&self, state: &State) -> Option<Side> {
        self.winning(state).map(|player| Side(player.0))
    }
}
