//! The books of the foundry: what was cast, and the notes of the founders.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Context;

#[derive(Clone, Debug)]
pub struct Bell {
    pub name: String,
    pub pitch: String,
    pub weight: u64,
}

pub struct Books {
    root: PathBuf,
    bells: Mutex<Vec<Bell>>,
}

impl Books {
    pub fn open(root: &str) -> anyhow::Result<Self> {
        Ok(Self { root: PathBuf::from(root), bells: Mutex::new(Vec::new()) })
    }

    pub fn search(&self, word: &str) -> Vec<Bell> {
        let bells = self.bells.lock().unwrap();
        bells.iter().filter(|bell| bell.name.contains(word)).cloned().collect()
    }

    pub fn add(&self, bell: Bell) {
        self.bells.lock().unwrap().push(bell);
    }

    pub fn place_of(&self, name: &str) -> anyhow::Result<PathBuf> {
        anyhow::ensure!(!name.contains(".."), "`{name}` leaves the books");
        Ok(self.root.join("notes").join(name))
    }

    pub async fn note(&self, name: &str) -> anyhow::Result<String> {
        let place = self.place_of(name)?;
        tokio::fs::read_to_string(&place).await.with_context(|| format!("there is no note `{name}`"))
    }

    pub async fn keep_note(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let place: PathBuf = self.place_of(name)?;
        tokio::fs::write(Path::new(&place), text).await.with_context(|| format!("`{name}` cannot be kept"))
    }
}
