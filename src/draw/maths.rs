//! The functions that systems compute differently in the last bit, computed alike on all of them.

/// The sine.
pub fn sin(angle: f64) -> f64 {
    libm::sin(angle)
}

/// The cosine.
pub fn cos(angle: f64) -> f64 {
    libm::cos(angle)
}

/// The angle of the point (x, y), from the right.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// The length of the way (x, y).
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// How far two points lie apart.
///
/// ```
/// assert_eq!(sarai::draw::maths::dist((1.0, 1.0), (4.0, 5.0)), 5.0);
/// ```
pub fn dist(a: (f64, f64), b: (f64, f64)) -> f64 {
    libm::hypot(a.0 - b.0, a.1 - b.1)
}
