//! The dyn face of games, positions, batches and rollouts, implemented once for every game.
//!
//! Whoever does not know the game at compile time (the Python binding, the registry's tests) works with this; a batch
//! costs one dynamic call a step.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use crate::action::{Action, ActionSet};
use crate::agent::Agent;
use crate::batch::{Batch, BatchConfig, Out, Seeds, Snapshot, StepError};
use crate::chance::{Chance, Outcome};
use crate::control::Control;
use crate::error::{BadRequest, Broken, IllegalAction, shorten};
use crate::game::{FullGame, Game, ObservationPart, Turn};
use crate::options;
use crate::perft::count_paths;
use crate::player::{PerPlayer, Player, Side};
use crate::playout::random_playouts;
use crate::position::Position;
use crate::rng::Stream;
use crate::rollout::{Columns, Rollout, RolloutConfig};
use crate::series::{SeriesColumns, SeriesConfig, SeriesRun};
use crate::window::PlayError;

/// The longest text or JSON of a state that is read, in bytes.
pub const MAX_STATE_TEXT: usize = 64 * 1024;

/// Any rule book.
pub trait AnyGame: Debug + Send + Sync {
    /// See [`Game::NAME`].
    fn name(&self) -> &'static str;
    /// The options as a JSON object.
    fn rules(&self) -> Value;
    /// See [`Game::num_players`].
    fn num_players(&self) -> usize;
    /// See [`Game::side`].
    fn side(&self, player: Player) -> Side;
    /// See [`Game::NUM_ACTIONS`].
    fn num_actions(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION_LEN`].
    fn observation_len(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION`].
    fn observation(&self) -> &'static [ObservationPart];
    /// The names of [`Game::STATISTICS`].
    fn statistics(&self) -> Vec<&'static str>;
    /// See [`Game::returns_range`].
    fn returns_range(&self) -> (f64, f64);
    /// See [`Game::max_chance_outcomes`].
    fn max_chance_outcomes(&self) -> usize;
    /// The start of a game.
    fn new_position(&self) -> Box<dyn AnyPosition>;
    /// The position that a line of text describes.
    ///
    /// # Errors
    /// When it describes none, or one that breaks an invariant.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken>;
    /// The position that a state dict describes, given as JSON.
    ///
    /// # Errors
    /// When it describes none, or one that breaks an invariant.
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken>;
    /// See [`random_playouts`].
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64;
    /// A batch of this game.
    ///
    /// # Errors
    /// As [`Batch::new`].
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, StepError>;
    /// A batch that goes on from a snapshot.
    ///
    /// # Errors
    /// As [`Batch::from_snapshot`].
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, BadRequest>;
    /// A rollout of this game.
    ///
    /// # Errors
    /// As [`Rollout::new`].
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, BadRequest>;
    /// Series of this game.
    ///
    /// # Errors
    /// As [`SeriesRun::new`].
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, BadRequest>;
}

impl<G: FullGame> AnyGame for G {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn rules(&self) -> Value {
        options::to_value::<G>(Game::rules(self))
    }
    fn num_players(&self) -> usize {
        Game::num_players(self)
    }
    fn side(&self, player: Player) -> Side {
        Game::side(self, player)
    }
    fn num_actions(&self) -> usize {
        G::NUM_ACTIONS
    }
    fn observation_len(&self) -> usize {
        G::OBSERVATION_LEN
    }
    fn observation(&self) -> &'static [ObservationPart] {
        G::OBSERVATION
    }
    fn statistics(&self) -> Vec<&'static str> {
        G::STATISTICS.iter().map(|statistic| statistic.name).collect()
    }
    fn returns_range(&self) -> (f64, f64) {
        Game::returns_range(self)
    }
    fn max_chance_outcomes(&self) -> usize {
        Game::max_chance_outcomes(self)
    }
    fn new_position(&self) -> Box<dyn AnyPosition> {
        Box::new(Position::new(self.clone()))
    }
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken> {
        readable(text)?;
        let state = crate::Show::parse(self, text)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn parse_json(&self, text: &str) -> Result<Box<dyn AnyPosition>, Broken> {
        readable(text)?;
        // First whether it is JSON at all, for the reader below would say so in its own words.
        match serde_json::from_str(text) {
            Ok(Value::Object(_)) => {}
            Ok(_) => return Err(Broken::new("the state is no dict; it has the keys of the rule book")),
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                return Err(Broken::new(format!("the state is no JSON: line {line}, column {column}")));
            }
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        let dict: G::Dict = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (path, cause) = (error.path().to_string(), error.inner().to_string());
            // Where in the text it happened helps nobody who gave a dict.
            let cause = without_middle(&plainly(cause.split(" at line ").next().unwrap_or_default()));
            let path = shorten(&path);
            Broken::new(if path == "." { format!("the state: {cause}") } else { format!("{path}: {cause}") })
        })?;
        reader.end().map_err(|_| Broken::new("something follows the end of the state"))?;
        // Serde would take a list for a dict whose values it has in order.
        let given: Value = serde_json::from_str(text).unwrap_or_default();
        if !same_shape(&given, &serde_json::to_value(&dict).unwrap_or_default()) {
            return Err(Broken::new("a list stands where a dict is due, or the other way round"));
        }
        let state = self.state_from_dict(dict)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn random_playouts(&self, seed: u64, first_game: u64, num_games: u64) -> u64 {
        random_playouts(self, seed, first_game, num_games)
    }
    fn batch(&self, config: &BatchConfig) -> Result<Box<dyn AnyBatch>, StepError> {
        Ok(Box::new(Batch::new(self.clone(), config)?))
    }
    fn batch_from(&self, config: &BatchConfig, snapshot: &Snapshot) -> Result<Box<dyn AnyBatch>, BadRequest> {
        Ok(Box::new(Batch::from_snapshot(self.clone(), config, snapshot)?))
    }
    fn rollout(&self, config: RolloutConfig) -> Result<Box<dyn AnyRollout>, BadRequest> {
        Ok(Box::new(Rollout::new(self.clone(), config)?))
    }
    fn series(&self, config: SeriesConfig) -> Result<Box<dyn AnySeries>, BadRequest> {
        Ok(Box::new(SeriesRun::new(self.clone(), config)?))
    }
}

/// A sentence that quotes what may be very long: its beginning and its end.
fn without_middle(sentence: &str) -> String {
    let letters: Vec<char> = sentence.chars().collect();
    match letters.len() {
        0..=500 => sentence.to_owned(),
        all => letters[..100].iter().chain(&['.'; 3]).chain(&letters[all - 300..]).collect(),
    }
}

/// Serde's sentence in the words of who wrote a dict.
fn plainly(cause: &str) -> String {
    cause
        .replace("missing field", "missing key")
        .replace("unknown field", "unknown key")
        .replace("duplicate field", "duplicate key")
        .replace("expected u8", "expected an integer from 0 to 255")
        .replace("expected u16", "expected an integer from 0 to 65535")
        .replace("expected u32", "expected an integer from 0 to 4294967295")
        .replace("expected value", "this is no value that may stand here")
        .replace("unknown variant", "unknown word")
}

/// Whether both have lists and objects at the same places.
fn same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_shape(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.iter().all(|(key, one)| other.get(key).is_some_and(|other| same_shape(one, other)))
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        _ => true,
    }
}

fn readable(text: &str) -> Result<(), Broken> {
    if text.len() > MAX_STATE_TEXT {
        return Err(Broken::new(format!(
            "a state of {} bytes is longer than any; at most {MAX_STATE_TEXT} are read",
            text.len()
        )));
    }
    Ok(())
}

/// Any [`Position`].
pub trait AnyPosition: Debug + Send + Sync {
    /// See [`Position::turn`].
    fn turn(&self) -> Turn;
    /// See [`Position::legal_actions`].
    fn legal_actions(&self) -> ActionSet;
    /// The outcomes, at a chance node.
    fn chance(&self) -> Option<&'static Chance>;
    /// See [`Position::play_any`].
    ///
    /// # Errors
    /// When it is not legal here.
    fn play_any(&mut self, id: i64) -> Result<(), IllegalAction>;
    /// See [`Position::explain`].
    fn explain(&self) -> String;
    /// See [`Game::returns`].
    fn returns(&self) -> PerPlayer<f64>;
    /// See [`Game::winner`].
    fn winner(&self) -> Option<Side>;
    /// See [`Game::turns_passed`].
    fn turns_passed(&self) -> u32;
    /// See [`Game::check`].
    ///
    /// # Errors
    /// Says which invariant is broken.
    fn check(&self) -> Result<(), Broken>;
    /// See [`crate::Encode::observe`].
    ///
    /// # Panics
    /// When `out` does not have a cell for each of the observation's.
    fn observe(&self, viewer: Player, out: &mut [i8]);
    /// The name of an action; `None` where it is not legal.
    fn action_name(&self, id: i64) -> Option<String>;
    /// See [`Position::action_named`].
    ///
    /// # Errors
    /// When no legal action has the name.
    fn action_named(&self, name: &str) -> Result<Action, Broken>;
    /// The name of an outcome; `None` where the position has no such outcome.
    fn outcome_name(&self, id: i64) -> Option<String>;
    /// The state in one line of text.
    fn text(&self) -> String;
    /// The state dict as JSON.
    fn to_json(&self) -> String;
    /// Everything a renderer needs, as JSON: game, rules, num_players, sides, state.
    fn view(&self) -> Value;
    /// The same position once more.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// Whether the other stands at the same state under the same rules.
    fn same(&self, other: &dyn AnyPosition) -> bool;
    /// A hash that equal positions share.
    fn hash(&self) -> u64;
    /// What an agent chooses here. When it is cancelled it may choose any, soon.
    ///
    /// # Errors
    /// Where no player is to act, or there is no memory for a search.
    fn choose(&self, agent: Agent, rng: &mut Stream, control: &Control) -> Result<Action, BadRequest>;
    /// See [`crate::perft()`]; `None` where it was cancelled before it had counted everything.
    fn perft(&self, depth: u32, control: &Control) -> Option<u64>;
    /// For [`AnyPosition::same`].
    fn as_any(&self) -> &dyn Any;
}

impl<G: FullGame> AnyPosition for Position<G> {
    fn turn(&self) -> Turn {
        Position::turn(self)
    }
    fn legal_actions(&self) -> ActionSet {
        Position::legal_actions(self)
    }
    fn chance(&self) -> Option<&'static Chance> {
        (Position::turn(self) == Turn::Chance).then(|| self.game().chance(self.state()))
    }
    fn play_any(&mut self, id: i64) -> Result<(), IllegalAction> {
        Position::play_any(self, id)
    }
    fn explain(&self) -> String {
        Position::explain(self)
    }
    fn returns(&self) -> PerPlayer<f64> {
        self.game().returns(self.state())
    }
    fn winner(&self) -> Option<Side> {
        self.game().winner(self.state())
    }
    fn turns_passed(&self) -> u32 {
        self.game().turns_passed(self.state())
    }
    fn check(&self) -> Result<(), Broken> {
        self.game().check(self.state())
    }
    fn observe(&self, viewer: Player, out: &mut [i8]) {
        self.game().observe(self.state(), viewer, out);
    }
    fn action_name(&self, id: i64) -> Option<String> {
        let action = Action(u16::try_from(id).ok()?);
        Position::legal_actions(self).contains(action).then(|| self.game().action_name(self.state(), action))
    }
    fn action_named(&self, name: &str) -> Result<Action, Broken> {
        Position::action_named(self, name)
    }
    fn outcome_name(&self, id: i64) -> Option<String> {
        let outcome = Outcome(u8::try_from(id).ok()?);
        let chance = AnyPosition::chance(self)?;
        (outcome.index() < chance.weights().len()).then(|| self.game().outcome_name(self.state(), outcome))
    }
    fn text(&self) -> String {
        self.game().text(self.state())
    }
    fn to_json(&self) -> String {
        serde_json::to_string(&self.game().to_dict(self.state())).expect("a dict is plain data")
    }
    fn view(&self) -> Value {
        let game = self.game();
        let sides: Vec<u8> = (0..game.num_players()).map(|seat| game.side(Player(seat as u8)).0).collect();
        json!({
            "game": G::NAME,
            "rules": options::to_value::<G>(game.rules()),
            "num_players": game.num_players(),
            "sides": sides,
            "state": serde_json::to_value(game.to_dict(self.state())).expect("a dict is plain data"),
        })
    }
    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
    fn same(&self, other: &dyn AnyPosition) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self == other)
    }
    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state().hash(&mut hasher);
        hasher.finish()
    }
    fn choose(&self, agent: Agent, rng: &mut Stream, control: &Control) -> Result<Action, BadRequest> {
        let legal = Position::legal_actions(self);
        if legal.is_empty() {
            return Err(BadRequest::new("no player is to act here, so there is nothing to choose"));
        }
        agent.choose(self.game(), self.state(), legal, rng, control).ok_or_else(|| {
            BadRequest::no_memory("there is no memory for this search; ask for fewer simulations")
        })
    }
    fn perft(&self, depth: u32, control: &Control) -> Option<u64> {
        count_paths(self.game(), self.state(), depth, control)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Any [`Batch`].
pub trait AnyBatch: Debug + Send + Sync {
    /// See [`Batch::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError>;
    /// See [`Batch::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<(), StepError>;
    /// See [`Batch::observe`].
    fn observe(&self, out: &mut Out<'_>);
    /// See [`Batch::masks`].
    fn masks(&self, masks: &mut [i8]);
    /// See [`Batch::serial`].
    fn serial(&self) -> u64;
    /// See [`Batch::go_back`].
    ///
    /// # Errors
    /// As there.
    fn go_back(&mut self) -> Result<(), BadRequest>;
    /// The position of a lane.
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>>;
    /// See [`Batch::copy`].
    ///
    /// # Errors
    /// As there.
    fn copy(&self) -> Result<Box<dyn AnyBatch>, BadRequest>;
    /// See [`Batch::snapshot`].
    fn snapshot(&self) -> Snapshot;
    /// See [`Batch::restore`].
    ///
    /// # Errors
    /// As there.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken>;
}

impl<G: FullGame> AnyBatch for Batch<G> {
    fn step(&mut self, actions: &[i64], only: Option<&[bool]>, out: Out<'_>) -> Result<(), StepError> {
        Batch::step(self, actions, only, out)
    }
    fn reset(&mut self, seeds: &Seeds, only: Option<&[bool]>, out: &mut Out<'_>) -> Result<(), StepError> {
        Batch::reset(self, seeds, only, out)
    }
    fn observe(&self, out: &mut Out<'_>) {
        Batch::observe(self, out);
    }
    fn position(&self, lane: usize) -> Option<Box<dyn AnyPosition>> {
        let state = self.state(lane)?;
        let position = Position::from_state(self.game().clone(), *state).ok()?;
        Some(Box::new(position))
    }
    fn masks(&self, masks: &mut [i8]) {
        Batch::masks(self, masks);
    }
    fn serial(&self) -> u64 {
        Batch::serial(self)
    }
    fn go_back(&mut self) -> Result<(), BadRequest> {
        Batch::go_back(self)
    }
    fn copy(&self) -> Result<Box<dyn AnyBatch>, BadRequest> {
        Ok(Box::new(Batch::copy(self)?))
    }
    fn snapshot(&self) -> Snapshot {
        Batch::snapshot(self)
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Broken> {
        Batch::restore(self, snapshot)
    }
}

/// Games under way, some of whose seats may belong to agents outside the engine: any [`Rollout`] or [`SeriesRun`].
pub trait AnyPlaying: Debug + Send {
    /// See [`Rollout::advance`] and [`SeriesRun::advance`].
    ///
    /// # Errors
    /// As there.
    fn advance(&mut self, control: &Control) -> Result<bool, PlayError>;
    /// See [`Rollout::questions`].
    fn questions(&self, agent: usize) -> usize;
    /// See [`Rollout::ask`].
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]);
    /// See [`Rollout::answer`].
    ///
    /// # Errors
    /// As there.
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), PlayError>;
}

impl<G: FullGame> AnyPlaying for Rollout<G> {
    fn advance(&mut self, control: &Control) -> Result<bool, PlayError> {
        Rollout::advance(self, control)
    }
    fn questions(&self, agent: usize) -> usize {
        Rollout::questions(self, agent)
    }
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        Rollout::ask(self, agent, observations, masks);
    }
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), PlayError> {
        Rollout::answer(self, agent, actions)
    }
}

impl<G: FullGame> AnyPlaying for SeriesRun<G> {
    fn advance(&mut self, control: &Control) -> Result<bool, PlayError> {
        SeriesRun::advance(self, control)
    }
    fn questions(&self, agent: usize) -> usize {
        SeriesRun::questions(self, agent)
    }
    fn ask(&self, agent: usize, observations: &mut [i8], masks: &mut [i8]) {
        SeriesRun::ask(self, agent, observations, masks);
    }
    fn answer(&mut self, agent: usize, actions: &[i64]) -> Result<(), PlayError> {
        SeriesRun::answer(self, agent, actions)
    }
}

/// Any [`Rollout`].
pub trait AnyRollout: AnyPlaying {
    /// See [`Rollout::into_columns`].
    fn into_columns(self: Box<Self>) -> Columns;
}

impl<G: FullGame> AnyRollout for Rollout<G> {
    fn into_columns(self: Box<Self>) -> Columns {
        Rollout::into_columns(*self)
    }
}

/// Any [`SeriesRun`].
pub trait AnySeries: AnyPlaying {
    /// See [`SeriesRun::into_columns`].
    fn into_columns(self: Box<Self>) -> SeriesColumns;
}

impl<G: FullGame> AnySeries for SeriesRun<G> {
    fn into_columns(self: Box<Self>) -> SeriesColumns {
        SeriesRun::into_columns(*self)
    }
}
