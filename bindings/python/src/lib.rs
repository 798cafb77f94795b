//! The Python face of the engine: the compiled module `sarai._core`. No game is named here.

mod agents;
mod batch;
mod batch_settings;
mod bear_off;
mod classes;
mod convert;
mod draw;
mod exact;
mod forest;
mod game;
mod metrics;
mod nets;
mod record;
mod run;
mod seen;
mod session;
mod small;
mod spares;
mod state;
mod states;
mod training;
mod watch;

use pyo3::prelude::*;

/// The compiled part of `sarai`; users import its names from `sarai`.
///
/// It relies on the GIL: an interpreter without one turns it on at import, with a warning.
#[pymodule(gil_used = true)]
mod _core {
    use std::io::Write;

    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The standard hook takes a lock and then memory. Where there is none of it, a panic would never end.
        std::panic::set_hook(Box::new(|panic| drop(writeln!(std::io::stderr(), "{panic}"))));
        let sys = module.py().import("sys")?;
        if let Ok(is_enabled) = sys.getattr("_is_gil_enabled")
            && !is_enabled.call0()?.is_truthy()?
        {
            return Err(PyImportError::new_err(
                "sarai needs the GIL, which is turned off in this interpreter: unset PYTHON_GIL=0 or -X gil=0",
            ));
        }
        crate::watch::register(module)
    }

    #[pymodule_export]
    use crate::agents::Agent;
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::bear_off::{BearOff, solve_bear_off};
    #[pymodule_export]
    use crate::classes::{Game, State};
    #[pymodule_export]
    use crate::convert::IllegalActionError;
    #[pymodule_export]
    use crate::draw::{draw_svg, draw_tree, scene, themes_json, words};
    #[pymodule_export]
    use crate::exact::{
        ExactTables, exact_fingerprint_json, exact_layers_summary_json, exact_plan_json, exact_ship,
        exact_shipped, exact_solve, exact_strategy_fingerprint_json, exact_verify, exact_verify_strategy,
        exact_write_strategy,
    };
    #[pymodule_export]
    use crate::forest::Forest;
    #[pymodule_export]
    use crate::game::{describe_json, games, parse, presets_json};
    #[pymodule_export]
    #[pymodule_export]
    use crate::nets::{Net, encoded, features, nets_ship, nets_shipped};
    #[pymodule_export]
    use crate::record::{read_record, write_record};
    #[pymodule_export]
    use crate::run::{check_agents, metrics, rollout, sample_states, series};
    #[pymodule_export]
    use crate::session::{Job, Session};
    #[pymodule_export]
    use crate::small::{SmallSolution, solve_small};
    #[pymodule_export]
    use crate::state::{analyse, choose};
    #[pymodule_export]
    use crate::states::States;
    #[pymodule_export]
    use crate::training::{Trainer, adds_up};
    #[pymodule_export]

    /// What the names of the engine's agents begin with.
    #[pymodule_export]
    const AGENT_KINDS: [&str; 10] = sarai::agents::Agent::KINDS;
    /// What `current_player()` returns at a chance node.
    #[pymodule_export]
    const CHANCE: i64 = super::state::CHANCE;
    /// The most games of one call.
    #[pymodule_export]
    const MAX_GAMES: u64 = sarai::play::run::MAX_GAMES;
    /// The most random decisions that games may begin with.
    #[pymodule_export]
    const MAX_RANDOM_PLIES: u32 = sarai::play::game_in_play::MAX_RANDOM_PLIES;
    /// What `current_player()` returns when the game is over.
    #[pymodule_export]
    const TERMINAL: i64 = sarai::play::states::TERMINAL as i64;
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
