from mcp.server.lowlevel import Server
from mcp.types import Tool

app = Server("notes")
tools0 = (Tool(name="keep", description="Keeps a note.", inputSchema={"type": "object"}), unread())
tools1 = (tools0, tools0)
tools2 = (tools1, tools1)
tools3 = (tools2, tools2)
tools4 = (tools3, tools3)
tools5 = (tools4, tools4)
tools6 = (tools5, tools5)
tools7 = (tools6, tools6)
tools8 = (tools7, tools7)
tools9 = (tools8, tools8)
tools10 = (tools9, tools9)
tools11 = (tools10, tools10)
tools12 = (tools11, tools11)
tools13 = (tools12, tools12)
tools14 = (tools13, tools13)
tools15 = (tools14, tools14)
tools16 = (tools15, tools15)
tools17 = (tools16, tools16)
tools18 = (tools17, tools17)
tools19 = (tools18, tools18)
tools20 = (tools19, tools19)
tools21 = (tools20, tools20)
tools22 = (tools21, tools21)
tools23 = (tools22, tools22)
tools24 = (tools23, tools23)
tools25 = (tools24, tools24)
tools26 = (tools25, tools25)
tools27 = (tools26, tools26)
tools28 = (tools27, tools27)
tools29 = (tools28, tools28)
tools30 = (tools29, tools29)


@app.list_tools()
async def tools():
    return tools30


@app.call_tool()
async def call(name, arguments):
    return arguments
