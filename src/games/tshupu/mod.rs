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
pub use rules::{Crosscuts, FinishedPlayer, Rules};
pub use state::{Dict, Phase, State};

use crate::base::error::Error;
use crate::rules::options::check_ranges;
use crate::rules::{
    Action, ActionFields, Chance, Game, MAX_PLAYERS, Outcome, Player, Side, Statistic, Tally, Turn,
    game_items,
};
use board::{BARS_SIDES, BARS_SIDES_AND_ENDS, Bars};

const HITS: usize = 0;
const ENTRIES: usize = 1;
const PARTIAL_TURNS: usize = 2;

/// Two four-sided dice with the faces 1, 3, 4 and 6, the order ignored: see [`FOUR_SIDED_FACES`].
static TWO_FOUR_SIDED: Chance = Chance::dice(&FOUR_SIDED_FACES, &[1, 2, 2, 2, 1, 2, 2, 1, 2, 1]);

/// The two faces of each outcome, the smaller first.
const FOUR_SIDED_FACES: [[u8; 2]; 10] =
    [[1, 1], [1, 3], [1, 4], [1, 6], [3, 3], [3, 4], [3, 6], [4, 4], [4, 6], [6, 6]];

/// A rule book of T'shu-p'u.
///
/// ```
/// use sarai::games::tshupu::{Rules, TshuPu};
/// use sarai::Game;
/// let game = TshuPu::new(Rules::default())?;
/// assert_eq!(game.num_players(), 4);
/// assert!(TshuPu::new(Rules { pieces: 0, ..Rules::default() }).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TshuPu {
    rules: Rules,
    bars: &'static Bars,
}

impl Game for TshuPu {
    game_items!();

    const NAME: &'static str = "tshupu";
    const ID: &'static str = "TshuPu";
    const NUM_ACTIONS: usize = 165;
    const STATISTICS: &'static [Statistic] = &[
        Statistic { name: "hits", meaning: "enemy pieces hit" },
        Statistic { name: "entries", meaning: "pieces entered from hand" },
        Statistic { name: "partial_turns", meaning: "turns in which only one die could be played, and was" },
    ];

    fn new(rules: Rules) -> Result<Self, Error> {
        check_ranges(Self::OPTIONS, &rules, MAX_PLAYERS)?;
        let bars = match rules.crosscuts {
            Crosscuts::Sides => &BARS_SIDES,
            Crosscuts::SidesAndEnds => &BARS_SIDES_AND_ENDS,
        };
        Ok(TshuPu { rules, bars })
    }

    fn num_players(&self) -> usize {
        MAX_PLAYERS
    }

    fn side(&self, player: Player) -> Side {
        Side(player.0 & 1)
    }

    fn max_chance_outcomes(&self) -> usize {
        FOUR_SIDED_FACES.len()
    }

    #[cfg_attr(fast, inline(always))]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Move | Phase::Second => Turn::Player(state.player),
            Phase::First | Phase::Roll => Turn::Chance,
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
        TshuPu { rules, ..self.clone() }
    }

    fn action_fields(action: Action) -> ActionFields {
        match Move::from_action(action).expect("an action of the game") {
            Move::Die { face, from } => ActionFields::of("one_die").from(from).die(face),
            Move::Both { from } => ActionFields::of("both_dice").from(from),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn chance(&self, state: &State) -> &'static Chance {
        match state.phase {
            Phase::First => Chance::first_player(MAX_PLAYERS),
            _ => &TWO_FOUR_SIDED,
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn resolve<T: Tally>(&self, state: &mut State, outcome: Outcome, _: &mut T) {
        self.throw(state, outcome);
    }

    fn winner(&self, state: &State) -> Option<Side> {
        state.finished_team()
    }
}
