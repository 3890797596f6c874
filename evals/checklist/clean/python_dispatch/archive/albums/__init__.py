"""Albums of photographs."""
