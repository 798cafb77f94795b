//! The classes `Game` and `State`. Each makes the other, so that both stand here, and their methods in files of their own.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use pyo3::prelude::*;
use serde_json::Value;

use sarai::api::{AnyGame, spelling};
use sarai::base::lock;
use sarai::play::AnyPosition;

/// A game with all its options. `sarai.make` makes one. It is immutable, hashable and picklable, and equal to another with
/// the same name and options.
///
/// >>> import sarai
/// >>> game = sarai.make("sho", players=4, teams=True)
/// >>> game.name, game.num_players, game.num_actions, game.observation_shape, game.sides
/// ('sho', 4, 130, (287,), [0, 1, 0, 1])
/// >>> game.rules["players"], game.max_chance_outcomes, game.statistics[0]
/// (4, 21, 'kills')
/// >>> game
/// sarai.make('sho(preset=teams)')
/// >>> game.parse("here and there")
/// Traceback (most recent call last):
/// ...
/// ValueError: a position must begin with its phase, not 'here'
#[pyclass(frozen, weakref, eq, hash, module = "sarai._core")]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) rules: Value,
    text: OnceLock<String>,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.game.name() == other.game.name() && self.rules == other.rules
    }
}

impl Hash for Game {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.game.name().hash(hasher);
        self.rules.to_string().hash(hasher);
    }
}

impl Game {
    pub(crate) fn of(game: Arc<dyn AnyGame>) -> Self {
        Game { rules: game.rules(), game, text: OnceLock::new() }
    }

    /// The one text of these rules.
    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| spelling::text(&*self.game))
    }
}

/// A position of a game, with OpenSpiel's methods. A `Game` makes one, and only `apply_action` changes it. It can be
/// pickled and is equal to another state with the same rules and position; as it changes it has no hash, but a `key`.
///
/// >>> import sarai
/// >>> state = sarai.make("sho").new_initial_state()
/// >>> state.current_player() == sarai.CHANCE, len(state.chance_outcomes())
/// (True, 21)
/// >>> state.outcome_to_string(7)
/// '2-3'
/// >>> state.apply_action(7)
/// >>> state.legal_actions(), state.action_to_string(0), state.string_to_action("hand/5")
/// ([0], 'hand/5', 0)
/// >>> state.observation_tensor(0).shape, state.legal_actions_mask().dtype, state.returns()
/// ((287,), dtype('int8'), [0.0, 0.0, 0.0])
/// >>> state.apply_action(60)
/// Traceback (most recent call last):
/// ...
/// sarai.IllegalActionError: action 60 is not legal here; the legal ones are 0
#[pyclass(frozen, weakref, module = "sarai._core")]
pub(crate) struct State {
    pub(crate) game: Py<Game>,
    position: Mutex<Box<dyn AnyPosition>>,
}

impl State {
    pub(crate) fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> Self {
        State { game, position: Mutex::new(position) }
    }

    /// The position. It is held for the engine's work only, never while Python runs.
    pub(crate) fn position(&self) -> MutexGuard<'_, Box<dyn AnyPosition>> {
        lock(&self.position)
    }
}
