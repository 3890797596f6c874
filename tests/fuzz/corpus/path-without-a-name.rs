#[tool_router
impl p{#[tool]fn p(f:Parameters<::>){}