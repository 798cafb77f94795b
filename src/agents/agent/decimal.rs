//! Decimal numbers in names of agents.

/// A number with so many decimals at most, 5 or fewer, in units of the last of them; `None` where it is none, or has more
/// than five digits before the point.
pub(super) fn decimal(text: &str, places: usize) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole) && digits(decimals) && decimals.len() <= places && whole.len() <= 5;
    fits.then(|| format!("{whole}{decimals:0<places$}").parse().ok()).flatten()
}
