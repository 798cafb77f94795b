//! Networks that judge positions: multilayer perceptrons fed from the observation of one seat.
//!
//! [`Net`] is a network with its description, [`Mlp`] its arithmetic, [`Encoding`] how the cells of an
//! observation become its inputs.

mod activation;
mod book;
mod encoding;
mod file;
#[cfg(not(target_family = "wasm"))]
mod known;
mod mlp;
mod net;
#[cfg(target_family = "wasm")]
mod no_files;

pub use activation::Activation;
pub use book::Outputs;
#[cfg(not(target_family = "wasm"))]
pub(crate) use book::{are_two, sides};
pub use encoding::{Encoding, Inputs};
#[cfg(not(target_family = "wasm"))]
pub use known::{Named, ship, shipped};
pub use mlp::{Layer, MAX_LAYERS, MAX_UNITS, Mlp};
#[cfg(not(target_family = "wasm"))]
pub(crate) use net::seen;
pub use net::{Description, MAX_BYTES, Net};
#[cfg(target_family = "wasm")]
pub use no_files::{Named, shipped};

/// The most cells that an observation may have, so that it fits on the stack; every game has fewer.
pub const MAX_CELLS: usize = 512;

/// The most features that a game may have.
pub const MAX_FEATURES: usize = 64;

#[cfg(test)]
mod tests;
