//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock that holds no broken data, whatever happened to its last holder.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
