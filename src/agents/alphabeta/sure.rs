//! Values of positions that are decided: sooner is better.

/// A sure win now; each step to it takes one away.
pub(super) const WIN: i32 = 1_000_000_000;
/// Above this a value is a sure win.
const SURE: i32 = WIN - 10_000;

/// Whether a value is a sure win or loss.
pub(super) fn is_sure(value: i32) -> bool {
    value.abs() > SURE
}

/// A value as it is from a position that is so many steps from the root, where it was counted from the root.
pub(super) fn to_keep(value: i32, step: usize) -> i32 {
    match value {
        _ if value > SURE => value + step as i32,
        _ if value < -SURE => value - step as i32,
        _ => value,
    }
}

/// The way back.
pub(super) fn from_here(value: i32, step: usize) -> i32 {
    match value {
        _ if value > SURE => value - step as i32,
        _ if value < -SURE => value + step as i32,
        _ => value,
    }
}
