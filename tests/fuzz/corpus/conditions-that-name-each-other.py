from mcp.server.fastmcp import FastMCP

mcp = FastMCP("tea")


@mcp.tool()
def blend(grade: int, share: int) -> int:
    """Blend a tea of some grade."""
    share = share if grade == 0 else weigh(share) or taste(share) and share
    share = share if grade == 1 else weigh(share) or taste(share) and share
    share = share if grade == 2 else weigh(share) or taste(share) and share
    share = share if grade == 3 else weigh(share) or taste(share) and share
    share = share if grade == 4 else weigh(share) or taste(share) and share
    share = share if grade == 5 else weigh(share) or taste(share) and share
    share = share if grade == 6 else weigh(share) or taste(share) and share
    share = share if grade == 7 else weigh(share) or taste(share) and share
    share = share if grade == 8 else weigh(share) or taste(share) and share
    share = share if grade == 9 else weigh(share) or taste(share) and share
    share = share if grade == 10 else weigh(share) or taste(share) and share
    share = share if grade == 11 else weigh(share) or taste(share) and share
    share = share if grade == 12 else weigh(share) or taste(share) and share
    share = share if grade == 13 else weigh(share) or taste(share) and share
    share = share if grade == 14 else weigh(share) or taste(share) and share
    share = share if grade == 15 else weigh(share) or taste(share) and share
    share = share if grade == 16 else weigh(share) or taste(share) and share
    share = share if grade == 17 else weigh(share) or taste(share) and share
    share = share if grade == 18 else weigh(share) or taste(share) and share
    share = share if grade == 19 else weigh(share) or taste(share) and share
    share = share if grade == 20 else weigh(share) or taste(share) and share
    share = share if grade == 21 else weigh(share) or taste(share) and share
    share = share if grade == 22 else weigh(share) or taste(share) and share
    share = share if grade == 23 else weigh(share) or taste(share) and share
    return share
