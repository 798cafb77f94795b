//! Requests: an object with the verb as "do", and the fields that the verb takes.

use serde_json::{Map, Value};

use sarai::base::error::{BadRequest, shorten};

/// The longest request, in bytes: a record may be long.
pub(crate) const MAX_REQUEST: usize = 16 << 20;

/// A request, of which fields are taken until none is left.
pub(crate) struct Request {
    verb: String,
    fields: Map<String, Value>,
}

impl Request {
    /// Reads a request.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, BadRequest> {
        if bytes.len() > MAX_REQUEST {
            return Err(BadRequest::new(format!(
                "a request has at most {MAX_REQUEST} bytes, not {}",
                bytes.len()
            )));
        }
        let mut fields: Map<String, Value> = match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return Err(BadRequest::new("the request is no JSON object")),
            Err(error) => return Err(BadRequest::new(format!("the request is no JSON object: {error}"))),
        };
        match fields.remove("do") {
            Some(Value::String(verb)) => Ok(Request { verb, fields }),
            _ => Err(BadRequest::new("a request has its verb as \"do\", such as {\"do\": \"catalogue\"}")),
        }
    }

    pub(crate) fn verb(&self) -> &str {
        &self.verb
    }

    /// A field, `None` where it is missing or null.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    fn needed(&mut self, name: &str, takes: &str) -> Result<Value, BadRequest> {
        self.take(name).ok_or_else(|| BadRequest::new(format!("'{}' needs {takes} as '{name}'", self.verb)))
    }

    fn refused(&self, name: &str, takes: &str, given: &Value) -> BadRequest {
        let given = shorten(&given.to_string());
        BadRequest::new(format!("'{}' takes {takes} as '{name}', not {given}", self.verb))
    }

    /// A number of something that is held.
    pub(crate) fn number(&mut self, name: &str) -> Result<u64, BadRequest> {
        const TAKES: &str = "a number that was given for it";
        let given = self.needed(name, TAKES)?;
        given.as_u64().ok_or_else(|| self.refused(name, TAKES, &given))
    }

    /// A whole number of at most 64 bits, which may be written as text: JavaScript's numbers hold no more than 53.
    pub(crate) fn whole(&mut self, name: &str) -> Result<Option<u64>, BadRequest> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let digits =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let whole = given.as_u64().or_else(|| given.as_str().and_then(digits));
        let takes = "a whole number from 0 to 18446744073709551615, as a number or as text,";
        whole.map(Some).ok_or_else(|| self.refused(name, takes, &given))
    }

    /// A text, `None` where it is not given.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, BadRequest> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.refused(name, "text", &other)),
        }
    }

    /// The same where it must be given.
    pub(crate) fn text_needed(&mut self, name: &str) -> Result<String, BadRequest> {
        let given = self.needed(name, "text")?;
        match given {
            Value::String(text) => Ok(text),
            other => Err(self.refused(name, "text", &other)),
        }
    }

    /// Who sits where: a list of texts.
    pub(crate) fn labels(&mut self, name: &str) -> Result<Option<Vec<String>>, BadRequest> {
        let Some(given) = self.take(name) else { return Ok(None) };
        let texts = given.as_array().and_then(|list| {
            list.iter().map(|label| label.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        texts.map(Some).ok_or_else(|| self.refused(name, "a list of texts", &given))
    }

    /// Refuses what is left: a field with a wrong name would do nothing, and nobody would know.
    pub(crate) fn done(&self) -> Result<(), BadRequest> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => {
                let name = shorten(name);
                Err(BadRequest::new(format!("'{}' takes nothing as '{name}'; leave it out", self.verb)))
            }
        }
    }
}
