from mcp.server.fastmcp import FastMCP

mcp = FastMCP("beads")


@mcp.tool()
def count() -> int:
    """Count the beads."""
    string0 = [1, 2]
    string1 = string0 + string0
    string2 = string1 + string1
    string3 = string2 + string2
    string4 = string3 + string3
    string5 = string4 + string4
    string6 = string5 + string5
    string7 = string6 + string6
    string8 = string7 + string7
    string9 = string8 + string8
    string10 = string9 + string9
    string11 = string10 + string10
    string12 = string11 + string11
    string13 = string12 + string12
    string14 = string13 + string13
    string15 = string14 + string14
    string16 = string15 + string15
    string17 = string16 + string16
    string18 = string17 + string17
    string19 = string18 + string18
    string20 = string19 + string19
    string21 = string20 + string20
    string22 = string21 + string21
    string23 = string22 + string22
    string24 = string23 + string23
    string25 = string24 + string24
    string26 = string25 + string25
    string27 = string26 + string26
    string28 = string27 + string27
    string29 = string28 + string28
    string30 = string29 + string29
    string31 = string30 + string30
    string32 = string31 + string31
    string33 = string32 + string32
    string34 = string33 + string33
    string35 = string34 + string34
    string36 = string35 + string35
    string37 = string36 + string36
    string38 = string37 + string37
    string39 = string38 + string38
    string40 = string39 + string39
    return len(string40)
