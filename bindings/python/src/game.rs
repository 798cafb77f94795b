//! The methods of `Game`, and what can be said of games by name.

use std::borrow::Cow;

use serde_json::{Map, Value};

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};

use crate::classes::{Game, State};
use crate::convert::{filled, from_json, text, to_json, value_error};
use crate::seen;
use sarai::api::registry::{self, find};
use sarai::api::spelling::{self, Spelt};
use sarai::rules::{ActionFields, Player, Symmetry};

/// The names of all games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    sarai::api::registry::all().iter().map(|entry| entry.name).collect()
}

/// The presets of a game, each with all its options, as JSON.
#[pyfunction]
pub(crate) fn presets_json(game: &Bound<'_, PyAny>) -> PyResult<String> {
    let entry = find(&text(game, "game")?).map_err(value_error)?;
    Ok(entry.presets().to_string())
}

/// Options, presets, statistics and observation of a game, as JSON.
#[pyfunction]
pub(crate) fn describe_json(game: &Bound<'_, PyAny>) -> PyResult<String> {
    let entry = find(&text(game, "game")?).map_err(value_error)?;
    Ok(entry.describe().to_string())
}

/// The state that a line of text describes, as written by `str(state)`, of whichever game it is: by the rules of the first
/// preset that has such a position. Raises ValueError if no game has it. See `sarai.parse`.
#[pyfunction]
pub(crate) fn parse(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<State> {
    let (game, position) = registry::parse(&self::text(text, "text")?).ok_or_else(|| {
        value_error(
            "this is a position of no game, or of none with the rules of a preset: use Game.parse, which says what is wrong",
        )
    })?;
    Ok(State::new(Py::new(py, Game::of(game))?, position))
}

/// The options of a text and those given besides, as JSON.
fn merged(options: Map<String, Value>, rules_json: &str) -> PyResult<Cow<'_, str>> {
    if options.is_empty() {
        return Ok(Cow::Borrowed(rules_json));
    }
    let besides: Map<String, Value> = serde_json::from_str(rules_json).map_err(value_error)?;
    if let Some(name) = besides.keys().find(|&name| options.contains_key(name)) {
        return Err(value_error(format!("option '{name}' is in the game's text already: give it once")));
    }
    Ok(Cow::Owned(Value::Object(options.into_iter().chain(besides).collect()).to_string()))
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, preset=None, rules_json="{}"))]
    fn new(name: &Bound<'_, PyAny>, preset: Option<&Bound<'_, PyAny>>, rules_json: &str) -> PyResult<Self> {
        let Spelt { entry, preset: named, options } =
            spelling::read(&text(name, "game")?).map_err(value_error)?;
        let preset = preset.map(|preset| text(preset, "preset")).transpose()?;
        if named.is_some() && preset.is_some() {
            return Err(value_error("the game's text has a preset already: leave preset= out"));
        }
        let preset = named.or(preset);
        let rules = merged(options, rules_json)?;
        let game = entry.make(preset.as_deref(), &rules).map_err(value_error)?;
        Ok(Game::of(game))
    }

    /// The name, as `sarai.games()` lists it.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.name()
    }

    /// Every option with its value, as a fresh dict.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.rules_json())
    }

    /// The same as JSON text.
    #[getter]
    fn rules_json(&self) -> String {
        self.rules.to_string()
    }

    /// The number of seats.
    #[getter]
    fn num_players(&self) -> usize {
        self.game.num_players()
    }

    /// The number of actions, the same for all rules of a game.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.num_actions()
    }

    /// The shape of an observation, `(cells,)`; its dtype is int8.
    #[getter]
    fn observation_shape(&self) -> (usize,) {
        (self.game.observation_len(),)
    }

    /// The parts of an observation: the name, slice, range and meaning of each, with start, stop, low and high, the ends of its
    /// slice and range.
    #[getter]
    fn observation_spec<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let described = self.game.observation().iter().map(|part| {
            let (start, stop) = (part.start, part.start + part.len);
            let dict = PyDict::new(py);
            dict.set_item("name", part.name)?;
            dict.set_item("slice", PySlice::new(py, start as isize, stop as isize, 1))?;
            dict.set_item("range", (part.low, part.high))?;
            dict.set_item("meaning", part.meaning)?;
            dict.set_item("start", start)?;
            dict.set_item("stop", stop)?;
            dict.set_item("low", part.low)?;
            dict.set_item("high", part.high)?;
            Ok(dict)
        });
        described.collect()
    }

    /// What each action id means, as arrays of shape (num_actions,), int16: "kind", an index into `action_kinds`; "from"
    /// and "to", places on the board as numbered on the game's page; "die", the die or distance. It is -1 if the action has
    /// none, or if it depends on the position.
    fn action_table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (table, kinds) = (self.game.action_table(), self.action_kinds()?);
        let kind = |fields: &ActionFields| kinds.iter().position(|&kind| kind == fields.kind);
        let column = |of: &dyn Fn(&ActionFields) -> i16| filled(py, [table.len()], table.iter().map(of));
        let dict = PyDict::new(py);
        dict.set_item("kind", column(&|fields| kind(fields).map_or(-1, |kind| kind as i16))?)?;
        dict.set_item("from", column(&|fields| fields.from)?)?;
        dict.set_item("to", column(&|fields| fields.to)?)?;
        dict.set_item("die", column(&|fields| fields.die)?)?;
        Ok(dict)
    }

    /// What `symmetries` is made of: for each symmetry the cells, the actions and the seats.
    fn symmetry_arrays<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray2<i64>>; 3]> {
        let all = self.game.symmetries();
        let array = |of: fn(&Symmetry) -> &[usize]| {
            let width = of(&all[0]).len();
            let cells = all.iter().flat_map(of).map(|&from| from as i64);
            filled(py, [all.len(), width], cells)
        };
        Ok([array(|one| &one.observation)?, array(|one| &one.actions)?, array(|one| &one.seats)?])
    }

    /// The kinds of actions, in the order of their first ids.
    #[getter]
    fn action_kinds(&self) -> PyResult<Vec<&'static str>> {
        let mut kinds = Vec::new();
        for fields in self.game.action_table() {
            if !kinds.contains(&fields.kind) {
                kinds.push(fields.kind);
            }
        }
        Ok(kinds)
    }

    /// The largest number of outcomes that a chance node can have.
    #[getter]
    fn max_chance_outcomes(&self) -> usize {
        self.game.max_chance_outcomes()
    }

    /// The smallest and the largest return that a player can get.
    #[getter]
    fn returns_range(&self) -> (f64, f64) {
        self.game.returns_range()
    }

    /// The side of each seat: seats on the same side win and lose together.
    #[getter]
    fn sides(&self) -> Vec<usize> {
        let side = |seat| self.game.side(Player(seat as u8)).index();
        (0..self.game.num_players()).map(side).collect()
    }

    /// The statistics that rollouts count.
    #[getter]
    fn statistics(&self) -> Vec<&'static str> {
        self.game.statistics()
    }

    /// The state in which every game starts.
    fn new_initial_state(slf: Bound<'_, Self>) -> PyResult<State> {
        let position = slf.get().game.new_position();
        Ok(State::new(slf.unbind(), position))
    }

    /// The state described by a line of text, as written by `str(state)`. Raises ValueError if the line is not valid.
    fn parse(slf: Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<State> {
        let text = self::text(text, "text")?;
        let position = slf.get().game.parse(&text).map_err(|error| {
            let own = slf.get().game.name();
            match registry::parse(&text) {
                Some((other, _)) if other.name() != own => {
                    value_error(format!("this is a position of {}, not of {own}", other.name()))
                }
                _ => value_error(error),
            }
        })?;
        Ok(State::new(slf.unbind(), position))
    }

    /// The state that a person sees on a board, by keywords. Omitted keywords, and those with None, have the defaults in
    /// brackets, as in a usual game at that point; without keywords it is the initial state. docs/positions.md has details.
    ///
    /// - sho: `player` (who begins); `side_a`, `side_b`, ... as "9:1 23:2 off:1", with "cleared" for a side whose last coins
    ///   were killed (coins left out are in hand); `dice` as (5, 6) and `pool` as (2, 11) (to be thrown, and nothing
    ///   left of earlier throws), `value`, `overflow` and `moved` (none); `turn` (0)
    /// - shah: `player` (who is next, or placed first); `white` and `black` as "a7 d6" (no stones); `in_hand` as (9, 9) (none,
    ///   if both have three stones on the board); `removing` (False), `extra` (if the other cannot move), `lifted` as "a7"
    ///   (none); `beginner` (as the board shows), `winner` (who left the other two stones), `no_capture` (0); `turn` (the
    ///   least possible)
    /// - tshupu: `player` (who begins); `red`, `yellow`, `green` and `black` as "1:2 17 off" (on the start square;
    ///   pieces left out are in hand); `dice` as (1, 4) (to be thrown), `moved` (none); `turn` (the least possible)
    /// - shuanglu: `player` (0); `own`, the pieces of that player, and `other`, each by the numbers of their owner, as
    ///   "24:2 13:5 bar" (as at the start; pieces left out are off); `dice` as (6, 2) (to be thrown), `moves_left` of a
    ///   double (all); `turn` (0)
    ///
    /// Raises ValueError if the keywords contradict one another or the rules, and TypeError if the game has no such keyword or it
    /// takes another type.
    ///
    /// >>> import sarai
    /// >>> state = sarai.make("shuanglu").position(player=0, own="6:2 3:1", other="24:1 1:4", dice=(6, 2))
    /// >>> [state.action_to_string(action) for action in state.legal_actions()]
    /// ['3/1*', '6/4', '6/off']
    /// >>> sarai.make("shah").position(white="a7 d7 g7", black="a7 d6 d5")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: there are a white and a black stone on a7
    #[pyo3(signature = (**given))]
    fn position(slf: Bound<'_, Self>, given: Option<&Bound<'_, PyDict>>) -> PyResult<State> {
        let position = slf.get().game.set_up(seen::values(given)?).map_err(seen::raise)?;
        Ok(State::new(slf.unbind(), position))
    }

    /// The state described by a JSON text, as written by `state.to_json()`. Raises ValueError if the text is not valid.
    fn state_from_json(slf: Bound<'_, Self>, text: &Bound<'_, PyAny>) -> PyResult<State> {
        let text = self::text(text, "text")?;
        let position = slf.get().game.parse_json(&text).map_err(value_error)?;
        Ok(State::new(slf.unbind(), position))
    }

    /// The state described by a dict, as returned by `state.to_dict()`. Raises ValueError if the dict is not valid.
    fn state_from_dict(slf: Bound<'_, Self>, state: &Bound<'_, PyAny>) -> PyResult<State> {
        let text = to_json(state, "the state dict")?;
        let position = slf.get().game.parse_json(&text).map_err(value_error)?;
        Ok(State::new(slf.unbind(), position))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let game = slf.get();
        let arguments = (game.name(), slf.py().None(), game.rules_json()).into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), arguments))
    }

    /// The game and its rules as `sarai.make` reads them: the nearest preset, if it is not the first, and what differs.
    ///
    /// >>> import sarai
    /// >>> str(sarai.make("shah", preset="nine_mens_morris", flying=False)), str(sarai.make("sho"))
    /// ('shah(preset=nine_mens_morris,flying=false)', 'sho')
    fn __str__(&self) -> String {
        self.text().to_owned()
    }

    /// The call that makes this game.
    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("sarai.make('{}')", self.__str__()))
    }
}
