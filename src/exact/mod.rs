//! What is known for certain: values of positions by retrograde analysis, in tables on disk; the bear-off; and any rule book
//! that is small enough. No game is named here: those that have tables implement [`solvable::Solvable`], and those that bear
//! off [`bear_off::BearsOff`].

pub mod bear_off;
pub mod blocks;
pub mod cell;
pub mod file;
pub mod finished;
pub mod header;
pub mod loaded;
mod pass;
pub mod plan;
pub mod retrograde;
pub mod small;
pub mod solvable;
pub mod solve;
pub mod summary;
pub mod values;
pub mod verify;
pub mod worth;

pub use cell::{Cell, MAX_TURNS};
pub use finished::{Codes, Finished};
pub use header::{Fingerprint, Header};
pub use loaded::{AnyLoaded, Loaded, Opening, Oracle};
pub use plan::{Group, layer_groups};
pub use retrograde::Effort;
pub use solvable::{Key, Layers, Next, Pair, Place, Solvable, Status, Step, TARGETS, Tables};
pub use summary::Summary;
pub use verify::Checked;
pub use worth::{Found, Judge, Worth};

use blocks::Blocks;
use cell::MAX_LEFT;
use file::{Stored, fingerprint_of, make_folder, no_tables};
use finished::Code;
use header::{VALUE_BITS, code, has_layers};
use plan::{needed, open};
use solvable::{same_values, values_of};
