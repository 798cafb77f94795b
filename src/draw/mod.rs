//! Pictures of positions: elements of SVG, and what the boards of several games share.
//!
//! A game draws itself in its `draw.rs`, by [`crate::rules::game::Draw`], with what stands here.

pub mod maths;
pub mod moves;
pub mod options;
pub mod picture;
pub mod pieces;
pub mod svg;
pub mod theme;

pub use options::{MoveValue, Options};
pub use picture::{Picture, document};
pub use svg::Element;
pub use theme::Theme;

/// A place of a board that moves touch: where it lies in the picture, and what it is called.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The name, as the names of actions have it.
    pub name: String,
    /// Its middle, in units of the picture.
    pub x: f64,
    /// Its middle, in units of the picture.
    pub y: f64,
    /// How far around it a click is meant for it.
    pub r: f64,
    /// What it is and what stands there, for those who do not see the picture.
    pub words: String,
}
