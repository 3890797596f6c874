//! What the orchard knows, kept in one file.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use tokio::sync::RwLock;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tree {
    pub id: u64,
    pub kind: String,
    pub row: u64,
    pub planted: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Harvest {
    pub tree: u64,
    pub year: u64,
    pub kilos: f64,
}

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Book {
    pub trees: Vec<Tree>,
    pub harvests: Vec<Harvest>,
}

pub struct Store {
    path: PathBuf,
    book: RwLock<Book>,
    asked: Mutex<u64>,
}

impl Store {
    pub async fn open(path: impl AsRef<Path>) -> std::io::Result<Self> {
        let path = path.as_ref().to_path_buf();
        let book = match tokio::fs::read(&path).await {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(std::io::Error::other)?,
            Err(_) => Book::default(),
        };
        Ok(Self { path, book: RwLock::new(book), asked: Mutex::new(0) })
    }

    pub fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_path_buf).unwrap_or_default()
    }

    pub async fn book(&self) -> Book {
        {
            let mut asked = self.asked.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *asked += 1;
        }
        self.book.read().await.clone()
    }

    pub async fn tree(&self, id: u64) -> Option<Tree> {
        self.book().await.trees.into_iter().find(|tree| tree.id == id)
    }

    pub async fn plant(&self, kind: &str, row: u64, planted: u64) -> std::io::Result<Tree> {
        let mut book = self.book.write().await;
        let id = book.trees.iter().map(|tree| tree.id).max().unwrap_or(0) + 1;
        let tree = Tree { id, kind: kind.to_owned(), row, planted };
        book.trees.push(tree.clone());
        self.save(&book).await?;
        Ok(tree)
    }

    pub async fn fell(&self, id: u64) -> std::io::Result<bool> {
        let mut book = self.book.write().await;
        let before = book.trees.len();
        book.trees.retain(|tree| tree.id != id);
        let felled = book.trees.len() < before;
        self.save(&book).await?;
        Ok(felled)
    }

    pub async fn gather(&self, harvest: Harvest) -> std::io::Result<()> {
        let mut book = self.book.write().await;
        book.harvests.push(harvest);
        self.save(&book).await
    }

    async fn save(&self, book: &Book) -> std::io::Result<()> {
        let bytes = serde_json::to_vec(book).map_err(std::io::Error::other)?;
        tokio::fs::write(&self.path, bytes).await
    }
}
