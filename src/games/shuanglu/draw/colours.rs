//! What only this board has: a wooden tray with black outlines, red horses and plain ones.

use crate::draw::theme::Tint;

pub(super) const RIM: Tint = ["#6f4526", "#38241a"];
pub(super) const RIM_EDGE: Tint = ["#3f2512", "#8a6a4a"];
pub(super) const FLOOR: Tint = ["#d9b27a", "#4a3624"];
pub(super) const HOME: Tint = ["#e4c595", "#58422d"];
pub(super) const OUTLINE: Tint = ["#3a2412", "#e0c79c"];
pub(super) const HORSE: [Tint; 2] = [["#b3261e", "#ec5c47"], ["#fbf0d0", "#f7e8c1"]];
pub(super) const EDGE: [Tint; 2] = [["#3d0a06", "#1d0503"], ["#4d3716", "#241804"]];
pub(super) const BAND: [Tint; 2] = [["#f6d9a8", "#f9dcae"], ["#8a6a35", "#7d5f2d"]];
pub(super) const LIT: Tint = ["#8a4b00", "#f0b070"];
