//! The store of parcels.

use sqlx::SqlitePool;

use crate::page::Page;
use crate::parcel::types::{Label, Parcel};
use crate::ToolError;

#[derive(Clone)]
pub struct ParcelClient {
    pool: SqlitePool,
}

impl ParcelClient {
    pub fn new(pool: SqlitePool) -> Self {
        Self { pool }
    }

    pub async fn parcels(&self, page: &Page) -> Result<Vec<Parcel>, ToolError> {
        let rows = sqlx::query_as("SELECT * FROM parcel ORDER BY booked_at DESC LIMIT ? OFFSET ?")
            .bind(page.limit as i64)
            .bind(page.offset as i64)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows)
    }

    pub async fn all_parcels(&self) -> Result<Vec<Parcel>, ToolError> {
        Ok(sqlx::query_as("SELECT * FROM parcel").fetch_all(&self.pool).await?)
    }

    pub async fn parcel(&self, id: &str) -> Result<Parcel, ToolError> {
        Ok(sqlx::query_as("SELECT * FROM parcel WHERE id = ?").bind(id).fetch_one(&self.pool).await?)
    }

    pub async fn label(&self, id: &str) -> Result<Label, ToolError> {
        Ok(sqlx::query_as("SELECT * FROM label WHERE id = ?").bind(id).fetch_one(&self.pool).await?)
    }

    pub async fn book(&self, recipient: &str, weight_grams: u32) -> Result<Parcel, ToolError> {
        let query = "INSERT INTO parcel (recipient, weight_grams) VALUES (?, ?) RETURNING *";
        Ok(sqlx::query_as(query).bind(recipient).bind(weight_grams).fetch_one(&self.pool).await?)
    }

    pub async fn delete(&self, id: &str) -> Result<Parcel, ToolError> {
        Ok(sqlx::query_as("DELETE FROM parcel WHERE id = ? RETURNING *").bind(id).fetch_one(&self.pool).await?)
    }
}
