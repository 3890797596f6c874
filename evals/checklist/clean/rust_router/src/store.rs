//! Where the weather comes from.

use std::sync::Arc;

use anyhow::{bail, Result};
use tokio::sync::Mutex;

use crate::types::{Forecast, Station};

#[derive(Clone)]
pub struct Store {
    stations: Arc<[Station]>,
    dismissed: Arc<Mutex<Vec<String>>>,
}

impl Store {
    pub fn open() -> Result<Self> {
        let text = std::fs::read_to_string("stations.tsv")?;
        let stations = text.lines().filter_map(station).collect();
        Ok(Self { stations, dismissed: Arc::default() })
    }

    pub fn stations(&self, country: Option<&str>) -> Vec<Station> {
        let wanted = |station: &&Station| country.is_none_or(|country| station.country == country);
        self.stations.iter().filter(wanted).cloned().collect()
    }

    pub async fn forecast(&self, station: &str, days: u8) -> Result<Forecast> {
        if !self.stations.iter().any(|each| each.id == station) {
            bail!("no station `{station}`");
        }
        if days > 10 {
            bail!("no forecast reaches that far");
        }
        Ok(Forecast { station: station.to_owned(), days: Vec::new(), text: String::new(), raw: None })
    }

    pub async fn dismiss(&self, alert: &str) {
        self.dismissed.lock().await.push(alert.to_owned());
    }
}

fn station(line: &str) -> Option<Station> {
    let mut cells = line.split('\t');
    Some(Station {
        id: cells.next()?.to_owned(),
        name: cells.next()?.to_owned(),
        country: cells.next()?.to_owned(),
        height_metres: cells.next()?.parse().ok()?,
        description: cells.next()?.to_owned(),
    })
}
