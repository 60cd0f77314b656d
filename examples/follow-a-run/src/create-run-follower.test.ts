import { mkdtempSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPipelineClient } from "@wye/pipeline-client";
import { startFakePipelineServer } from "@wye/pipeline-client/testing";
import { parsePipeline } from "@wye/pipeline-spec";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createRunFollower } from "./create-run-follower.js";
import { tellOfLocalRun } from "./tell-of-local-run.js";
import type { Told } from "./told.js";

const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
const file = readFileSync(new URL("../pipelines/nightly.yaml", import.meta.url));
let server: Server;
let origin: string;

beforeEach(async () => {
  const handler = createRunFollower({ prefix: "/follow", publicFolder, stepMs: 5, pollMs: 5 });
  server = createServer((request, response) =>
    handler(request, response, () => response.writeHead(404).end("none")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/follow`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function ask(asked: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof asked === "string" ? asked : JSON.stringify(asked);
  return fetch(`${origin}/follow`, { method: "POST", body, headers });
}

async function toldOf(asked: unknown): Promise<readonly Told[]> {
  const lines = (await (await ask(asked)).text()).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Told);
}

test("a run on this machine is told from its graph to its end", async () => {
  const [drawing, ...pictures] = await toldOf({ host: "", run: "" });
  expect(drawing).toMatchObject({ kind: "drawing", svg: expect.stringContaining('data-box="/train"') });
  const last = pictures.at(-1);
  expect(last).toMatchObject({ kind: "picture", state: "SUCCEEDED", isFinal: true });
  const notes = new Map(last?.kind === "picture" ? last.notes : []);
  expect([...notes].map(([box, { state }]) => [box, state]).sort()).toEqual(
    ["clean", "collect", "describe", "publish", "tidy", "train"].map((name) => [`/${name}`, "SUCCEEDED"]),
  );
});

describe("a run on this machine of which nobody reads any more", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "wye-follower-"));
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmdirSync(folder);
    });
  });
  const parsed = parsePipeline(file);
  // Its tasks would take for ever.
  const stepMs = 2 ** 30;

  async function begun(signal: AbortSignal): Promise<AsyncGenerator<Told, void>> {
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const told = tellOfLocalRun(parsed.pipeline, { signal, stepMs });
    let seen: Told | undefined;
    for (let isRunning = false; !isRunning; ) {
      seen = (await told.next()).value ?? undefined;
      const notes = seen?.kind === "picture" ? seen.notes : [];
      isRunning = notes.some(([box, { state }]) => box === "/collect" && state === "RUNNING");
    }
    expect(seen).toMatchObject({ state: "RUNNING", isFinal: false });
    expect(readdirSync(folder)).toHaveLength(1);
    return told;
  }

  test("is stopped, and leaves nothing, when the reader leaves", async () => {
    const told = await begun(new AbortController().signal);
    await told.return(undefined);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is stopped, and leaves nothing, when the page is closed", async () => {
    const closed = new AbortController();
    const told = await begun(closed.signal);
    closed.abort();
    let last: Told | undefined;
    for await (const one of told) last = one;
    expect(last).toMatchObject({ kind: "picture", state: "CANCELLED", isFinal: true });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("on a server that is entered", () => {
  test("a run is found by name, with the token, and why it failed is told", async () => {
    const cluster = await startFakePipelineServer({
      plan: () => [{ afterMs: 0, state: "FAILED", message: "no rows today", tasks: { collect: "FAILED" } }],
    });
    try {
      const client = createPipelineClient({ host: cluster.url });
      const { version } = await client.pipelines.upload(file);
      await client.runs.create({ pipeline: version.pipelineId, name: "tonight" });
      const told = await toldOf({ host: cluster.url, run: " tonight ", token: "secret" });
      expect(told.map(({ kind }) => kind)).toEqual(["drawing", "picture"]);
      expect(told[1]).toMatchObject({ name: "tonight", state: "FAILED", isFinal: true });
      expect(JSON.stringify(told)).not.toContain("secret");
    } finally {
      await cluster.close();
    }
  });

  test.each([
    ["no run is named", { host: "http://127.0.0.1:1" }, "Which run?"],
    ["a run is not there", "absent", "absent"],
    ["an address is none", { host: "http://", run: "a" }, "host"],
    ["a field is no text", { host: 5 }, "host must be a text"],
    ["the request is no JSON", "{", "not JSON"],
    ["the request is too long", { host: "", token: "x".repeat(20_000) }, "too long"],
  ])("it is said that %s", async (_, asked, says) => {
    const cluster = await startFakePipelineServer();
    try {
      const told = await toldOf(asked === "absent" ? { host: cluster.url, run: "absent" } : asked);
      expect(told).toEqual([{ kind: "problem", message: expect.stringContaining(says) }]);
    } finally {
      await cluster.close();
    }
  });

  test("a page that goes away takes the question under way with it", async () => {
    const cluster = await startFakePipelineServer({ plan: () => [{ afterMs: 0, state: "RUNNING" }] });
    let isHeld = false;
    const arrivals: ServerResponse[] = [];
    const held = createServer((request, response) => {
      if (isHeld) arrivals.push(response);
      else cluster.handler(request, response);
    });
    await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve));
    const host = `http://127.0.0.1:${(held.address() as AddressInfo).port}`;
    try {
      const client = createPipelineClient({ host });
      const { runId } = await client.runs.create({ file });
      const page = new AbortController();
      const body = JSON.stringify({ host, run: runId });
      const response = await fetch(`${origin}/follow`, { method: "POST", body, signal: page.signal });
      await response.body?.getReader().read();
      isHeld = true;
      await expect.poll(() => arrivals.length).toBe(1);
      page.abort();
      await expect.poll(() => arrivals[0]?.closed).toBe(true);
      // A question that was given up for want of an answer would be asked again within half a second.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(arrivals).toHaveLength(1);
    } finally {
      held.closeAllConnections();
      held.close();
      await cluster.close();
    }
  });
});

test.each([
  [{ "sec-fetch-site": "cross-site" }],
  [{ origin: "http://elsewhere.example" }],
  [{ origin: "null" }],
])("no page of another site has anything asked: %o", async (headers) => {
  expect((await ask({ host: "", run: "" }, headers)).status).toBe(403);
});

test.each(["elsewhere", "follow/"])("what is not there goes on: %s", async (path) => {
  expect(await (await fetch(`${origin}/${path}`)).text()).toBe("none");
});
