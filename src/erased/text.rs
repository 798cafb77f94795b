//! How long the text of a state may be.

use crate::base::error::Error;

/// The longest text or JSON of a state that is read, in bytes.
pub const MAX_STATE_TEXT: usize = 64 * 1024;

/// Refuses what is longer than any state.
pub(super) fn check_length(text: &str) -> Result<(), Error> {
    if text.len() > MAX_STATE_TEXT {
        return Err(Error::position(format!(
            "a state of {} bytes is too long; at most {MAX_STATE_TEXT} are read",
            text.len()
        )));
    }
    Ok(())
}
