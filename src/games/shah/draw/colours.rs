//! What only this board has: sand, lines in it, and the two kinds of stones.

use crate::draw::theme::Tint;

pub(super) const SAND: Tint = ["#ead6ae", "#4d402d"];
pub(super) const SAND_EDGE: Tint = ["#cdb486", "#6a5940"];
pub(super) const GROOVE: Tint = ["#8a6a3f", "#b59a6c"];
pub(super) const ON_SAND: Tint = ["#5b4526", "#e6d3ae"];
pub(super) const STONE: [Tint; 2] = [["#fffaf0", "#f7eedb"], ["#3d3a38", "#1f1e1e"]];
pub(super) const EDGE: [Tint; 2] = [["#4a3d2c", "#171310"], ["#15130f", "#d8c8a8"]];
pub(super) const MARK: [Tint; 2] = [["#b09a78", "#9a8461"], ["#a79f94", "#8f877b"]];
pub(super) const MILL: Tint = ["#c2571a", "#f09a4a"];
