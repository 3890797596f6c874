"""§7 request_id in the success envelope."""
