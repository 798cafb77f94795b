//! The traits that a game implements. Everything else in the crate is written against them.

use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::error::Error;
use crate::draw::{Options, Picture, Place};
use crate::rules::keywords::{Given, Keyword};
use crate::rules::options::OptionSpec;
use crate::rules::{
    Action, ActionFields, ActionSet, Chance, Features, ObservationPart, Outcome, PerPlayer, Player, Side,
    Symmetry, cells,
};

/// What comes next: a player's decision, a chance outcome, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// This player chooses an action.
    Player(Player),
    /// An outcome is drawn.
    Chance,
    /// The game has ended.
    Over,
}

/// A named set of options.
#[derive(Debug)]
pub struct Preset<R> {
    /// The name, as users type it.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub meaning: &'static str,
    /// The options.
    pub rules: fn() -> R,
}

/// Something that a game counts while it is played, per seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistic {
    /// The name, as it appears among the results of a rollout.
    pub name: &'static str,
    /// What is counted, in one sentence.
    pub meaning: &'static str,
}

/// The most statistics a game may have.
pub const MAX_STATISTICS: usize = 8;

/// Receives what happens in a game; `()` counts nothing and costs nothing.
pub trait Tally {
    /// Adds `n` to statistic number `statistic` of the game's [`Game::STATISTICS`], for this player's seat.
    fn add(&mut self, statistic: usize, player: Player, n: u32);
}

impl Tally for () {
    #[cfg_attr(fast, inline(always))]
    fn add(&mut self, _: usize, _: Player, _: u32) {}
}

/// A game with its options. It is immutable, and holds neither a position nor randomness.
///
/// The methods that take a state trust it: it must come from this same game, or have passed [`Game::check`].
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The name users type: lower case, one word.
    const NAME: &'static str;
    /// The name in the ids of environments, without marks and in camel case: the `TshuPu` of `sarai/TshuPu-v0`.
    const ID: &'static str;
    /// The text of the game's `rules.md`: the numbered rules with their sources, and what follows from them.
    const RULE_BOOK: &'static str;
    /// The text of the game's `how_to_play.md`: the usual rules, in two minutes.
    const HOW_TO_PLAY: &'static str;
    /// The number of actions, the same for every variant; at most [`crate::rules::MAX_ACTIONS`].
    const NUM_ACTIONS: usize;
    /// The options with what they take, in the order of the rule book.
    const OPTIONS: &'static [OptionSpec];
    /// The presets; the first is the default.
    const PRESETS: &'static [Preset<Self::Rules>];
    /// What is counted in rollouts; at most [`MAX_STATISTICS`].
    const STATISTICS: &'static [Statistic];

    /// Whether chance comes after the first decision of a game.
    const DICE: bool = true;

    /// Whether random games are played faster two at a time, decision by decision in turns: a decision then need not
    /// wait for the one before it. It pays where decisions have few branches; measure it (`cargo bench -- rollout`).
    const IN_PAIRS: bool = false;

    /// The options.
    type Rules: Default + Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// Where one game stands: small, without pointers. Nothing of it is hidden: every seat may see all of it.
    type State: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The game with these options.
    ///
    /// # Errors
    /// When an option is out of range or two options contradict each other.
    fn new(rules: Self::Rules) -> Result<Self, Error>;

    /// The options of this game.
    fn rules(&self) -> &Self::Rules;

    /// How many seats there are, 2 to 4.
    fn num_players(&self) -> usize;

    /// Which side a seat belongs to. Every seat is a side of its own unless the game says otherwise.
    fn side(&self, player: Player) -> Side {
        Side(player.0)
    }

    /// The largest number of outcomes that a chance node can have.
    fn max_chance_outcomes(&self) -> usize;

    /// The position in which every game starts.
    fn initial_state(&self) -> Self::State;

    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// The seat whose turn it is, also when it throws next; `None` before chance has decided who begins, and at the end.
    fn player_on_turn(&self, state: &Self::State) -> Option<Player>;

    /// The same position with its clock set back: states that differ only in the number of turns passed, and in anything
    /// else that counts towards a limit, have the same key. Tables and trees look up a position by its key.
    fn key(&self, state: &Self::State) -> Self::State;

    /// The same rules without the limits that end a game by its clock, as far as options can say so: the first action from
    /// the key of a position reaches none of them.
    fn without_limits(&self) -> Self;

    /// The legal actions of the player whose turn it is. Never empty on a player's turn; empty at a chance node and at the end.
    fn legal_actions(&self, state: &Self::State) -> ActionSet;

    /// What an action with an id below [`Game::NUM_ACTIONS`] is, whatever the position.
    ///
    /// # Panics
    /// For any other action.
    fn action_fields(action: Action) -> ActionFields;

    /// Plays a legal action, which the caller has checked. The turn passes on if the next player has no action.
    fn apply<T: Tally>(&self, state: &mut Self::State, action: Action, tally: &mut T);

    /// The outcomes of a state that is a chance node.
    ///
    /// # Panics
    /// It may, if the state is not a chance node.
    fn chance(&self, state: &Self::State) -> &'static Chance;

    /// Plays an outcome of [`Game::chance`], which the caller has checked.
    fn resolve<T: Tally>(&self, state: &mut Self::State, outcome: Outcome, tally: &mut T);

    /// The side that has won; `None` before the end and in a draw.
    fn winner(&self, state: &Self::State) -> Option<Side>;

    /// Whether a limit has ended a game that is over, its clock for one. Where nobody has won it was one, unless the game
    /// says otherwise.
    fn is_timed_out(&self, state: &Self::State) -> bool {
        self.turn(state) == Turn::Over && self.winner(state).is_none()
    }

    /// The final score of each player; zero until the game is over, and in a draw. What one side wins the others lose: the
    /// scores sum to zero. Unless the game says otherwise, a winner gets the largest and a loser the smallest of
    /// [`Game::returns_range`].
    fn returns(&self, state: &Self::State) -> PerPlayer<f64> {
        let mut returns = PerPlayer::new(self.num_players(), 0.0);
        if let Some(winner) = self.winner(state) {
            let (loss, gain) = self.returns_range();
            for (seat, score) in returns.as_mut_slice().iter_mut().enumerate() {
                *score = if self.side(Player(seat as u8)) == winner { gain } else { loss };
            }
        }
        returns
    }

    /// The smallest and the largest number that [`Game::returns`] may hold: -1 and 1 unless the game says otherwise, which
    /// suits two sides of equal size.
    fn returns_range(&self) -> (f64, f64) {
        (-1.0, 1.0)
    }

    /// How many turns have passed, the field `turn` of the state dict.
    fn turns_passed(&self, state: &Self::State) -> u32;

    /// Checks every invariant of a position; parsers and tests rely on it.
    ///
    /// # Errors
    /// The invariant that is broken.
    fn check(&self, state: &Self::State) -> Result<(), Error>;
}

/// What all games' `impl Game` have alike: it names the types of the folder, and hands each method on to that of the game's
/// file: `start` and `check_state` beside the state, `legal` and `play` among the moves.
macro_rules! game_items {
    () => {
        const RULE_BOOK: &'static str = include_str!("rules.md");
        const HOW_TO_PLAY: &'static str = include_str!("how_to_play.md");
        const OPTIONS: &'static [$crate::rules::options::OptionSpec] = rules::OPTIONS;
        const PRESETS: &'static [$crate::rules::Preset<Rules>] = rules::PRESETS;

        type Rules = Rules;
        type State = State;

        fn rules(&self) -> &Rules {
            &self.rules
        }

        fn initial_state(&self) -> State {
            self.start()
        }

        #[cfg_attr(fast, inline(always))]
        fn legal_actions(&self, state: &State) -> $crate::ActionSet {
            self.legal(state)
        }

        #[cfg_attr(fast, inline(always))]
        fn apply<T: $crate::Tally>(&self, state: &mut State, action: $crate::Action, tally: &mut T) {
            self.play(state, action, tally);
        }

        fn turns_passed(&self, state: &State) -> u32 {
            state.turn as u32
        }

        fn check(&self, state: &State) -> Result<(), $crate::Error> {
            self.check_state(state)
        }
    };
}
pub(crate) use game_items;

/// How a position looks to a player, as numbers.
pub trait Encode: Game {
    /// The number of cells.
    const OBSERVATION_LEN: usize = cells(Self::OBSERVATION);
    /// The parts in order; together they cover every cell once.
    const OBSERVATION: &'static [ObservationPart];
    /// What experts look at besides.
    const FEATURES: Features = Features::NONE;

    /// Writes every cell of the observation of `viewer`.
    ///
    /// # Panics
    /// When `out` does not have [`Encode::OBSERVATION_LEN`] cells.
    fn observe(&self, state: &Self::State, viewer: Player, out: &mut [i8]);

    /// The symmetries of the game that observations show, the one that changes nothing first.
    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::identity(Self::OBSERVATION_LEN, Self::NUM_ACTIONS, self.num_players())]
    }
}

/// How a position and its moves are written, and the places of the board and beside it with what stands there.
///
/// ```
/// use sarai::games::shah::Shah;
/// use sarai::{Action, Game, Show, Side};
/// let game = Shah::new(Default::default())?;
/// let mut state = game.initial_state();
/// game.apply(&mut state, Action(4), &mut ());
/// let names = game.all_places();
/// let mut found = Vec::new();
/// game.standing(&state, &mut |place, side, pieces| found.push((names[place].as_str(), side, pieces)));
/// found.retain(|&(_, _, pieces)| pieces > 0);
/// assert_eq!(found, [("d6", Side(0), 1), ("hand", Side(0), 11), ("hand", Side(1), 12)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Show: Game {
    /// The state dict: plain integers, strings, lists and maps, with the keys that the game's page describes.
    type Dict: Serialize + DeserializeOwned;

    /// The state as a dict.
    fn to_dict(&self, state: &Self::State) -> Self::Dict;

    /// The state that a dict describes. The caller runs [`Game::check`].
    ///
    /// # Errors
    /// When the dict cannot be held in a state at all.
    fn state_from_dict(&self, dict: Self::Dict) -> Result<Self::State, Error>;

    /// The state in one line of text.
    fn text(&self, state: &Self::State) -> String;

    /// The state that a line of text describes. The caller runs [`Game::check`].
    ///
    /// # Errors
    /// When the text is not in the form that [`Show::text`] writes.
    fn parse(&self, text: &str) -> Result<Self::State, Error>;

    /// The name of a legal action.
    fn action_name(&self, state: &Self::State, action: Action) -> String;

    /// The name of an outcome of a state that is a chance node.
    fn outcome_name(&self, state: &Self::State, outcome: Outcome) -> String {
        self.chance(state).name(outcome)
    }

    /// Where pieces are that stand on no place of the board, such as "bar", "hand" and "off". They are numbered after the
    /// places of the board, and a heat map writes their numbers below it.
    const BESIDE: &'static [&'static str] = &[];

    /// How many places the board has where pieces stand.
    fn num_places(&self) -> usize;

    /// What a place of the board is called, as names of actions have it; seen by seat 0 where seats number the board
    /// differently. The drawing of the game knows it by this name. Unless the game says otherwise it is a number from 1.
    fn place_name(&self, place: usize) -> String {
        (place + 1).to_string()
    }

    /// The names of all places, those of the board first.
    fn all_places(&self) -> Vec<String> {
        let beside = Self::BESIDE.iter().map(|&name| name.to_owned());
        (0..self.num_places()).map(|place| self.place_name(place)).chain(beside).collect()
    }

    /// Tells of each place where pieces stand, on the board and beside it, of which side, and how many. A place may come
    /// more than once, and one beside the board with no pieces.
    fn standing(&self, state: &Self::State, tell: &mut impl FnMut(usize, Side, u8));
}

/// How a position is set up from what a person sees of it. A game implements it in its `position.rs`.
///
/// ```
/// use sarai::games::shah::Shah;
/// use sarai::rules::keywords::{Given, Value};
/// use sarai::{Game, SetUp};
/// let game = Shah::new(Default::default())?;
/// let seen = [("white", "a7 d7 g4"), ("black", "b4 d6 f4")];
/// let seen = seen.map(|(name, points)| (name.to_owned(), Value::Text(points.to_owned())));
/// let state = game.set_up(&Given::new("shah", &game.keywords(), seen).expect("keywords of the game"))?;
/// assert!(game.check(&state).is_ok());
/// assert_eq!(game.turns_passed(&state), 26, "all stones are placed, and two removed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SetUp: Game {
    /// The keywords that describe a position, in the order in which the documentation has them.
    fn keywords(&self) -> Vec<Keyword>;

    /// The state that is described. What is not given has the value of a usual game at that point. The caller runs
    /// [`Game::check`].
    ///
    /// # Errors
    /// When what is given contradicts itself, or cannot be held in a state at all.
    fn set_up(&self, given: &Given) -> Result<Self::State, Error>;
}

/// How pieces on a place are set up: by which keyword and which name of the place, and how many are there now.
pub type Setting = (&'static str, String, u8);

/// How a position is drawn and said in words.
///
/// A game implements it in its `draw.rs`, or the folder `draw`, with what [`crate::draw`] has. It reads its own
/// [`Game::State`]; names of actions come as [`Show::action_name`] writes them. The same state and options always give
/// the same text: no map without an order, and sines and lengths from [`crate::draw::maths`].
pub trait Draw: Show {
    /// What the pieces in the picture are called by: their colours.
    const COLOURS: &'static [&'static str];

    /// The colour of a player's pieces, as a number in [`Draw::COLOURS`]; those of a side are alike unless the game says
    /// otherwise.
    fn colour(&self, player: Player) -> usize {
        self.side(player).index()
    }

    /// Whether the drawing has the option `values`: what moves are worth.
    const SHOWS_VALUES: bool = false;

    /// The picture of a position, seen from the side of the seat [`Options::orientation`], which is below the number of
    /// players; a board that all see alike need not change.
    ///
    /// # Errors
    /// When the size is out of range, or a move of the options has no known name.
    fn draw(&self, state: &Self::State, options: &Options) -> Result<Picture, Error>;

    /// The position in a few words: the result, or who is to do what. No capital at its beginning, no stop at its end.
    fn headline(&self, state: &Self::State) -> String;

    /// What is still to come or is being counted, to be said after the headline; empty where there is nothing.
    fn remark(&self, _: &Self::State) -> String {
        String::new()
    }

    /// The whole position in sentences, for those who do not see the picture.
    fn describe(&self, state: &Self::State) -> String;

    /// The places of the board that moves touch, each with what stands there, where the board is seen from the side of that
    /// seat; in the reading order of the board as seat 0 sees it, whichever the seat.
    fn points(&self, state: &Self::State, orientation: usize) -> Vec<Place>;

    /// The places that a legal action touches, as indices of [`Draw::points`], from where it begins to where it ends; none
    /// for an action that happens at no place, such as the choice of a value.
    fn places(&self, state: &Self::State, action: Action) -> Vec<usize>;

    /// How [`SetUp::set_up`] takes pieces of a colour on a place, by its index in [`Draw::points`], where that player acts: the
    /// keyword, the name of the place, and how many are there now. `None` where no such pieces can be, and where all are that
    /// are not named.
    fn setting(&self, state: &Self::State, player: usize, place: usize, colour: usize) -> Option<Setting>;

    /// A legal action in plain words, such as "d6 to d5".
    fn action_words(&self, state: &Self::State, action: Action) -> String;
}

/// The one-ply judgement behind the agent "greedy".
pub trait Heuristic: Game {
    /// How good a legal action looks to the player. The greedy agent takes the largest score, and among equals the smallest
    /// id.
    fn score(&self, state: &Self::State, action: Action) -> i32;

    /// The action with the largest score, of equals the smallest id; `None` where there is none. A game that scores all of
    /// them more quickly together than one by one does so here, alike.
    #[cfg_attr(fast, inline(always))]
    fn best(&self, state: &Self::State, legal: ActionSet) -> Option<Action> {
        let mut best = Best::default();
        for action in legal {
            best.weigh(action, self.score(state, action));
        }
        best.action()
    }
}

/// The action with the largest of some scores, of equals the one with the smallest id.
///
/// Score and id are one number here, of which the larger is taken without a branch that no processor could foresee.
///
/// ```
/// use sarai::Action;
/// use sarai::rules::game::Best;
/// let mut best = Best::default();
/// assert_eq!(best.action(), None);
/// for (id, score) in [(3, -5), (130, 0), (70, 0), (4, i32::MIN)] {
///     best.weigh(Action(id), score);
/// }
/// assert_eq!(best.action(), Some(Action(70)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Best(i64);

impl Default for Best {
    /// None so far.
    #[cfg_attr(fast, inline(always))]
    fn default() -> Self {
        Best(i64::MIN)
    }
}

impl Best {
    /// Takes up an action with its score.
    #[cfg_attr(fast, inline(always))]
    pub fn weigh(&mut self, action: Action, score: i32) {
        self.0 = self.0.max(i64::from(score) << 16 | i64::from(!action.0));
    }

    /// The best so far; `None` where there is none.
    #[cfg_attr(fast, inline(always))]
    pub fn action(self) -> Option<Action> {
        (self.0 != i64::MIN).then_some(Action(!(self.0 as u16)))
    }
}

/// A hand-made judgement of positions, for searches that cannot play to the end. What can be judged by hand can be shown to
/// a network too.
pub trait Evaluate: Encode {
    /// What each player may expect, in the units of [`Game::returns`] and within [`Game::returns_range`]; the sum is 0.
    /// It is asked of positions that are not over.
    ///
    /// Only additions, divisions and the like decide, so that it is the same on every machine.
    fn evaluate(&self, state: &Self::State) -> PerPlayer<f64>;
}

/// Everything that a registered game is.
pub trait FullGame: Game + Encode + Show + SetUp + Draw + Heuristic + Evaluate {}

impl<G: Game + Encode + Show + SetUp + Draw + Heuristic + Evaluate> FullGame for G {}
