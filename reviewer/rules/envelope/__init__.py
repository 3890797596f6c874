"""§7 request_id in success envelope."""
