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

/// The length of the way (x, y), rounded correctly but for the rarest cases: drawings look for the first place that is far
/// enough from another, and some are just as far as they must be.
///
/// ```
/// use sarai::draw::maths::hypot;
/// assert_eq!((hypot(3.0, -4.0), hypot(0.0, 0.0)), (5.0, 0.0));
/// ```
pub fn hypot(x: f64, y: f64) -> f64 {
    // The squares and their sum, each with what its rounding leaves over.
    let (xx, yy) = (x * x, y * y);
    let sum = xx + yy;
    let from_y = sum - xx;
    let left_over = (xx - (sum - from_y)) + (yy - from_y) + libm::fma(x, x, -xx) + libm::fma(y, y, -yy);
    let root = sum.sqrt();
    if root == 0.0 { 0.0 } else { root + (libm::fma(-root, root, sum) + left_over) / (2.0 * root) }
}

/// How far two points lie apart.
///
/// ```
/// assert_eq!(sarai::draw::maths::dist((1.0, 1.0), (4.0, 5.0)), 5.0);
/// ```
pub fn dist(a: (f64, f64), b: (f64, f64)) -> f64 {
    hypot(a.0 - b.0, a.1 - b.1)
}
