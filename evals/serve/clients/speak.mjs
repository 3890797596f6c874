// Calls tools by a TypeScript SDK and writes what its user gets: node speak.mjs v1|v2 < session.json > outcomes.json
//
// A session is {stdio: {command, args, cwd, env}} or {url}, with {calls: [{tool, arguments}], long: {tool, arguments} | null}.
// `long` is called twice: for the progress that is told, and to cancel it after the first notification.
import { readFileSync } from "node:fs";

const session = JSON.parse(readFileSync(0, "utf8"));
const { Client, Stdio, Http } = await loaded(process.argv[2]);
const client = new Client({ name: "eval", version: "1" });
await client.connect(session.url ? new Http(new URL(session.url)) : new Stdio({ ...session.stdio, stderr: "inherit" }));
await client.listTools(); // from here on the client knows each tool's output schema

const outcomes = [];
for (const call of session.calls) outcomes.push(await outcome(call));
const told = session.long ? await progress(session.long) : null;
const cancelled = session.long ? await cancel(session.long) : null;
await client.close();
process.stdout.write(JSON.stringify({ outcomes, told, cancelled }));

async function loaded(version) {
  if (version === "v1") {
    const { Client } = await import("sdk-v1/client/index.js");
    const { StdioClientTransport } = await import("sdk-v1/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("sdk-v1/client/streamableHttp.js");
    return { Client, Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport };
  }
  const { Client, StreamableHTTPClientTransport } = await import("sdk-v2");
  const { StdioClientTransport } = await import("sdk-v2/stdio");
  return { Client, Stdio: StdioClientTransport, Http: StreamableHTTPClientTransport };
}

// Version 1 takes the schema of the result as a second argument, version 2 does not.
function called({ tool, arguments: given }, options) {
  const request = { name: tool, arguments: given };
  return process.argv[2] === "v1" ? client.callTool(request, undefined, options) : client.callTool(request, options);
}

async function outcome(call) {
  try {
    const result = await called(call, {});
    const text = result.content.map((each) => each.text).join("\n");
    return { failed: result.isError === true, text, structured: result.structuredContent !== undefined };
  } catch (error) {
    return { thrown: String(error.message) };
  }
}

async function progress(call) {
  const told = [];
  await called(call, { onprogress: (each) => told.push(each) });
  return told;
}

async function cancel(call) {
  const stop = new AbortController();
  try {
    await called(call, { signal: stop.signal, onprogress: () => stop.abort() });
    return false;
  } catch {
    return true;
  }
}
