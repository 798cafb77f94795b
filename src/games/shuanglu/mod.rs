#![doc = include_str!("rules.md")]

mod board;
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

pub use moves::Step;
pub use rules::{BearOff, Rules, Scoring, Setup};
pub use state::{Dict, Phase, State};

use crate::base::error::Error;
use crate::rules::options::check_ranges;
use crate::rules::{
    Action, ActionFields, Chance, Game, Outcome, PerPlayer, Player, Side, Statistic, TWO_D6, Tally, Turn,
    const_for, game_items,
};

/// How many play (R1).
const PLAYERS: usize = 2;

const HITS: usize = 0;
const FORCED_PASSES: usize = 1;
const GAMMONS: usize = 2;

/// The throws of one die each that differ (R2), equally likely; see [`OPENING_FACES`].
static OPENING: Chance = Chance::dice(&OPENING_FACES, &[1; 30]);

/// The faces of each outcome of [`OPENING`], seat 0's die first.
const OPENING_FACES: [[u8; 2]; 30] = {
    let mut faces = [[0; 2]; 30];
    let mut at = 0;
    const_for!(1, 7, |a| {
        const_for!(1, 7, |b| {
            if a != b {
                faces[at] = [a, b];
                at += 1;
            }
        });
    });
    faces
};

/// A rule book of Shuanglu.
///
/// ```
/// use sarai::games::shuanglu::{Rules, Shuanglu};
/// use sarai::Game;
/// let game = Shuanglu::new(Rules::default())?;
/// assert_eq!(game.num_players(), 2);
/// assert!(Shuanglu::new(Rules { max_turns: 0, ..Rules::default() }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shuanglu {
    rules: Rules,
    start: State,
}

impl Game for Shuanglu {
    game_items!();

    const NAME: &'static str = "shuanglu";
    const ID: &'static str = "Shuanglu";
    const NUM_ACTIONS: usize = 150;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "hits", meaning: "enemy pieces sent to the bar" },
        Statistic { name: "forced_passes", meaning: "turns in which no step was possible" },
        Statistic { name: "gammons", meaning: "wins over a player who had borne off nothing" },
    ];

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, 2)?;
        let start = state::start(&rules);
        Ok(Shuanglu { rules, start })
    }

    fn num_players(&self) -> usize {
        PLAYERS
    }

    fn max_chance_outcomes(&self) -> usize {
        OPENING.weights().len()
    }

    #[cfg_attr(fast, inline(always))]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Move => Turn::Player(state.player),
            Phase::Opening | Phase::Roll => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    fn player_on_turn(&self, state: &State) -> Option<Player> {
        (!matches!(state.phase, Phase::Opening | Phase::Over)).then_some(state.player)
    }

    fn key(&self, state: &State) -> State {
        State { turn: 0, ..*state }
    }

    fn without_limits(&self) -> Self {
        let rules = Rules { max_turns: u16::MAX, ..self.rules.clone() };
        Shuanglu { rules, ..self.clone() }
    }

    fn action_fields(action: Action) -> ActionFields {
        let step = Step::from_action(action).expect("an action of the game");
        let (from, to) = step.path();
        ActionFields::of("step").from(from as u8).to(to as u8).die(step.die)
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, state: &State) -> &'static Chance {
        match state.phase {
            Phase::Opening => &OPENING,
            _ => &TWO_D6,
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn resolve<T: Tally>(&self, state: &mut State, outcome: Outcome, tally: &mut T) {
        self.throw(state, outcome, tally);
    }

    fn winner(&self, state: &State) -> Option<Side> {
        state.winner().map(|player| Side(player.0))
    }

    fn returns(&self, state: &State) -> PerPlayer<f64> {
        let mut returns = PerPlayer::new(PLAYERS, 0.0);
        if let Some(winner) = state.winner() {
            let points = self.points_won(state) as f64;
            returns[winner] = points;
            returns[winner.next(PLAYERS)] = -points;
        }
        returns
    }

    fn returns_range(&self) -> (f64, f64) {
        let most = match self.rules.scoring {
            Scoring::Single => 1.0,
            Scoring::Gammon => 3.0,
        };
        (-most, most)
    }
}
