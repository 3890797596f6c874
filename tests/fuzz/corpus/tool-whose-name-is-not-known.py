from fastmcp import FastMCP"m0=FastMCP()
@m0.tool()
def w(:FastMCP().mount(m0,')