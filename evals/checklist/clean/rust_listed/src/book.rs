//! The recipes themselves.

use std::sync::Arc;

use tokio::sync::RwLock;

use crate::model::Recipe;

#[derive(Clone)]
pub struct Book {
    recipes: Arc<Vec<Recipe>>,
    pantry: Arc<RwLock<Vec<String>>>,
}

impl Book {
    pub async fn open(path: &str) -> std::io::Result<Self> {
        let text = tokio::fs::read(path).await?;
        let recipes = serde_json::from_slice(&text)?;
        Ok(Self { recipes: Arc::new(recipes), pantry: Arc::default() })
    }

    pub fn matching(&self, words: &str) -> Vec<Recipe> {
        self.recipes.iter().filter(|recipe| recipe.title.contains(words)).cloned().collect()
    }

    pub async fn empty_pantry(&self) -> usize {
        let mut pantry = self.pantry.write().await;
        std::mem::take(&mut *pantry).len()
    }
}
