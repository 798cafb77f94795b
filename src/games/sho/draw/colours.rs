//! The colours that only this board has: ivory shells, a leather pad, a cloth for the track.

use crate::draw::theme::Tint;

pub(super) const TRACK: Tint = ["#eee5d3", "#24272d"];
pub(super) const SHELL: Tint = ["#fffaf0", "#d9d1c0"];
pub(super) const SHELL_EDGE: Tint = ["#a08f73", "#8f866f"];
pub(super) const SHELL_SLIT: Tint = ["#8d7a5c", "#6f6650"];
pub(super) const PAD: Tint = ["#6b4528", "#4a301d"];
pub(super) const PAD_EDGE: Tint = ["#4a2e19", "#2b1b10"];
pub(super) const STITCH: Tint = ["#d9b68a", "#a8855c"];
pub(super) const ON_PAD: Tint = ["#fff8ec", "#fff3e0"];
pub(super) const ON_PAD_MUTED: Tint = ["#e7cfae", "#d9bd97"];
