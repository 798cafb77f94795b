//! What is known for certain: values of positions by retrograde analysis, in tables on disk; the bear-off; and any rule book
//! that is small enough. No game is named here: those that have tables implement [`solvable::Solvable`], and those that bear
//! off [`bear_off::BearsOff`].

pub mod bear_off;
pub mod blocks;
pub mod cell;
mod earliest;
pub mod file;
pub mod finished;
pub mod header;
pub mod judge;
pub mod loaded;
mod pass;
pub mod plan;
pub mod retrograde;
pub mod small;
pub mod solvable;
pub mod solve;
pub mod strategy;
pub mod summary;
pub mod values;
pub mod verify;

pub use cell::{Cell, MAX_TURNS};
pub use finished::{Codes, Finished};
pub use header::{Fingerprint, Header};
pub use judge::{ExactValue, Found, Judge};
pub use loaded::{AnyLoaded, Loaded, Opening, Oracle};
pub use plan::{Group, layer_groups};
pub use retrograde::Effort;
pub use solvable::{Key, Layers, Next, Pair, Place, Solvable, Status, Step, TARGETS, Tables};
pub use summary::Summary;
pub use verify::Checked;

use blocks::Blocks;
use cell::MAX_LEFT;
use earliest::Earliest;
use file::{Stored, fingerprint_of, make_folder, no_tables};
use finished::Code;
use header::{VALUE_BITS, code, has_layers};
use plan::{needed, open};
use solvable::{same_values, values_of};
