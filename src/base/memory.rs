//! Memory for arrays whose size a user gives, asked for before it is needed: Rust ends the process where an allocation
//! fails, and nobody could say what to do about it.

use crate::base::Error;

/// An empty vector with room for so many items.
///
/// # Errors
/// When there is none.
///
/// ```
/// assert_eq!(sarai::base::memory::room_for::<u64>(8)?.capacity(), 8);
/// assert!(sarai::base::memory::room_for::<u64>(usize::MAX).is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn room_for<T>(items: usize) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(items).map_err(|_| no_room(items, size_of::<T>()))?;
    Ok(all)
}

/// So many zeros.
///
/// # Errors
/// When there is no room for them.
pub fn zeros<T: Clone + Default>(items: usize) -> Result<Vec<T>, Error> {
    let mut all = room_for(items)?;
    all.resize(items, T::default());
    Ok(all)
}

/// The same items once more.
///
/// # Errors
/// When there is no room for them.
pub fn copy_of<T: Clone>(items: &[T]) -> Result<Vec<T>, Error> {
    let mut all = room_for(items.len())?;
    all.extend_from_slice(items);
    Ok(all)
}

/// Adds items at the end.
///
/// # Errors
/// When there is no room for them; the vector is as it was.
pub fn extend<T>(all: &mut Vec<T>, more: impl ExactSizeIterator<Item = T>) -> Result<(), Error> {
    all.try_reserve(more.len()).map_err(|_| no_room(more.len(), size_of::<T>()))?;
    all.extend(more);
    Ok(())
}

#[cold]
fn no_room(items: usize, size: usize) -> Error {
    let bytes = items as u128 * size as u128;
    Error::no_memory(format!("not enough memory for {bytes} more bytes; ask for less at a time"))
}
