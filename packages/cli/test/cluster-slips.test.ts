import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createPipelineClient } from "@wye/pipeline-client";
import { startFakePipelineServer } from "@wye/pipeline-client/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { numbers } from "./numbers-pipeline.js";
import { folderWith, shellPipeline, wye } from "./run-program.js";

// What users get wrong first, and what happens to them.

const pipeline = shellPipeline(`printf "$2 $3" > "$1"`);
const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a port.
  return (server.address() as AddressInfo).port;
}

describe("a server that is none", () => {
  test.each(["wait", "cancel", "logs"])("%s ends when nobody is there, also for an id", async (command) => {
    const { code, err } = await wye(["pipeline", command, id, "--host", "http://127.0.0.1:9"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^wye: no answer: .*127\.0\.0\.1:9/)]);
    expect(err).not.toContain("goes on");
  });

  test.each(["wait", "runs"])(
    "%s ends at once when it speaks http, and no scheme was given",
    async (command) => {
      const port = await listening((_, response) => response.end("{}"));
      const args = ["pipeline", command, ...(command === "wait" ? [id] : []), "--host", `localhost:${port}`];
      const { code, err } = await wye(args);
      expect(code).toBe(2);
      expect(err).toMatch(
        /^wye: no answer: the server does not speak https \(GET https:[^,]*\); write the address with http:/,
      );
    },
  );
});

test("an outage is told while a run is waited for, once, and outlived", async () => {
  let asked = 0;
  const port = await listening((request, response) => {
    asked++;
    // Seen once, then away for longer than a hiccup.
    if (asked > 2 && asked < 8) request.socket.destroy();
    else {
      const state = asked < 8 ? "RUNNING" : "SUCCEEDED";
      response.setHeader("content-type", "application/json").end(JSON.stringify({ run_id: id, state }));
    }
  });
  const { code, err } = await wye(["pipeline", "wait", id, "--host", `http://127.0.0.1:${port}`]);
  expect(code).toBe(0);
  expect(err.match(/^wye: no answer: .*; trying again$/gm)).toHaveLength(1);
  expect(err).toContain("the run has succeeded");
});

describe("on a server with several users", () => {
  async function multiUser() {
    const server = await startFakePipelineServer({
      multiUser: true,
      plan: () => [{ afterMs: 0, state: "SUCCEEDED" }],
    });
    onTestFinished(() => server.close());
    const { cwd } = folderWith({ token: "tok\n" });
    const client = createPipelineClient({ host: server.url, namespace: "team", auth: { token: "tok" } });
    return { client, cwd, at: ["--host", server.url, "--token-file", `${cwd}/token`] };
  }

  test("the experiment of a run is made when it is not there, and once", async () => {
    const { at, client } = await multiUser();
    const args = ["pipeline", "submit", "-", ...at, "--namespace", "team", "--experiment", "night\u001bly"];
    const first = await wye(args, { input: pipeline });
    expect([first.code, first.err]).toEqual([
      0,
      expect.stringMatching(/^made the experiment night\\x1bly\nstarted: /),
    ]);
    const second = await wye(args, { input: pipeline });
    expect([second.code, second.err]).toEqual([0, expect.stringMatching(/^started: /)]);
    const { experimentId } = await client.experiments.get("night\u001bly");
    const { items } = await client.runs.list({ experiment: { id: experimentId } }).page();
    expect(items.map(({ runId }) => runId).sort()).toEqual([first.out.trim(), second.out.trim()].sort());
  });

  test("nothing is made for a run with mistakes", async () => {
    const { at, client } = await multiUser();
    const args = ["pipeline", "submit", "-", ...at, "--namespace", "team", "--experiment", "nightly"];
    expect((await wye([...args, "-p", 'count="x"'], { input: pipeline })).code).toBe(2);
    expect((await client.experiments.list().page()).items).toEqual([]);
  });

  test("what is missing is named as the option that it is", async () => {
    const { at } = await multiUser();
    const runs = await wye(["pipeline", "runs", ...at]);
    expect([runs.code, runs.err]).toEqual([2, expect.stringContaining("here: --namespace NAME")]);
    const submit = await wye(["pipeline", "submit", "-", ...at, "--namespace", "team"], { input: pipeline });
    expect([submit.code, submit.err]).toEqual([2, expect.stringContaining("here: --experiment NAME")]);
    const absent = await wye(["pipeline", "runs", ...at.slice(0, 2), "--token-file", "none"]);
    expect([absent.code, absent.err]).toEqual([2, expect.stringContaining("--token-file none")]);
  });
});

test("several states are all looked for", async () => {
  const server = await startFakePipelineServer({
    plan: ({ displayName }) => [{ afterMs: 0, state: displayName }],
  });
  onTestFinished(() => server.close());
  const client = createPipelineClient({ host: server.url });
  for (const name of ["FAILED", "SUCCEEDED", "RUNNING"]) await client.runs.create({ file: pipeline, name });
  const { out } = await wye([
    "pipeline",
    "runs",
    "--host",
    server.url,
    "--state",
    "failed",
    "--state",
    "RUNNING",
  ]);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/)[1])
      .sort(),
  ).toEqual(["FAILED", "RUNNING"]);
});

test.each(["9007199254740993", "9007199254740993.0", "9007199254740993e0"])(
  "an integer that no number holds is refused, however it is written: %s",
  async (value) => {
    const { cwd } = folderWith({ "p.yaml": numbers });
    const args = ["pipeline", "submit", "p.yaml", "-p", `n=${value}`, "--host", "http://127.0.0.1:9"];
    const { code, err } = await wye(args, { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("would become 9007199254740992")]);
  },
);
