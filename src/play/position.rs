//! Any position.

use std::any::Any;
use std::fmt::Debug;

use serde_json::{Value, json};

use super::analysis::to_json;
#[cfg(not(target_family = "wasm"))]
use super::draft::{Pieces, draft};
use super::scene::scene;
use crate::agents::{Agent, Stream, sample};
use crate::base::{Control, Error, IllegalAction};
use crate::draw::{Options, Picture};
#[cfg(not(target_family = "wasm"))]
use crate::rules::keywords::Value as Seen;
use crate::rules::perft::count_paths;
use crate::rules::{
    Action, ActionSet, Chance, FullGame, Outcome, PerPlayer, Player, Position, Side, Turn, rule_book,
};

/// The longest text or JSON of a state that is read, in bytes.
pub const MAX_STATE_TEXT: usize = 64 * 1024;

/// Refuses what is longer than any state.
pub(crate) fn check_length(text: &str) -> Result<(), Error> {
    if text.len() > MAX_STATE_TEXT {
        return Err(Error::position(format!(
            "a state of {} bytes is too long; at most {MAX_STATE_TEXT} are read",
            text.len()
        )));
    }
    Ok(())
}

/// Any [`Position`].
pub trait AnyPosition: Any + Debug + Send + Sync {
    /// See [`Position::turn`].
    fn turn(&self) -> Turn;
    /// See [`crate::Game::player_on_turn`].
    fn player_on_turn(&self) -> Option<Player>;
    /// See [`Position::legal_actions`].
    fn legal_actions(&self) -> ActionSet;
    /// The outcomes, at a chance node.
    fn chance(&self) -> Option<&'static Chance>;
    /// See [`Position::play_any`].
    fn play_any(&mut self, id: i64) -> Result<(), IllegalAction>;
    /// Draws outcomes of chance until it is a player's turn or the game is over.
    fn settle(&mut self, dice: &mut Stream);
    /// See [`Position::explain`].
    fn explain(&self) -> String;
    /// See [`crate::Game::returns`].
    fn returns(&self) -> PerPlayer<f64>;
    /// See [`crate::Game::winner`].
    fn winner(&self) -> Option<Side>;
    /// See [`crate::Game::turns_passed`].
    fn turns_passed(&self) -> u32;
    /// See [`crate::Game::check`].
    fn check(&self) -> Result<(), Error>;
    /// See [`crate::Encode::observe`].
    fn observe(&self, viewer: Player, out: &mut [i8]);
    /// The name of an action; `None` where it is not legal.
    fn action_name(&self, id: i64) -> Option<String>;
    /// A legal action in plain words; see [`crate::Draw::action_words`].
    fn action_words(&self, action: Action) -> String;
    /// See [`Position::action_named`].
    fn action_named(&self, name: &str) -> Result<Action, Error>;
    /// The name of an outcome; `None` where the position has no such outcome.
    fn outcome_name(&self, id: i64) -> Option<String>;
    /// The state in one line of text.
    fn text(&self) -> String;
    /// The state dict as JSON.
    #[cfg(not(target_family = "wasm"))]
    fn to_json(&self) -> String;
    /// Everything a renderer needs, as JSON: game, rules, num_players, sides, state.
    fn view(&self) -> Value;
    /// See [`crate::Draw::draw`].
    fn draw(&self, options: &Options) -> Result<Picture, Error>;
    /// See [`crate::Draw::headline`].
    #[cfg(not(target_family = "wasm"))]
    fn headline(&self) -> String;
    /// See [`crate::Draw::remark`].
    #[cfg(not(target_family = "wasm"))]
    fn remark(&self) -> String;
    /// What a board that is played on needs, as JSON: see `scene.rs`. It fails as [`crate::Draw::draw`] does.
    fn scene(&self, options: &Options) -> Result<Value, Error>;
    /// A position that somebody is setting up, beginning with this one, as JSON: see `draft.rs`.
    ///
    /// # Errors
    /// As there.
    #[cfg(not(target_family = "wasm"))]
    fn draft(
        &self,
        pieces: Option<Pieces>,
        given: Vec<(String, Seen)>,
        options: &Options,
    ) -> Result<Value, Error>;
    /// The same position once more.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// Whether the other stands at the same state under the same rules.
    fn same(&self, other: &dyn AnyPosition) -> bool;
    /// What an agent chooses here, or any action soon after it is cancelled; an error where no player acts, or the agent does
    /// not play this game or cannot choose.
    fn choose(&self, agent: &Agent, rng: &mut Stream, control: &Control) -> Result<Action, Error>;
    /// What an agent thinks of the position, as JSON: see `analysis.rs`. It fails as [`AnyPosition::choose`] does.
    fn analyse(&self, agent: &Agent, rng: &mut Stream, control: &Control) -> Result<Value, Error>;
    /// See [`crate::perft()`]; `None` where it was cancelled before it had counted everything.
    fn perft(&self, depth: u32, control: &Control) -> Option<u64>;
}

impl<G: FullGame> AnyPosition for Position<G> {
    fn turn(&self) -> Turn {
        Position::turn(self)
    }
    fn player_on_turn(&self) -> Option<Player> {
        self.game().player_on_turn(self.state())
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
    fn settle(&mut self, dice: &mut Stream) {
        while let Some(chance) = AnyPosition::chance(self) {
            let outcome = sample(chance, dice);
            self.resolve(outcome).expect("the outcome is one of the node's");
        }
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
    fn check(&self) -> Result<(), Error> {
        self.game().check(self.state())
    }
    fn observe(&self, viewer: Player, out: &mut [i8]) {
        self.game().observe(self.state(), viewer, out);
    }
    fn action_name(&self, id: i64) -> Option<String> {
        let action = Action(u16::try_from(id).ok()?);
        Position::legal_actions(self).contains(action).then(|| self.game().action_name(self.state(), action))
    }
    fn action_words(&self, action: Action) -> String {
        self.game().action_words(self.state(), action)
    }
    fn action_named(&self, name: &str) -> Result<Action, Error> {
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
    #[cfg(not(target_family = "wasm"))]
    fn to_json(&self) -> String {
        serde_json::to_string(&self.game().to_dict(self.state())).expect("a dict is plain data")
    }
    fn view(&self) -> Value {
        let game = self.game();
        let sides: Vec<u8> = (0..game.num_players()).map(|seat| game.side(Player(seat as u8)).0).collect();
        let state = serde_json::to_value(game.to_dict(self.state())).expect("a dict is plain data");
        view(G::NAME, rule_book::to_value::<G>(game.rules()), &sides, state)
    }
    fn draw(&self, options: &Options) -> Result<Picture, Error> {
        self.game().draw(self.state(), options)
    }
    #[cfg(not(target_family = "wasm"))]
    fn headline(&self) -> String {
        self.game().headline(self.state())
    }
    #[cfg(not(target_family = "wasm"))]
    fn remark(&self) -> String {
        self.game().remark(self.state())
    }
    fn scene(&self, options: &Options) -> Result<Value, Error> {
        scene(self, options)
    }
    #[cfg(not(target_family = "wasm"))]
    fn draft(
        &self,
        pieces: Option<Pieces>,
        given: Vec<(String, Seen)>,
        options: &Options,
    ) -> Result<Value, Error> {
        draft(self, pieces, given, options)
    }
    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }
    fn same(&self, other: &dyn AnyPosition) -> bool {
        (other as &dyn Any).downcast_ref::<Self>().is_some_and(|other| self == other)
    }
    fn choose(&self, agent: &Agent, rng: &mut Stream, control: &Control) -> Result<Action, Error> {
        let legal = Position::legal_actions(self);
        if legal.is_empty() {
            return Err(Error::new("no player acts here, so there is nothing to choose"));
        }
        agent.bind(self.game())?.choose(self.game(), self.state(), legal, rng, control, &mut None)
    }
    fn analyse(&self, agent: &Agent, rng: &mut Stream, control: &Control) -> Result<Value, Error> {
        if !matches!(Position::turn(self), Turn::Player(_)) {
            return Err(Error::new("no player acts here, so there is nothing to analyse"));
        }
        let analysis = agent.bind(self.game())?.analyse(self.game(), self.state(), rng, control)?;
        Ok(to_json(self, &analysis))
    }
    fn perft(&self, depth: u32, control: &Control) -> Option<u64> {
        count_paths(self.game(), self.state(), depth, control)
    }
}

/// Everything a renderer needs; it stands here once, and not for every game.
fn view(game: &str, rules: Value, sides: &[u8], state: Value) -> Value {
    json!({"game": game, "rules": rules, "num_players": sides.len(), "sides": sides, "state": state})
}
