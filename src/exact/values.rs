//! Tables of values alone: two bits a position before they are compressed, made of tables that have turns too.

use std::path::Path;

use super::file::store;
use super::{Cell, Effort, Header, Stored, VALUE_BITS, code, make_folder};
use crate::base::error::Error;

/// What the numbers 0, 1, 2 of such a table stand for. Nearly all positions are won or lost.
const PALETTE: [(i8, Option<u16>); 3] = [(1, None), (-1, None), (0, None)];

/// Writes the values of tables into a folder, and tells of each table before; a table of values that is there already stays.
///
/// # Errors
/// When a table has no turns itself or cannot be read, or the folder cannot be written to or has a table with turns, which
/// would be lost; or it was stopped.
pub fn write_values<'a>(
    tables: impl Iterator<Item = &'a Stored>,
    folder: &Path,
    effort: Effort<'_>,
    tell: &mut dyn FnMut(&Header),
) -> Result<(), Error> {
    make_folder(folder)?;
    for table in tables {
        let from = table.header();
        let path = from.fingerprint.path_in(folder, from.pair);
        if path.exists() {
            let there = Stored::open(&path, &from.fingerprint, from.pair)?;
            if there.header().has_turns() {
                return Err(Error::new(format!(
                    "{} has turns, which would be lost; give another folder",
                    path.display()
                )));
            }
            if there.header().digest == from.digest {
                continue;
            }
        }
        if !from.has_turns() {
            return Err(table.needs_turns("a table of values"));
        }
        tell(from);
        let codes: Vec<u8> = table.palette()?.into_iter().map(code_of).collect();
        let header = Header { bits: VALUE_BITS, palette: PALETTE.to_vec(), ..from.clone() };
        store(folder, &header, effort.threads, |number| {
            effort.control.check()?;
            let raw = table.block(number)?;
            let mut values = vec![0; header.raw_length(number)];
            for place in 0..header.places(number) {
                let code = *codes.get(code(from.bits, &raw, place)).ok_or_else(|| table.damaged(number))?;
                values[place / 4] |= code << (place % 4 * 2);
            }
            Ok(values)
        })?;
    }
    Ok(())
}

/// The number in [`PALETTE`] of a cell's value.
fn code_of(cell: Cell) -> u8 {
    match cell.value() {
        1 => 0,
        -1 => 1,
        _ => 2,
    }
}
