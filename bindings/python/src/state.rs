//! The methods of `State`: one game in progress, with OpenSpiel's verbs.

use crate::convert::OrRaise;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::agents::inside;
use crate::classes::{Game, State};
use crate::convert::{
    self, IllegalActionError, Seed, from_json, is_turn, raise, text, time, value_error, whole, whole_in,
    zeros,
};
use crate::watch::watched;
use sarai::agents::Streams;
use sarai::base::{Control, IllegalAction, shorten};
use sarai::play::TERMINAL;
use sarai::rules::{Action, ActionSet, MAX_ACTIONS, Outcome, Player, Turn};

/// What `current_player` returns at a chance node: OpenSpiel's number.
pub(crate) const CHANCE: i64 = -1;

const _: () = assert!(MAX_ACTIONS <= 1 << u8::BITS, "an action is a byte");

/// The deepest count of paths that may be asked for: long before it, there are more than any machine can count.
const MAX_DEPTH: i128 = 100;

/// The action that an agent inside the engine, such as "random", "greedy" or "mcts:200", chooses for the player whose turn
/// it is. The same state, agent and seed (0 to 2**64 - 1; None draws one) give the same action: the one that
/// the agent would choose here as its first choice in game 0 of that seed. Raises ValueError if no player acts here.
///
/// >>> import sarai
/// >>> state = sarai.make("shah").new_initial_state()
/// >>> sarai.choose(state, "greedy") in state.legal_actions()
/// True
/// >>> sarai.choose(state, "random", seed=3) == sarai.choose(state, "random", seed=3)
/// True
/// >>> sarai.choose(state, "clever")
/// Traceback (most recent call last):
/// ...
/// ValueError: unknown agent 'clever'; agents are ...
#[pyfunction]
#[pyo3(signature = (state, agent, *, seed=Seed::DRAWN), text_signature = "(state, agent, *, seed=None)")]
pub(crate) fn choose(
    py: Python<'_>,
    state: &Bound<'_, State>,
    agent: &Bound<'_, PyAny>,
    seed: Seed,
) -> PyResult<u16> {
    let agent = inside(agent, "agent")?;
    let position = state.get().position().boxed();
    let Turn::Player(player) = position.turn() else {
        return Err(value_error("no player acts here, so there is nothing to choose"));
    };
    let mut streams = Streams::new(seed.or_drawn(py)?, 0);
    let rng = &mut streams.seats[player.index()];
    let control = Control::default();
    let Action(id) = watched(py, None, || position.choose(&agent, rng, &control))?.or_raise()?;
    Ok(id)
}

/// What an agent that plays inside the engine thinks of a state; see `sarai.analyse`. After `seconds` a search stops.
#[pyfunction]
#[pyo3(signature = (state, agent, *, seed=Seed::DRAWN, seconds=None))]
pub(crate) fn analyse<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    agent: &Bound<'py, PyAny>,
    seed: Seed,
    seconds: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let agent = inside(agent, "agent")?;
    let position = state.get().position().boxed();
    let Turn::Player(player) = position.turn() else {
        return Err(value_error("no player acts here, so there is nothing to analyse"));
    };
    let mut streams = Streams::new(seed.or_drawn(py)?, 0);
    let rng = &mut streams.seats[player.index()];
    let control = Control::until(time(seconds)?);
    let told = watched(py, None, || position.analyse(&agent, rng, &control))?.or_raise()?;
    from_json(py, &told.to_string())
}

impl State {
    /// The legal actions, for `player` or the player to act.
    fn legal(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<sarai::ActionSet> {
        // Reading the number may run Python code, so it comes before the lock.
        let player = player.map(|player| whole(player, "player")).transpose()?;
        let position = self.position();
        Ok(match (position.turn(), player) {
            (Turn::Player(to_act), Some(player)) if player != Some(to_act.0 as i128) => ActionSet::EMPTY,
            _ => position.legal_actions(),
        })
    }

    /// The number that was given for an action.
    fn action(action: &Bound<'_, PyAny>) -> PyResult<i64> {
        if action.is_instance_of::<PyString>() {
            let advice =
                "action must be a whole number, not str; string_to_action gives the number of a name";
            return Err(PyTypeError::new_err(advice));
        }
        convert::action(action, "action")
    }

    /// The error for an action that is not legal.
    fn refuse(&self, id: i64) -> PyErr {
        raise(IllegalAction::new(id, self.position().explain()))
    }

    /// The name of a legal action.
    fn name_of(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let id = Self::action(action)?;
        let name = self.position().action_name(id);
        name.ok_or_else(|| self.refuse(id))
    }

    /// The actions that a text describes.
    fn actions_of(&self, text: &str) -> PyResult<Vec<u16>> {
        let position = self.position().boxed();
        let found = sarai::record::actions(&*position, text).map_err(value_error)?;
        Ok(found.into_iter().map(|id| id as u16).collect())
    }

    /// Whether an argument is the number that `current_player` gives now.
    fn is_to_act(&self, player: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(whole(player, "player")? == Some(self.current_player() as i128))
    }

    /// The seat that an argument names.
    fn seat(&self, py: Python<'_>, player: &Bound<'_, PyAny>) -> PyResult<Player> {
        let players = self.game.bind(py).get().game.num_players();
        Ok(Player(whole_in(player, "player", 0, players as i128 - 1)? as u8))
    }
}

#[pymethods]
impl State {
    /// The game that the state belongs to.
    fn get_game<'py>(&self, py: Python<'py>) -> Bound<'py, Game> {
        self.game.bind(py).clone()
    }

    /// The number of seats.
    fn num_players(&self, py: Python<'_>) -> usize {
        self.game.bind(py).get().game.num_players()
    }

    /// The seat whose turn it is, or `sarai.CHANCE` or `sarai.TERMINAL`.
    fn current_player(&self) -> i64 {
        match self.position().turn() {
            Turn::Player(player) => player.0 as i64,
            Turn::Chance => CHANCE,
            Turn::Over => TERMINAL as i64,
        }
    }

    /// The seat whose turn it is, about to throw or to act; -1 if it is nobody's: the game is over, or chance has yet to
    /// decide who begins. `current_player` is `sarai.CHANCE` before a throw, whoever throws.
    #[getter]
    fn turn(&self) -> i64 {
        self.position().player_on_turn().map_or(-1, |player| i64::from(player.0))
    }

    /// Whether an outcome of chance comes next.
    fn is_chance_node(&self) -> bool {
        self.position().turn() == Turn::Chance
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.position().turn() == Turn::Over
    }

    /// The legal actions of the player whose turn it is, in ascending order; empty at a chance node, at the end, and for any
    /// other player.
    #[pyo3(signature = (player=None))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let legal = self.legal(player)?;
        // A list of bytes is made without a panic where there is no memory, which costs less than to ask for room first.
        let bytes = PyBytes::new_with(py, legal.len(), |bytes| {
            bytes.iter_mut().zip(legal.iter()).for_each(|(byte, Action(id))| *byte = id as u8);
            Ok(())
        })?;
        Ok(py.get_type::<PyList>().call1((bytes,))?.cast_into()?)
    }

    /// The same as an int8 array of shape (num_actions,), 1 where an action is legal.
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let legal = self.legal(player)?;
        let mut mask = vec![0; self.game.bind(py).get().game.num_actions()];
        legal.write_mask(&mut mask);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// The outcomes of a chance node with their probabilities; empty elsewhere.
    fn chance_outcomes(&self) -> Vec<(u8, f64)> {
        let Some(chance) = self.position().chance() else {
            return Vec::new();
        };
        (0..chance.weights().len() as u8).map(|o| (o, chance.probability(Outcome(o)))).collect()
    }

    /// Play a legal action, or an outcome at a chance node. Any other integer raises IllegalActionError and leaves the state
    /// unchanged.
    fn apply_action(&self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let id = Self::action(action)?;
        self.position().play_any(id).or_raise()
    }

    /// A new state: this one after a legal action, or after an outcome at a chance node. Any other integer raises
    /// IllegalActionError.
    fn child(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<State> {
        let child = self.clone(py)?;
        child.apply_action(action)?;
        Ok(child)
    }

    /// Count the ways to play `depth` more steps from here. A step is an action or a chance outcome, and every outcome
    /// counts once. Games that end sooner do not count; depth 0 counts 1. The time grows with the count, and is about a second
    /// for a hundred million. Ctrl-C stops the counting.
    ///
    /// Raises ValueError for a depth outside 0 to 100.
    ///
    /// >>> import sarai
    /// >>> state = sarai.make("sho").new_initial_state()
    /// >>> [state.perft(depth) for depth in range(4)]
    /// [1, 21, 41, 501]
    /// >>> state.perft(-1)
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: depth got -1; it takes 0 to 100
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = whole_in(depth, "depth", 0, MAX_DEPTH)? as u32;
        let position = self.position().boxed();
        let control = Control::default();
        let count = watched(py, None, || position.perft(depth, &control))?;
        count.ok_or_else(|| PyKeyboardInterrupt::new_err(()))
    }

    /// Draw outcomes of chance until a player acts next or the game is over; does nothing if this is not a chance node. The
    /// same state and seed (0 to 2**64 - 1; None draws one from the system) give the same outcomes.
    #[pyo3(signature = (seed=Seed::DRAWN), text_signature = "($self, seed=None)")]
    fn sample_chance(&self, py: Python<'_>, seed: Seed) -> PyResult<()> {
        let mut dice = Streams::new(seed.or_drawn(py)?, 0).dice;
        self.position().settle(&mut dice);
        Ok(())
    }

    /// The name of a legal action. As in OpenSpiel, it may be preceded by the player whose turn it is or, for an outcome at a
    /// chance node, by CHANCE.
    #[pyo3(signature = (player_or_action, action=None, /))]
    fn action_to_string(
        &self,
        player_or_action: &Bound<'_, PyAny>,
        action: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let Some(action) = action else {
            return self.name_of(player_or_action);
        };
        if !self.is_to_act(player_or_action)? {
            return Err(self.refuse(Self::action(action)?));
        }
        if self.is_chance_node() { self.outcome_to_string(action) } else { self.name_of(action) }
    }

    /// The legal action with this name; the marks * and + may be left out. As in OpenSpiel, it may be preceded by the player
    /// whose turn it is. Raises ValueError if there is none.
    #[pyo3(signature = (player_or_text, text=None, /))]
    fn string_to_action(
        &self,
        player_or_text: &Bound<'_, PyAny>,
        text: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u16> {
        if text.is_some() && !self.is_to_act(player_or_text)? {
            return Err(value_error(format!("it is player {}'s turn", self.current_player())));
        }
        let name = self::text(text.unwrap_or(player_or_text), "text")?;
        match self.actions_of(&name)?[..] {
            [action] => Ok(action),
            ref several => Err(value_error(format!(
                "'{}' is {} actions; string_to_actions reads them",
                shorten(&name),
                several.len()
            ))),
        }
    }

    /// The actions of a turn, or of the beginning of one, as people write it: "8/5(2) 6/3*", "24/18/14" or "d7xb4". Marks
    /// of hits may be left out, and moves be in any order; the actions are in one in which they are legal. Raises ValueError,
    /// saying which move cannot be played.
    ///
    /// >>> import sarai
    /// >>> state = sarai.make("shuanglu(preset=backgammon)").position(player=0, dice=(6, 4))
    /// >>> actions = state.string_to_actions("24/14")
    /// >>> state.action_to_string(actions[0]), state.child(actions[0]).action_to_string(actions[1])
    /// ('24/20', '20/14')
    /// >>> state.string_to_actions("13/8")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: '13/8': from 13 a piece can go to 9 or 7, not to 8
    fn string_to_actions(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<u16>> {
        self.actions_of(&self::text(text, "text")?)
    }

    /// The name of an outcome of this chance node.
    fn outcome_to_string(&self, outcome: &Bound<'_, PyAny>) -> PyResult<String> {
        let outcomes = self.position().chance().map_or(0, |chance| chance.weights().len());
        if outcomes == 0 {
            return Err(IllegalActionError::new_err("there are no outcomes: this is not a chance node"));
        }
        let id = whole_in(outcome, "outcome", 0, outcomes as i128 - 1)?;
        self.position().outcome_name(id as i64).ok_or_else(|| value_error("there is no such outcome"))
    }

    /// The final score of each player; zeros until the game is over.
    fn returns(&self) -> Vec<f64> {
        self.position().returns().as_slice().to_vec()
    }

    /// The position for dicts and sets, as a state can change and has no hash: bytes that are equal for equal states and
    /// different for others, in every process and in later versions: the text of the game, and that of the state.
    ///
    /// >>> import sarai
    /// >>> state = sarai.make("shah").new_initial_state()
    /// >>> table = {state.key(): 0.5}
    /// >>> table[state.clone().key()]
    /// 0.5
    /// >>> {state: 0.5}
    /// Traceback (most recent call last):
    /// ...
    /// TypeError: ...
    fn key<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let key = format!("{}\n{}", self.game.get().text(), self.position().text());
        PyBytes::new(py, key.as_bytes())
    }

    /// What the latest action or outcome gave each player: the returns at the end of the game, zeros before.
    fn rewards(&self) -> Vec<f64> {
        self.returns()
    }

    /// The final score of one player.
    fn player_return(&self, py: Python<'_>, player: &Bound<'_, PyAny>) -> PyResult<f64> {
        let seat = self.seat(py, player)?;
        Ok(self.position().returns()[seat])
    }

    /// What a player sees of the state, as an int8 array of shape `game.observation_shape`: a seat, None for the player to
    /// act, or "turn" for the player whose turn it is, also before a throw (`turn`). Raises ValueError if there is none.
    ///
    /// >>> import sarai
    /// >>> state = sarai.make("shuanglu").position(player=1)
    /// >>> state.is_chance_node(), state.turn
    /// (True, 1)
    /// >>> bool((state.observation_tensor("turn") == state.observation_tensor(1)).all())
    /// True
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let last = self.num_players(py) as i128 - 1;
        let viewer = match player {
            Some(player) if is_turn(player, "player", last)? => self.position().player_on_turn(),
            Some(player) => Some(self.seat(py, player)?),
            None => match self.position().turn() {
                Turn::Player(player) => Some(player),
                Turn::Chance | Turn::Over => None,
            },
        };
        let viewer = viewer.ok_or_else(|| {
            value_error("nobody acts here, so say whose view you want: observation_tensor(0)")
        })?;
        let cells = self.game.bind(py).get().game.observation_len();
        let array = zeros(py, [cells])?;
        self.position().observe(viewer, array.readwrite().as_slice_mut()?);
        Ok(array)
    }

    /// The number of turns that have passed.
    fn turns_passed(&self) -> u32 {
        self.position().turns_passed()
    }

    /// The side that has won, -1 for a draw; None while the game is not over.
    #[getter]
    fn winner(&self) -> Option<i64> {
        let position = self.position();
        let over = position.turn() == Turn::Over;
        over.then(|| position.winner().map_or(-1, |side| side.0 as i64))
    }

    /// The state as plain ints, strings, lists and dicts, with the keys that the game's page describes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.to_json())
    }

    /// The same as JSON text.
    fn to_json(&self) -> String {
        self.position().to_json()
    }

    /// Everything that a renderer needs, as plain data: game, rules, num_players, sides, state.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.position().view().to_string();
        from_json(py, &view)
    }

    /// A copy of the state, independent of this one.
    fn clone(&self, py: Python<'_>) -> PyResult<State> {
        Ok(State::new(self.game.clone_ref(py), self.position().boxed()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<State> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<State> {
        self.clone(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let read = self.game.bind(py).as_any().getattr("state_from_json")?;
        Ok((read, (self.to_json(),).into_pyobject(py)?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<State>() else {
            return false;
        };
        // Never both locks at once: another thread might compare the other way round.
        let other = other.get().position().boxed();
        self.position().same(&*other)
    }

    fn __str__(&self) -> String {
        self.position().text()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let game = self.game.bind(py).repr()?;
        Ok(format!("<State of {game}: {}>", self.position().text()))
    }
}
