//! The colours that all boards share.

use serde::Serialize;

use crate::base::error::{Error, shorten};

/// The colours that all boards share.
///
/// `sides` are from the palette of Okabe and Ito, which stays apart under the common kinds of colour blindness; a drawing
/// adds a second cue (a shape or a letter) to each. `plate` and `on_plate` are a light and a dark tone for figures printed
/// on a coloured piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Theme {
    /// What it is called by.
    pub name: &'static str,
    /// Whether it is for dark surroundings.
    #[serde(skip)]
    pub is_dark: bool,
    /// What everything is painted on.
    pub background: &'static str,
    /// What the players' boxes are painted on.
    pub panel: &'static str,
    /// Thin lines.
    pub line: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Text that steps back.
    pub muted: &'static str,
    /// The edges of pieces.
    pub outline: &'static str,
    /// The plate on a piece.
    pub plate: &'static str,
    /// What is written there.
    pub on_plate: &'static str,
    /// The colour of each side.
    pub sides: [&'static str; 4],
}

/// A colour that only one board has: in light surroundings, and in dark ones.
pub type Tint = [&'static str; 2];

impl Theme {
    /// The colour of one board, in these surroundings.
    ///
    /// ```
    /// use sarai::draw::theme::{DARK, LIGHT};
    /// assert_eq!([&LIGHT, &DARK].map(|look| look.tint(["sand", "earth"])), ["sand", "earth"]);
    /// ```
    pub fn tint(&self, [light, dark]: Tint) -> &'static str {
        if self.is_dark { dark } else { light }
    }
}

/// For light surroundings: where none is asked for.
pub static LIGHT: Theme = Theme {
    name: "light",
    is_dark: false,
    background: "#fbf9f4",
    panel: "#f1ece1",
    line: "#d8cfbe",
    ink: "#231f1a",
    muted: "#6b6358",
    outline: "#2b2620",
    plate: "#ffffff",
    on_plate: "#16130f",
    sides: ["#0072b2", "#e69f00", "#009e73", "#cc79a7"],
};

/// For dark ones.
pub static DARK: Theme = Theme {
    name: "dark",
    is_dark: true,
    background: "#17191d",
    panel: "#22252b",
    line: "#3b4049",
    ink: "#f2eee6",
    muted: "#a9a59c",
    outline: "#0b0c0e",
    plate: "#fdfbf6",
    on_plate: "#16130f",
    sides: ["#56b4e9", "#e69f00", "#009e73", "#cc79a7"],
};

/// All of them.
pub static ALL: [&Theme; 2] = [&LIGHT, &DARK];

/// The theme of that name.
///
/// # Errors
/// For any other name.
///
/// ```
/// use sarai::draw::theme::named;
/// assert!(named("dark")?.is_dark);
/// assert_eq!(named("sepia").unwrap_err().to_string(), "theme must be 'light' or 'dark', got 'sepia'");
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn named(name: &str) -> Result<&'static Theme, Error> {
    ALL.into_iter()
        .find(|theme| theme.name == name)
        .ok_or_else(|| Error::new(format!("theme must be 'light' or 'dark', got '{}'", shorten(name))))
}
