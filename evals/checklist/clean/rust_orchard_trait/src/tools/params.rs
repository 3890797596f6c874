//! Reading arguments, with an error that says what to give.

use anyhow::Result;
use serde_json::Value;

use super::errors::RecoverableError;

pub fn require_param<'a>(input: &'a Value, name: &str) -> Result<&'a Value> {
    input.get(name).ok_or_else(|| {
        RecoverableError::with_hint(format!("`{name}` is missing"), format!("Call again with `{name}`.")).into()
    })
}

pub fn require_str<'a>(input: &'a Value, name: &str) -> Result<&'a str> {
    require_param(input, name)?.as_str().ok_or_else(|| {
        RecoverableError::with_hint(format!("`{name}` is no text"), format!("Give `{name}` as a string.")).into()
    })
}

pub fn require_u64(input: &Value, name: &str) -> Result<u64> {
    require_param(input, name)?.as_u64().ok_or_else(|| {
        RecoverableError::with_hint(format!("`{name}` is no number"), format!("Give `{name}` as a whole number.")).into()
    })
}

pub fn optional_u64(input: &Value, name: &str) -> Option<u64> {
    let value = input.get(name)?;
    value.as_u64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))
}

pub fn optional_bool(input: &Value, name: &str) -> Option<bool> {
    input.get(name).and_then(Value::as_bool)
}
