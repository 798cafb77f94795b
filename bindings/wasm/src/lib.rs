//! The engine for JavaScript: requests and answers are texts of JSON, and three functions are exported; `web/engine.js`
//! gives them their types.
//!
//! WebAssembly ends at a panic, so that nothing here takes for granted what came from outside: whatever cannot be done is
//! answered with `{"error": sentence}`. Neither files nor threads nor clocks are asked for.

mod desk;
mod exports;
mod verbs;

use std::cell::RefCell;

use sarai::base::error::Error;
use sarai::session::Request;

use self::desk::Desk;

/// The longest request, in bytes: a record may be long.
const MAX_REQUEST: usize = 16 << 20;

thread_local! {
    /// What callers hold, by the numbers that they have for it.
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new()) };
}

/// The answer to a request, both as JSON.
fn answer(request: &[u8]) -> String {
    let short = (request.len() <= MAX_REQUEST).then_some(request);
    let told = short
        .ok_or_else(|| Error::new(format!("a request has at most {MAX_REQUEST} bytes")))
        .and_then(Request::read)
        .and_then(|request| DESK.with(|desk| verbs::carry_out(&mut desk.borrow_mut(), request)));
    match told {
        Ok(answer) => answer.to_string(),
        Err(error) => serde_json::json!({"error": error.to_string()}).to_string(),
    }
}
