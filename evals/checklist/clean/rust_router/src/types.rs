//! What the tools give.

use serde::Serialize;
use weather_macros::truncate;

#[derive(Clone, Debug, Serialize)]
pub struct Station {
    pub id: String,
    pub name: String,
    pub country: String,
    pub height_metres: i32,
    #[serde(with = "truncate")]
    pub description: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    pub station: String,
    pub days: Vec<Day>,
    #[truncate(full_action = "get_forecast")]
    pub text: String,
    #[weather_macros::truncate]
    pub raw: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Day {
    pub date: String,
    pub low: f32,
    pub high: f32,
    pub rain_millimetres: f32,
}
