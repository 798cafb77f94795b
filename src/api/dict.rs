//! State dicts, read from JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::base::{Error, shorten};
use crate::play::check_length;

/// The dict that a JSON object describes.
pub(super) fn read<D: Serialize + DeserializeOwned>(text: &str) -> Result<D, Error> {
    check_length(text)?;
    // First whether it is JSON at all, for the reader below would say so in its own words.
    match serde_json::from_str(text) {
        Ok(Value::Object(_)) => {}
        Ok(_) => return Err(Error::position("the state is not a dict with the keys of the rule book")),
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            return Err(Error::position(format!(
                "the state is not valid JSON: line {line}, column {column}"
            )));
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let dict: D = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (path, cause) = (error.path().to_string(), error.inner().to_string());
        // Where in the text it happened helps nobody who gave a dict.
        let cause = without_middle(&plainly(cause.split(" at line ").next().unwrap_or_default()));
        let path = shorten(&path);
        Error::position(if path == "." { format!("the state: {cause}") } else { format!("{path}: {cause}") })
    })?;
    reader.end().map_err(|_| Error::position("there is more text after the end of the state"))?;
    // Serde would take a list for a dict whose values it has in order.
    let given: Value = serde_json::from_str(text).unwrap_or_default();
    if !same_shape(&given, &serde_json::to_value(&dict).unwrap_or_default()) {
        return Err(Error::position("there is a list in place of a dict, or a dict in place of a list"));
    }
    Ok(dict)
}

/// A sentence that quotes what may be very long: its beginning and its end.
fn without_middle(sentence: &str) -> String {
    let letters: Vec<char> = sentence.chars().collect();
    match letters.len() {
        0..=500 => sentence.to_owned(),
        all => letters[..100].iter().chain(&['.'; 3]).chain(&letters[all - 300..]).collect(),
    }
}

/// Serde's sentence in the words of who wrote a dict.
fn plainly(cause: &str) -> String {
    cause
        .replace("missing field", "missing key")
        .replace("unknown field", "unknown key")
        .replace("duplicate field", "duplicate key")
        .replace("expected u8", "expected an integer from 0 to 255")
        .replace("expected u16", "expected an integer from 0 to 65535")
        .replace("expected u32", "expected an integer from 0 to 4294967295")
        .replace("expected value", "this value is not allowed here")
        .replace("unknown variant", "unknown word")
}

/// Whether both have lists and objects at the same places.
fn same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_shape(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.iter().all(|(key, one)| other.get(key).is_some_and(|other| same_shape(one, other)))
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        _ => true,
    }
}
