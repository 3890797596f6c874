"""What handlers give back: how it leaves them, of which kind it is, whether it is what came from elsewhere."""
