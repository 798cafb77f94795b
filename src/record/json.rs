//! JSON as Python's `json.dumps` writes it, so that a record has the same bytes on both sides.

use serde_json::Value;

/// A value as text: a space after each comma and colon, and nothing outside ASCII.
pub(super) fn dumps(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(dumps).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{}: {}", quoted(name), dumps(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\u{8}' => written.push_str("\\b"),
            '\u{c}' => written.push_str("\\f"),
            ' '..='~' => written.push(c),
            _ => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| written.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    written.push('"');
    written
}
