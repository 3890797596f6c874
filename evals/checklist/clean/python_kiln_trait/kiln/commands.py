"""Commands that the server runs."""

import asyncio
import subprocess


async def simulated(text: str) -> str:
    """Run the simulator; it ends with the call."""
    command = await asyncio.create_subprocess_exec("kilnsim", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        out, _ = await asyncio.wait_for(command.communicate(text.encode()), 60)
    finally:
        if command.returncode is None:
            command.kill()
    return out.decode()


async def history(name: str) -> str:
    """Give what changed in a plan."""
    return await asyncio.to_thread(_git, "log", "--oneline", "-n", "20", "--", f"{name}.plan")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, timeout=30, check=True)
    return done.stdout
