from mcp.server.fastmcp import FastMCP

mcp = FastMCP("kilns")


def k0(heat):
    return k0(heat) + k1(heat) + k2(heat) + k3(heat) + k4(heat)


def k1(heat):
    return k5(heat) + k6(heat) + k7(heat) + k8(heat) + k9(heat)


def k2(heat):
    return k10(heat) + k11(heat) + k12(heat) + k13(heat) + k14(heat)


def k3(heat):
    return k15(heat) + k16(heat) + k17(heat) + k18(heat) + k19(heat)


def k4(heat):
    return k20(heat) + k21(heat) + k22(heat) + k23(heat) + k24(heat)


def k5(heat):
    return k25(heat) + k26(heat) + k27(heat) + k28(heat) + k29(heat)


def k6(heat):
    return k30(heat) + k31(heat) + k32(heat) + k33(heat) + k34(heat)


def k7(heat):
    return k35(heat) + k0(heat) + k1(heat) + k2(heat) + k3(heat)


def k8(heat):
    return k4(heat) + k5(heat) + k6(heat) + k7(heat) + k8(heat)


def k9(heat):
    return k9(heat) + k10(heat) + k11(heat) + k12(heat) + k13(heat)


def k10(heat):
    return k14(heat) + k15(heat) + k16(heat) + k17(heat) + k18(heat)


def k11(heat):
    return k19(heat) + k20(heat) + k21(heat) + k22(heat) + k23(heat)


def k12(heat):
    return k24(heat) + k25(heat) + k26(heat) + k27(heat) + k28(heat)


def k13(heat):
    return k29(heat) + k30(heat) + k31(heat) + k32(heat) + k33(heat)


def k14(heat):
    return k34(heat) + k35(heat) + k0(heat) + k1(heat) + k2(heat)


def k15(heat):
    return k3(heat) + k4(heat) + k5(heat) + k6(heat) + k7(heat)


def k16(heat):
    return k8(heat) + k9(heat) + k10(heat) + k11(heat) + k12(heat)


def k17(heat):
    return k13(heat) + k14(heat) + k15(heat) + k16(heat) + k17(heat)


def k18(heat):
    return k18(heat) + k19(heat) + k20(heat) + k21(heat) + k22(heat)


def k19(heat):
    return k23(heat) + k24(heat) + k25(heat) + k26(heat) + k27(heat)


def k20(heat):
    return k28(heat) + k29(heat) + k30(heat) + k31(heat) + k32(heat)


def k21(heat):
    return k33(heat) + k34(heat) + k35(heat) + k0(heat) + k1(heat)


def k22(heat):
    return k2(heat) + k3(heat) + k4(heat) + k5(heat) + k6(heat)


def k23(heat):
    return k7(heat) + k8(heat) + k9(heat) + k10(heat) + k11(heat)


def k24(heat):
    return k12(heat) + k13(heat) + k14(heat) + k15(heat) + k16(heat)


def k25(heat):
    return k17(heat) + k18(heat) + k19(heat) + k20(heat) + k21(heat)


def k26(heat):
    return k22(heat) + k23(heat) + k24(heat) + k25(heat) + k26(heat)


def k27(heat):
    return k27(heat) + k28(heat) + k29(heat) + k30(heat) + k31(heat)


def k28(heat):
    return k32(heat) + k33(heat) + k34(heat) + k35(heat) + k0(heat)


def k29(heat):
    return k1(heat) + k2(heat) + k3(heat) + k4(heat) + k5(heat)


def k30(heat):
    return k6(heat) + k7(heat) + k8(heat) + k9(heat) + k10(heat)


def k31(heat):
    return k11(heat) + k12(heat) + k13(heat) + k14(heat) + k15(heat)


def k32(heat):
    return k16(heat) + k17(heat) + k18(heat) + k19(heat) + k20(heat)


def k33(heat):
    return k21(heat) + k22(heat) + k23(heat) + k24(heat) + k25(heat)


def k34(heat):
    return k26(heat) + k27(heat) + k28(heat) + k29(heat) + k30(heat)


def k35(heat):
    return k31(heat) + k32(heat) + k33(heat) + k34(heat) + k35(heat)


@mcp.tool()
def fire(heat: int) -> int:
    """Fire the kilns."""
    return k0(heat)
