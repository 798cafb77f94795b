//! The Python face of the engine: the compiled module `sarai._core`. No game is named here.

mod batch;
mod convert;
mod game;
mod rollout;
mod state;
mod watch;

use pyo3::prelude::*;

/// The compiled part of `sarai`; users import its names from `sarai`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::convert::IllegalActionError;
    #[pymodule_export]
    use super::game::{Game, describe_json, games, presets_json};
    #[pymodule_export]
    use super::rollout::{rollout, series};
    #[pymodule_export]
    use super::state::{State, choose, perft};

    /// What `current_player()` returns at a chance node.
    #[pymodule_export]
    const CHANCE: i64 = super::state::CHANCE;
    /// What `current_player()` returns when the game is over.
    #[pymodule_export]
    const TERMINAL: i64 = crate::batch::TERMINAL as i64;
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
