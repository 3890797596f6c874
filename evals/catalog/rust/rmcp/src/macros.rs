//! Tools that macros of this crate declare, with the one that a router does not see.

use crate::sdk::{Parameters, ToolRouter};
use rmcp::schemars::{self, JsonSchema};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};

/// Which bed.
#[derive(serde::Deserialize, JsonSchema)]
pub struct Bed {
    /// The number of the bed
    pub number: u8,
}

macro_rules! tending {
    ($garden:ident { $( $(#[$about:meta])* $name:ident($input:ty) ),+ $(,)? }) => {
        #[derive(Clone)]
        pub struct $garden {
            tool_router: ToolRouter<Self>,
        }

        #[tool_router(vis = "pub")]
        impl $garden {
            pub fn new() -> Self {
                Self { tool_router: Self::tool_router() }
            }

            $(
                $(#[$about])*
                #[tool]
                async fn $name(&self, Parameters(input): Parameters<$input>) -> String {
                    String::new()
                }
            )+

            unseen!(hide);
        }

        #[tool_handler(router = self.tool_router)]
        impl ServerHandler for $garden {}
    };
}

macro_rules! unseen {
    ($name:ident) => {
        #[tool(description = "Is declared where a router looks, by a macro")]
        async fn $name(&self) -> String {
            String::new()
        }
    };
}

tending! {
    Macros {
        /// Waters one bed
        ///   with "care"
        water(Bed),
        #[doc = "Weeds one bed"]
        weed(Bed),
    }
}
