//! A whole picture.

use super::options::check_size;
use super::svg::{self, Element, FONT, element, number};
use super::theme::Theme;
use crate::base::error::Error;

/// A whole picture that is not written yet: what is painted, back to front, and what is said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// What is painted.
    pub children: Vec<Element>,
    /// In units.
    pub width: f64,
    /// In units.
    pub height: f64,
    /// In pixels.
    pub shown_width: f64,
    /// What a browser shows and a screen reader speaks.
    pub title: String,
    /// The same at length.
    pub description: String,
}

impl Picture {
    /// The picture as a document of its own.
    ///
    /// ```
    /// use sarai::draw::{document, svg::element, theme::LIGHT};
    /// let picture = document([element("g")], 20.0, 10.0, 480.0, &LIGHT, "nothing".into(), "It is empty.".into())?;
    /// assert!(picture.written().starts_with("<svg xmlns="));
    /// assert!(document([element("g")], 20.0, 10.0, 1.0, &LIGHT, "".into(), "".into()).is_err());
    /// # Ok::<(), sarai::Error>(())
    /// ```
    pub fn written(&self) -> String {
        let whole = element("svg")
            .set("xmlns", "http://www.w3.org/2000/svg")
            .set("viewBox", format!("0 0 {} {}", number(self.width), number(self.height)))
            .set("width", self.shown_width)
            .set("height", self.shown_width * self.height / self.width)
            .set("role", "img")
            .set("aria-label", self.title.clone())
            .set("font-family", FONT)
            .child(element("title").content(self.title.clone()))
            .child(element("desc").content(self.description.clone()));
        whole.children(self.children.iter().cloned()).written()
    }
}

/// A picture of `width` by `height` units on the ground of the theme, shown `shown_width` pixels wide. A child may be none.
///
/// # Errors
/// When `shown_width` is no number from 16 to 16384.
pub fn document<T: Into<Option<Element>>>(
    children: impl IntoIterator<Item = T>,
    width: f64,
    height: f64,
    shown_width: f64,
    theme: &Theme,
    title: String,
    description: String,
) -> Result<Picture, Error> {
    check_size(shown_width)?;
    let mut painted = vec![svg::rect(0.0, 0.0, width, height).set("rx", 14).set("fill", theme.background)];
    painted.extend(children.into_iter().filter_map(Into::into));
    Ok(Picture { children: painted, width, height, shown_width, title, description })
}
