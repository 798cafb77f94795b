//! What everything stands on and no game is part of: errors, hashes, memory, processors, threads, and how long work is stopped.

pub mod control;
#[allow(unsafe_code, reason = "what newer processors have is used after asking for it")]
pub mod cpu;
pub mod error;
pub mod hash;
pub mod lock;
pub mod memory;
#[cfg(not(target_family = "wasm"))]
pub mod threads;

pub use control::{Control, watching};
pub(crate) use cpu::{multiversion, soon};
pub use error::{Error, IllegalAction, counted, did_you_mean, list_legal, shorten, shorten_path};
pub use hash::{digest, stable_hash};
pub use lock::{lock, try_lock};
pub use memory::{copy_of, extend, room_for, zeros};
#[cfg(not(target_family = "wasm"))]
pub(crate) use threads::{Items, Plan, share_out, share_out_if, worker};
