//! Arrays that a step fills anew.

use numpy::ndarray::{Dim, IntoDimension};
use numpy::{Element, PyArray, PyArrayDescrMethods, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::convert::zeros;

/// How many arrays of a kind are kept for another step.
const SPARES: usize = 4;

/// Arrays of one kind. A step needs fresh ones; one that nobody but us refers to any more is as good as fresh, and
/// spares the system the work of clearing new memory.
pub(crate) struct Spares<T: Element, const D: usize> {
    pub(crate) shape: [usize; D],
    arrays: Vec<Py<PyArray<T, Dim<[usize; D]>>>>,
    /// Always the same array, whoever refers to it.
    pub(crate) shared: bool,
}

impl<T: Element, const D: usize> Spares<T, D>
where
    [usize; D]: IntoDimension<Dim = Dim<[usize; D]>>,
    Dim<[usize; D]>: numpy::ndarray::Dimension,
{
    pub(crate) fn new(shape: [usize; D], shared: bool) -> Self {
        Spares { shape, arrays: Vec::new(), shared }
    }

    pub(crate) fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray<T, Dim<[usize; D]>>>> {
        // There is a GIL, as the module declares: nobody takes a reference while we count.
        #[expect(deprecated, reason = "the advised replacement is unsafe; this is the same number")]
        let free = self.arrays.iter().position(|array| self.shared || array.get_refcnt(py) == 1);
        if let Some(index) = free {
            let array = self.arrays[index].bind(py).clone();
            if self.is_as_made(&array) {
                return Ok(array);
            }
            self.arrays.swap_remove(index);
        }
        let array = zeros(py, self.shape)?;
        if self.arrays.len() < SPARES {
            self.arrays.push(array.clone().unbind());
        }
        Ok(array)
    }

    /// Whether nobody has given the array another shape or type, or locked it: numpy lets its users do all that in place.
    fn is_as_made(&self, array: &Bound<'_, PyArray<T, Dim<[usize; D]>>>) -> bool {
        array.shape() == self.shape
            && array.dtype().is_equiv_to(&T::get_dtype(array.py()))
            && array.is_c_contiguous()
            && array.try_readwrite().is_ok()
    }
}
