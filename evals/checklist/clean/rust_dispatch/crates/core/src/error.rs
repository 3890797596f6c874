//! What can go wrong, as clients see it.

#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("unknown action `{action}`")]
    UnknownAction { action: String },
    #[error("`{param}` is missing")]
    MissingParam { param: String },
    #[error("`{param}` is not valid")]
    InvalidParam { param: String },
    #[error("refused: {reason}")]
    Refused { reason: String },
    #[error("{message}")]
    Internal { message: String },
}

impl ToolError {
    pub fn missing(param: &str) -> Self {
        Self::MissingParam { param: param.to_owned() }
    }

    pub fn invalid(param: &str) -> Self {
        Self::InvalidParam { param: param.to_owned() }
    }

    pub fn unknown(action: &str) -> Self {
        Self::UnknownAction { action: action.to_owned() }
    }
}

impl From<sqlx::Error> for ToolError {
    fn from(_error: sqlx::Error) -> Self {
        Self::Internal { message: "the store could not be read".into() }
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(_error: serde_json::Error) -> Self {
        Self::Internal { message: "the answer could not be written".into() }
    }
}
