"""Who may call over HTTP."""

import jwt
from mcp.server.auth.provider import AccessToken, TokenVerifier


class GardenTokens(TokenVerifier):
    def __init__(self, key: str) -> None:
        self.key = key

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            claims = jwt.decode(token, self.key, algorithms=["HS256"])
        except jwt.InvalidTokenError:
            return None
        return AccessToken(token=token, client_id=claims["sub"], scopes=claims.get("scope", "").split())
