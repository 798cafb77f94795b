//! How many different positions games have come to, in memory that does not grow with them.
//!
//! HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007): a position is hashed, the first bits of its hash choose a
//! register, and the register keeps the longest run of zeros that the other bits have begun with. A register's maximum does
//! not hang on the order, so that any number of threads gives the same.

use std::sync::atomic::{AtomicU8, Ordering};

/// The first bits of a hash, which choose a register.
pub const REGISTER_BITS: u32 = 14;

/// Registers of a sketch.
pub const REGISTERS: usize = 1 << REGISTER_BITS;

/// A sketch for each doubling of the number of games: sketch `k` holds what was seen in rows `2^k - 1` to `2^(k + 1) - 2`.
#[derive(Debug)]
pub(super) struct Boards {
    registers: Vec<AtomicU8>,
}

impl Boards {
    /// For so many games.
    pub(super) fn new(games: u64) -> Self {
        let sketches = if games == 0 { 0 } else { (games.ilog2() + 1) as usize };
        let cells = sketches * REGISTERS;
        Boards { registers: (0..cells).map(|_| AtomicU8::default()).collect() }
    }

    /// The registers for what is seen in a row.
    pub(super) fn of_row(&self, row: usize) -> &[AtomicU8] {
        let sketch = (row + 1).ilog2() as usize;
        &self.registers[sketch * REGISTERS..][..REGISTERS]
    }

    /// All registers, sketch after sketch.
    pub(super) fn into_registers(self) -> Vec<u8> {
        self.registers.into_iter().map(AtomicU8::into_inner).collect()
    }
}

/// Takes in what has this hash.
#[inline]
pub(super) fn see(registers: &[AtomicU8], hash: u64) {
    let register = &registers[(hash >> (64 - REGISTER_BITS)) as usize];
    // One more than the zeros that the rest begins with; the bit set at its end bounds them.
    let run = ((hash << REGISTER_BITS) | (1 << (REGISTER_BITS - 1))).leading_zeros() as u8 + 1;
    // Mostly it is known, and reading disturbs no other thread.
    if register.load(Ordering::Relaxed) < run {
        register.fetch_max(run, Ordering::Relaxed);
    }
}
