//! One game in progress, played with checks.

use crate::base::error::{Error, IllegalAction, list_legal};
use crate::rules::{Action, ActionSet, Game, Outcome, Show, Turn};

/// A state together with its rule book; whatever is not legal is refused and changes nothing.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::{Action, Game, Outcome, Position, Turn};
/// let mut position = Position::new(Sho::new(Default::default())?);
/// assert_eq!(position.turn(), Turn::Chance);
/// position.resolve(Outcome(7))?;  // 2-3: a hand coin may move five
/// position.play(Action(0))?;
/// // No coin stands on 60, and the position stays as it was.
/// let before = position.clone();
/// assert!(position.play(Action(60)).is_err());
/// assert_eq!(position, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position<G: Game> {
    game: G,
    state: G::State,
}

impl<G: Game> PartialEq for Position<G> {
    fn eq(&self, other: &Self) -> bool {
        self.game.rules() == other.game.rules() && self.state == other.state
    }
}

impl<G: Game> Position<G> {
    /// The start of a game.
    pub fn new(game: G) -> Self {
        let state = game.initial_state();
        Position { game, state }
    }

    /// A position that stands at this state.
    ///
    /// # Errors
    /// When the state breaks an invariant of the game.
    pub fn from_state(game: G, state: G::State) -> Result<Self, Error> {
        game.check(&state)?;
        Ok(Position { game, state })
    }

    /// A position that stands at a state of this same rule book, which need not be checked again.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn trusted(game: G, state: G::State) -> Self {
        Position { game, state }
    }

    /// The rule book.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Where the game stands.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    /// What the player to act may do; empty at a chance node and at the end.
    pub fn legal_actions(&self) -> ActionSet {
        match self.turn() {
            Turn::Player(_) => self.game.legal_actions(&self.state),
            Turn::Chance | Turn::Over => ActionSet::EMPTY,
        }
    }

    /// Plays an action.
    ///
    /// # Errors
    /// When it is not among [`Position::legal_actions`].
    pub fn play(&mut self, action: Action) -> Result<(), IllegalAction> {
        let legal = self.legal_actions();
        if !legal.contains(action) {
            return Err(IllegalAction::new(action.0 as i64, self.explain()));
        }
        self.game.apply(&mut self.state, action, &mut ());
        Ok(())
    }

    /// Plays a chance outcome.
    ///
    /// # Errors
    /// When the position is at no chance node, or the node has no such outcome.
    pub fn resolve(&mut self, outcome: Outcome) -> Result<(), IllegalAction> {
        match self.turn() {
            Turn::Chance if outcome.index() < self.game.chance(&self.state).weights().len() => {
                self.game.resolve(&mut self.state, outcome, &mut ());
                Ok(())
            }
            _ => Err(IllegalAction::new(outcome.0 as i64, self.explain())),
        }
    }

    /// Plays an action on a player's turn and an outcome at a chance node, given as any integer.
    ///
    /// # Errors
    /// When it is not legal here.
    pub fn play_any(&mut self, id: i64) -> Result<(), IllegalAction> {
        match (self.turn(), u16::try_from(id)) {
            (Turn::Player(_), Ok(id)) => self.play(Action(id)),
            (Turn::Chance, Ok(id @ 0..=255)) => self.resolve(Outcome(id as u8)),
            _ => Err(IllegalAction::new(id, self.explain())),
        }
    }

    /// What may be played here, as the sentence of an error says it.
    pub fn explain(&self) -> String {
        match self.turn() {
            Turn::Player(_) => list_legal(self.legal_actions()),
            Turn::Chance => format!(
                "this is a chance node with the outcomes 0 to {}",
                self.game.chance(&self.state).weights().len() - 1
            ),
            Turn::Over => "the game is over".into(),
        }
    }
}

impl<G: Show> Position<G> {
    /// The legal action with this name. Marks after the name (`*`, `+`) may be left out.
    ///
    /// # Errors
    /// When no legal action has the name.
    pub fn action_named(&self, name: &str) -> Result<Action, Error> {
        let wanted = name.trim();
        let mut names = Vec::new();
        for action in self.legal_actions() {
            let legal = self.game.action_name(&self.state, action);
            if legal.strip_prefix(wanted).is_some_and(|rest| rest.trim_matches(['*', '+']).is_empty()) {
                return Ok(action);
            }
            names.push(legal);
        }
        Err(Error::position(match self.turn() {
            Turn::Player(_) => format!(
                "'{}' is not the name of a legal action; the legal ones are {}",
                crate::base::error::shorten(name),
                names.join(", ")
            ),
            Turn::Chance => "no action is legal at a chance node".into(),
            Turn::Over => "no action is legal: the game is over".into(),
        }))
    }
}

/// Positions of one rule book, in rows.
///
/// ```
/// use sarai::Game;
/// use sarai::base::control::Control;
/// use sarai::games::shah::Shah;
/// use sarai::play::states::{AnyStates, States};
/// let game = Shah::new(Default::default())?;
/// let mut states = States::new(game, 1000).unwrap();
/// states.apply_actions(&[7; 1000], 2, &Control::default()).unwrap();
/// // Point 7 is taken now, and nothing is played where one action is not legal.
/// let before = states.clone();
/// assert!(states.apply_actions(&[7; 1000], 2, &Control::default()).is_err());
/// assert_eq!(states, before);
/// # Ok::<(), sarai::Error>(())
/// ```
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Debug)]
pub struct States<G: Game> {
    pub(crate) game: G,
    pub(crate) rows: Vec<G::State>,
}
