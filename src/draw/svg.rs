//! Pictures as elements, which are put together as they are and written as SVG text at the very end.
//!
//! Nothing here needs an `id`, a style sheet, a script or a link, so that several pictures can stand in one page without
//! touching each other. Numbers are written with at most two decimals and attributes in the order in which they are set,
//! so the same drawing always gives the same text.

use std::borrow::Cow;
use std::fmt::Write;

/// The letters of every text.
pub const FONT: &str = "Verdana, 'DejaVu Sans', Helvetica, Arial, sans-serif";

/// Where the middle of a digit or capital stands above the baseline, as a share of the font size. Renderers disagree about
/// `dominant-baseline`, so text is centred by shifting it instead.
const MIDDLE: f64 = 0.355;

/// Text as it is written.
pub type Text = Cow<'static, str>;

/// The value of an attribute; none leaves the attribute out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute(Option<Text>);

impl From<&'static str> for Attribute {
    fn from(text: &'static str) -> Self {
        Attribute(Some(text.into()))
    }
}

impl From<String> for Attribute {
    fn from(text: String) -> Self {
        Attribute(Some(text.into()))
    }
}

impl From<f64> for Attribute {
    fn from(value: f64) -> Self {
        Attribute(Some(number(value).into()))
    }
}

impl From<i32> for Attribute {
    fn from(value: i32) -> Self {
        Attribute(Some(value.to_string().into()))
    }
}

impl<T: Into<Attribute>> From<Option<T>> for Attribute {
    fn from(value: Option<T>) -> Self {
        value.map_or(Attribute(None), Into::into)
    }
}

/// What is in an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// Another element.
    Element(Element),
    /// Text.
    Text(Text),
}

/// An element of SVG: its name, its attributes as they are written, and what is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// Its name.
    pub name: &'static str,
    /// Its attributes in their order.
    pub attributes: Vec<(&'static str, Text)>,
    /// What is in it.
    pub children: Vec<Node>,
}

/// An element without attributes and with nothing in it.
///
/// ```
/// use sarai::draw::svg::element;
/// let ring = element("circle").set("r", 1.5).set("fill", "none").set("stroke", None::<f64>);
/// assert_eq!(ring.written(), r#"<circle r="1.5" fill="none"/>"#);
/// ```
pub fn element(name: &'static str) -> Element {
    Element { name, attributes: Vec::new(), children: Vec::new() }
}

impl Element {
    /// The same with an attribute: behind the others, or in the place of the one of that name.
    pub fn set(mut self, name: &'static str, value: impl Into<Attribute>) -> Self {
        let Attribute(Some(value)) = value.into() else {
            return self;
        };
        match self.attributes.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 = value,
            None => self.attributes.push((name, value)),
        }
        self
    }

    /// The same in this colour, or in "none", with an outline.
    pub fn painted(
        self,
        fill: impl Into<Attribute>,
        stroke: impl Into<Attribute>,
        width: impl Into<Attribute>,
    ) -> Self {
        self.set("fill", fill).set("stroke", stroke).set("stroke-width", width)
    }

    /// The same with one more element in it, or none.
    pub fn child(mut self, child: impl Into<Option<Element>>) -> Self {
        self.children.extend(child.into().map(Node::Element));
        self
    }

    /// The same with more elements in it.
    pub fn children<T: Into<Option<Element>>>(self, children: impl IntoIterator<Item = T>) -> Self {
        children.into_iter().fold(self, |whole, child| whole.child(child))
    }

    /// The same with text in it.
    pub fn content(mut self, text: impl Into<Text>) -> Self {
        self.children.push(Node::Text(text.into()));
        self
    }

    /// The same with a `<title>` at its beginning, which browsers show on hover and screen readers speak.
    pub fn label(mut self, words: impl Into<Text>) -> Self {
        self.children.insert(0, Node::Element(element("title").content(words)));
        self
    }

    /// The element as text.
    ///
    /// ```
    /// use sarai::draw::svg::element;
    /// assert_eq!(element("text").set("x", 1).content("a < b").written(), r#"<text x="1">a &lt; b</text>"#);
    /// ```
    pub fn written(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"");
            write_escaped(value, out);
            out.push('"');
        }
        if self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for child in &self.children {
            match child {
                Node::Element(element) => element.write(out),
                Node::Text(text) => write_escaped(text, out),
            }
        }
        let _ = write!(out, "</{}>", self.name);
    }
}

/// Text made safe inside an element or an attribute.
///
/// The five special characters become entities; a character that XML cannot carry becomes U+FFFD.
///
/// ```
/// assert_eq!(sarai::draw::svg::escape("a < b & \"c\"\u{1}"), "a &lt; b &amp; &quot;c&quot;\u{fffd}");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_escaped(text, &mut out);
    out
}

fn write_escaped(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(character),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
}

/// A number with at most two decimals and no needless ones.
///
/// ```
/// use sarai::draw::svg::number;
/// assert_eq!([number(2.0), number(1.0 / 3.0), number(-0.001)], ["2", "0.33", "0"]);
/// ```
///
/// # Panics
/// When it is infinite or not a number: no drawing has such a number.
pub fn number(value: f64) -> String {
    assert!(value.is_finite(), "a drawing needs finite numbers, got {value}");
    let mut written = format!("{value:.2}");
    let kept = written.trim_end_matches('0').trim_end_matches('.').len();
    written.truncate(kept);
    if written == "-0" { "0".to_owned() } else { written }
}

/// A group.
pub fn group() -> Element {
    element("g")
}

/// A circle around (x, y).
pub fn circle(x: f64, y: f64, radius: f64) -> Element {
    element("circle").set("cx", x).set("cy", y).set("r", radius)
}

/// A rectangle with its upper left corner at (x, y).
pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Element {
    element("rect").set("x", x).set("y", y).set("width", width).set("height", height)
}

/// A path from path data, which [`points`] helps to write.
pub fn path(d: impl Into<Attribute>) -> Element {
    element("path").set("d", d)
}

/// Path data for a line through points, to be opened with M and closed with Z by the caller.
///
/// ```
/// assert_eq!(sarai::draw::svg::points(&[(0.0, 0.0), (10.0, 2.5)]), "0 0 10 2.5");
/// ```
pub fn points(pairs: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(x, y)| format!("{} {}", number(*x), number(*y))).collect();
    pairs.join(" ")
}

/// A `transform` that scales a shape, turns it clockwise by `angle` degrees and puts it at (x, y).
///
/// ```
/// use sarai::draw::svg::placed;
/// assert_eq!(placed(3.0, 4.0, 0.0, 1.0), "translate(3 4)");
/// assert_eq!(placed(3.0, 4.0, 90.0, 0.5), "translate(3 4) rotate(90) scale(0.5)");
/// ```
pub fn placed(x: f64, y: f64, angle: f64, scale: f64) -> String {
    let turned = if angle == 0.0 { String::new() } else { format!(" rotate({})", number(angle)) };
    let scaled = if scale == 1.0 { String::new() } else { format!(" scale({})", number(scale)) };
    format!("translate({} {}){turned}{scaled}", number(x), number(y))
}

/// A line of text with its middle at (x, y); with `.set("text-anchor", "start")` it starts there instead.
pub fn text(content: impl Into<Text>, x: f64, y: f64, size: f64) -> Element {
    element("text")
        .set("x", x)
        .set("y", y + MIDDLE * size)
        .set("font-size", size)
        .set("text-anchor", "middle")
        .content(content)
}
