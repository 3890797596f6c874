"""What rules of several sections share: no module here is a rule."""
