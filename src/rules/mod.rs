//! What a game is: who plays, what they may do, what chance does, and the traits that a rule book implements.

pub mod action;
pub mod bits;
pub mod chance;
pub mod forms;
pub mod game;
pub mod keywords;
pub mod observation;
pub mod options;
pub mod perft;
pub mod player;
pub mod position;
pub mod rng;
pub mod rule_book;
pub mod symmetry;

pub use action::{Action, ActionFields, ActionSet, Actions, MAX_ACTIONS};
pub(crate) use bits::const_for;
pub use bits::{bits, gather, keep};
pub use chance::{Chance, D6_FACES, Outcome, TWO_D6};
pub(crate) use game::game_items;
pub use game::{
    Best, Draw, Encode, Evaluate, FullGame, Game, Heuristic, MAX_STATISTICS, Preset, SetUp, Setting, Show,
    Statistic, Tally, Turn,
};
pub(crate) use observation::observation;
pub use observation::{Features, ObservationPart, cells, layout};
pub use perft::perft;
pub use player::{FirstPlayer, MAX_PLAYERS, PerPlayer, Player, Side};
pub use position::Position;
#[cfg(not(target_family = "wasm"))]
pub use position::States;
pub use symmetry::Symmetry;
