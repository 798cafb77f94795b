//! What only this board has: paper squares, ink lines and the four colours of the players.

use crate::draw::theme::Tint;

pub(super) const SQUARE: Tint = ["#fbf4e2", "#3a342b"];
pub(super) const CENTRE: Tint = ["#efe2c2", "#4a4133"];
pub(super) const LINE: Tint = ["#4b3a26", "#a8946c"];
pub(super) const CROSSCUT: Tint = ["#a5865a", "#9c8860"];
pub(super) const NUMBER: Tint = ["#5c4a2d", "#dccba6"];
pub(super) const COLUMN: [Tint; 4] =
    [["#f3c9bd", "#6a332a"], ["#f8e3a3", "#5a481b"], ["#c3e2cd", "#2b5541"], ["#d5d0c9", "#222120"]];
pub(super) const SEAT: [Tint; 4] =
    [["#c8321f", "#e0523d"], ["#f0b81c", "#f4c332"], ["#16875a", "#2aa876"], ["#2b2826", "#0e0d0c"]];
pub(super) const EDGE: [Tint; 4] =
    [["#5c130a", "#2a0703"], ["#6b4c00", "#3a2a00"], ["#06402a", "#02241a"], ["#000000", "#d8cdb8"]];
