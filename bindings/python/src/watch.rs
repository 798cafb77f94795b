//! Long calls: the work runs without the GIL on the thread that called, which looks up now and then for Ctrl-C.
//!
//! When the interpreter ends, a thread that wants the GIL back is killed (Python up to 3.13), and the stack of the engine
//! cannot be unwound by that: the process would crash. So the calls under way are ended before, by [`leave`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PySystemExit};
use pyo3::prelude::*;

use sarai::base::{Control, lock, watching};

/// How many calls are under way that have let go of the GIL, or may.
static UNDER_WAY: AtomicI64 = AtomicI64::new(0);

/// The thread that ends the interpreter, once it is about to.
static LEAVER: OnceLock<ThreadId> = OnceLock::new();

/// Whether this thread is about to lose its interpreter.
fn is_ending() -> bool {
    LEAVER.get().is_some_and(|leaver| *leaver != thread::current().id())
}

/// How long the end of the interpreter waits for calls under way: a policy in Python may not return.
const PATIENCE: Duration = Duration::from_secs(5);

/// A call under way, for which the end of the interpreter waits.
pub(crate) struct Call(());

impl Call {
    /// Begins one.
    ///
    /// # Errors
    /// A `SystemExit`, which ends the thread without a word, where the interpreter is about to end.
    pub(crate) fn begin() -> PyResult<Self> {
        if is_ending() {
            return Err(PySystemExit::new_err(()));
        }
        UNDER_WAY.fetch_add(1, Ordering::Relaxed);
        Ok(Call(()))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends the calls of all other threads, and lets none begin.
#[pyfunction]
fn leave(py: Python<'_>) {
    LEAVER.get_or_init(|| thread::current().id());
    let begun = Instant::now();
    py.detach(|| {
        while UNDER_WAY.load(Ordering::Relaxed) > 0 && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// In a forked process the calls of other threads are gone.
#[pyfunction]
fn forked() {
    UNDER_WAY.store(0, Ordering::Relaxed);
}

/// Has the interpreter call [`leave`] before it ends.
///
/// # Errors
/// What Python raises.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(leave, module)?,))?;
    if let Some(at_fork) = py.import("os")?.getattr_opt("register_at_fork")? {
        let after = pyo3::types::PyDict::new(py);
        after.set_item("after_in_child", wrap_pyfunction!(forked, module)?)?;
        at_fork.call((), Some(&after))?;
    }
    Ok(())
}

/// Does `work` without the GIL. A panic in it, which is a bug of ours, becomes an error.
///
/// # Errors
/// The bug, or a `SystemExit` where the interpreter is about to end.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let _call = Call::begin()?;
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
        if is_ending() {
            *lock(&told) = Some(PySystemExit::new_err(()));
            return true;
        }
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
