import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createStoreContext } from "@wye/relay/testing";
import { redisBigSegments } from "@wye/relay-redis";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeConfig } from "../test/relay-and-upstream.js";
import { makeFolder, wye } from "../test/run-program.js";

const url = process.env.WYE_REDIS_URL;
const left = url === undefined ? ", left out: WYE_REDIS_URL names no Redis; .ci/run starts one" : "";

const hashOf = (key: string) => createHash("sha256").update(key).digest("base64");
const segment = { key: "big", version: 1, unbounded: true, generation: 1 };
const patch = {
  environmentId: "env",
  segmentId: "big.g1",
  version: "1",
  previousVersion: "",
  changes: { included: { add: [hashOf("ann")] } },
};

/** Upstream with a big segment that has a member. */
async function startUpstream(): Promise<string> {
  const server: Server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://upstream");
    if (pathname === "/sdk/big-segments/revisions")
      return void res.end(JSON.stringify(searchParams.has("after") ? [] : [patch]));
    res.writeHead(200, { "Content-Type": "text/event-stream" }).write(":\n\n");
    const data = { path: "/", data: { flags: {}, segments: { big: segment } } };
    if (pathname === "/all") res.write(`event: put\ndata: ${JSON.stringify(data)}\n\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

async function fill(base: string, prefix: string) {
  const cwd = makeFolder();
  const main = `[Main]\nexitAlways = true\ninitTimeout = 10h\nstreamUri = ${base}\nbaseUri = ${base}\n`;
  writeConfig(
    cwd,
    `${main}[Redis]\nurl = ${url}\n[Environment "a"]\nsdkKey = sdk\nenvId = env\nprefix = ${prefix}\n`,
  );
  return wye(["relay", "--config", "relay.conf"], { cwd });
}

async function membershipsOf(key: string, prefix: string) {
  const store = redisBigSegments({ url: url ?? "", prefix })(createStoreContext());
  const found = await store.memberships(hashOf(key), new AbortController().signal);
  await store.close();
  return found;
}

describe.skipIf(url === undefined)(`exitAlways with members of big segments${left}`, () => {
  test("ends with 0 when they are written, and says nothing of what its end has interrupted", async () => {
    const prefix = `wye-cli-${randomUUID()}`;
    const base = await startUpstream();
    expect(await fill(base, prefix)).toMatchObject({ code: 0, err: "" });
    expect(await membershipsOf("ann", prefix)).toEqual({ included: ["big.g1"], excluded: [] });
  });
});
