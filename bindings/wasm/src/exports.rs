//! What WebAssembly exports. A caller writes a request into the room it was given, has it answered, and reads the answer
//! where it is told. No pointer that comes from outside is ever followed, so that nothing here is `unsafe` but the names.

use std::cell::RefCell;

use crate::{MAX_REQUEST, answer};
use sarai::base::memory::zeros;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Room for a request of so many bytes, until the next one; null where there is none for so many.
#[unsafe(no_mangle)]
extern "C" fn sarai_room(bytes: usize) -> *mut u8 {
    REQUEST.with(|request| {
        let mut request = request.borrow_mut();
        // What the last one took is free before more is asked for.
        *request = Vec::new();
        match zeros(bytes.min(MAX_REQUEST + 1)) {
            Ok(room) => *request = room,
            Err(_) => return std::ptr::null_mut(),
        }
        if bytes > request.len() { std::ptr::null_mut() } else { request.as_mut_ptr() }
    })
}

/// Answers the request in the room; returns how many bytes the answer has.
#[unsafe(no_mangle)]
extern "C" fn sarai_call() -> usize {
    let request = REQUEST.with(RefCell::take);
    let told = answer(&request);
    ANSWER.with(|answer| {
        let mut answer = answer.borrow_mut();
        *answer = told;
        answer.len()
    })
}

/// Where the answer stands, until the next call.
#[unsafe(no_mangle)]
extern "C" fn sarai_answer() -> *const u8 {
    ANSWER.with(|answer| answer.borrow().as_ptr())
}
