"""What makes tools, with which SDK: attributes, registries, lists that code answers itself, types that are tools."""
