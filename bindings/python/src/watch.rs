//! Long calls: the work runs without the GIL on the thread that called, which looks up now and then for Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use sarai::base::control::{Control, watching};
use sarai::base::lock::lock;

/// Does `work` without the GIL. A panic in it, which is a bug of ours, becomes an error.
///
/// # Errors
/// The bug.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|_| PyRuntimeError::new_err("the engine failed; this is a bug in sarai, please report it"))
}

/// The same, while this thread looks for Ctrl-C and reports progress about ten times a second.
///
/// # Errors
/// What Ctrl-C or `progress` raised; the control that the work asks was cancelled then, and the work has ended.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    // Held here as well, so that neither is given up where there is no GIL.
    let progress = Arc::new(progress.map(|progress| progress.clone().unbind()));
    let raised = Arc::new(Mutex::new(None));
    let (report, told) = (Arc::clone(&progress), Arc::clone(&raised));
    let look = move |control: &Control| {
        let glance = Python::attach(|py| {
            py.check_signals()?;
            if let Some(report) = report.as_ref() {
                report.call1(py, (control.done.load(Ordering::Relaxed),))?;
            }
            PyResult::Ok(())
        });
        match glance {
            Ok(()) => false,
            Err(error) => {
                *lock(&told) = Some(error);
                true
            }
        }
    };
    let done = detached(py, || watching(look, work));
    let raised = lock(&raised).take();
    match raised {
        Some(error) => Err(error),
        None => done,
    }
}
