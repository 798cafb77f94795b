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
