; Attributes that keep what follows out of a build that is served: #[cfg(test)], #[test], #[tokio::test].
((attribute_item) @attribute (#match? @attribute "^#\\[\\s*(cfg\\s*\\(\\s*(all\\s*\\(\\s*)?test|([a-z_]+::)*test)"))
