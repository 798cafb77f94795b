//! The engine for JavaScript: requests and answers are texts of JSON, and three functions are exported; `web/engine.js`
//! gives them their types.
//!
//! WebAssembly ends at a panic, so that nothing here takes for granted what came from outside: whatever cannot be done is
//! answered with `{"error": sentence}`. Neither files nor threads nor clocks are asked for.

mod course;
mod desk;
mod exports;
mod json;
mod offer;
mod reader;
mod request;
mod verbs;
mod writer;

use std::cell::RefCell;

use self::desk::Desk;
use self::request::Request;

thread_local! {
    /// What callers hold, by the numbers that they have for it.
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new()) };
}

/// The answer to a request, both as JSON.
fn answer(request: &[u8]) -> String {
    let told = Request::read(request)
        .and_then(|request| DESK.with(|desk| verbs::carry_out(&mut desk.borrow_mut(), request)));
    match told {
        Ok(answer) => answer.to_string(),
        Err(error) => serde_json::json!({"error": error.to_string()}).to_string(),
    }
}
