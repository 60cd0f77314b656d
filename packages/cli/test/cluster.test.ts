import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createPipelineClient } from "@wye/pipeline-client";
import { type FakePipelineServerOptions, startFakePipelineServer } from "@wye/pipeline-client/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderWith, makeFolder, shellPipeline, wye } from "./run-program.js";

const pipeline = shellPipeline(`printf "$2 $3" > "$1"`);

/** A server whose runs end at once, and the arguments that name it. */
async function startServer(options: FakePipelineServerOptions = {}) {
  const server = await startFakePipelineServer({
    plan: ({ parameters }) => [
      { afterMs: 0, state: "RUNNING", tasks: { only: "RUNNING" } },
      parameters.text === "bad"
        ? { afterMs: 1, state: "FAILED", tasks: { only: "FAILED" } }
        : { afterMs: 1, state: "SUCCEEDED", tasks: { only: "SUCCEEDED" } },
    ],
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, at: ["--host", server.url] as const, client: createPipelineClient({ host: server.url }) };
}

const submit = (...args: readonly string[]) => wye(["pipeline", "submit", "-", ...args], { input: pipeline });

describe("submit", () => {
  test("starts a run and prints its id alone, for scripts", async () => {
    const { at, client, server } = await startServer();
    const args = [
      "-p",
      "count=3",
      "--name",
      "trial",
      "--root",
      "gs://bucket/folder",
      "--service-account",
      "me",
    ];
    const { code, out, err } = await submit(...at, ...args);
    const run = await client.runs.get(out.trim());
    expect(code).toBe(0);
    expect(run).toMatchObject({
      displayName: "trial",
      serviceAccount: "me",
      runtimeConfig: { parameters: { count: 3 }, pipelineRoot: "gs://bucket/folder" },
    });
    expect(err).toBe(`started: ${server.url}/#/runs/details/${run.runId}\n`);
  });

  test("follows it with --wait, and ends as it does", async () => {
    const { at } = await startServer();
    const good = await submit(...at, "--wait");
    expect([good.code, good.err]).toEqual([0, expect.stringMatching(/only/)]);
    const bad = await submit(...at, "--wait", "-p", "text=bad");
    expect(bad.code).toBe(1);
    expect(bad.err).toMatch(/wye: the run .* has ended as FAILED: task "only" failed\n {5}http/);
  });

  test("prints lines of JSON", async () => {
    const { at } = await startServer();
    const { code, out } = await submit(...at, "--wait", "--json");
    const [started, ...updates] = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, started]).toMatchObject([0, { run: expect.any(String), link: expect.any(String) }]);
    expect(updates.at(-1)).toMatchObject({ run: started.run, state: "SUCCEEDED", isFinal: true });
  });

  test("sends nothing that has mistakes", async () => {
    const { at, server } = await startServer();
    const broken = await wye(["pipeline", "submit", "-", ...at], {
      input: pipeline.replace('"componentRef"', '"componentReff"'),
    });
    expect([broken.code, broken.out]).toEqual([1, ""]);
    expect(broken.err).toContain("<stdin>:1:");
    const misspelt = await submit(...at, "-p", "coumt=3");
    expect([misspelt.code, misspelt.err]).toEqual([2, expect.stringContaining("did you mean count?")]);
    const wrong = await submit(...at, "-p", 'count="x"');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("count")]);
    expect(server.store.runs.size).toBe(0);
  });

  test.each([
    ["nobody listens", "http://127.0.0.1:9", /127\.0\.0\.1:9/],
    ["the address is none", "http://", /host/],
  ])("says in a line when %s", async (_, host, message) => {
    const { code, out, err } = await submit("--host", host);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  test("says how to name a server when there is none", async () => {
    const { code, err } = await wye(["pipeline", "submit", "-"], {
      input: pipeline,
      env: { KUBECONFIG: `${makeFolder()}/none` },
    });
    expect([code, err]).toEqual([2, expect.stringContaining("--host http://localhost:8888")]);
  });
});

describe("runs", () => {
  test("lists the latest first, as many as are wanted", async () => {
    let now = 1_700_000_000_000;
    const { at, client } = await startServer({ now: () => now });
    const empty = await wye(["pipeline", "runs", ...at]);
    expect([empty.code, empty.out, empty.err]).toEqual([0, "", "no runs\n"]);
    for (const [name, text] of [
      ["first", "a"],
      ["second", "bad"],
      ["third", "c"],
    ]) {
      now += 60_000;
      await client.runs.create({ file: pipeline, name, parameters: { text } });
    }
    now += 60_000;
    const names = async (...args: readonly string[]) =>
      (await wye(["pipeline", "runs", ...at, ...args])).out
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/).at(-1));
    expect(await names()).toEqual(["third", "second", "first"]);
    expect(await names("--limit", "2")).toEqual(["third", "second"]);
    expect(await names("--state", "failed")).toEqual(["second"]);
    expect(await names("--experiment", "Default")).toHaveLength(3);
    const { out } = await wye(["pipeline", "runs", ...at, "--limit", "1", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ displayName: "third", state: "SUCCEEDED" });
    const [line] = (await wye(["pipeline", "runs", ...at])).out.split("\n");
    expect(line).toMatch(/^[0-9a-f-]{36} {2}SUCCEEDED {3}2023-11-14T22:16:20Z {2}third$/);
  });
});

test("runs in a state that there is not are no empty list", async () => {
  const { at } = await startServer();
  const { code, out, err } = await wye(["pipeline", "runs", ...at, "--state", "faild"]);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining("It is one of PENDING, RUNNING,")]);
});

describe("wait and cancel", () => {
  test("name a run by its name or its id, and end as it does", async () => {
    const { at, client } = await startServer();
    const { runId } = await client.runs.create({ file: pipeline, name: "well" });
    await client.runs.create({ file: pipeline, name: "ill", parameters: { text: "bad" } });
    const well = await wye(["pipeline", "wait", "well", ...at]);
    expect([well.code, well.out, well.err]).toEqual([0, "", expect.stringContaining("has succeeded: http")]);
    expect((await wye(["pipeline", "wait", runId, ...at, "--json"])).out).toContain('"SUCCEEDED"');
    expect((await wye(["pipeline", "wait", "ill", ...at])).code).toBe(1);
    const missing = await wye(["pipeline", "wait", "none", ...at]);
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("none")]);
  });

  test("an interrupted wait leaves the run alone", async () => {
    const { at, client } = await startServer({ plan: () => [] });
    const { runId } = await client.runs.create({ file: pipeline, name: "long" });
    const controller = new AbortController();
    const ended = wye(["pipeline", "wait", runId, ...at], { interrupted: controller.signal });
    controller.abort();
    const { code } = await ended;
    expect(code).toBe(130);
    expect((await client.runs.get(runId)).state).not.toMatch(/CANCEL|FAILED/);
  });

  test("cancel ends a run, and with --wait it is over", async () => {
    const { at, client } = await startServer({
      plan: () => [
        { afterMs: 0, state: "RUNNING" },
        { afterMs: 3_600_000, state: "SUCCEEDED" },
      ],
    });
    const { runId } = await client.runs.create({ file: pipeline, name: "long" });
    const { code, err } = await wye(["pipeline", "cancel", "long", "--wait", ...at]);
    expect([code, err]).toEqual([0, expect.stringMatching(/asked to end: [\s\S]* was terminated/)]);
    expect((await client.runs.get(runId)).state).toBe("FAILED");
  });

  test("cancel without --wait ends a run, and says no more of it", async () => {
    const { at, client, server } = await startServer({
      plan: () => [
        { afterMs: 0, state: "RUNNING" },
        { afterMs: 3_600_000, state: "SUCCEEDED" },
      ],
    });
    const { runId } = await client.runs.create({ file: pipeline, name: "long" });
    expect(await wye(["pipeline", "cancel", "long", ...at])).toMatchObject({
      code: 0,
      err: `asked to end: ${server.url}/#/runs/details/${runId}\n`,
    });
  });
});

test("a run that the user has ended is not said to have failed by itself, however soon it is over", async () => {
  const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";
  let isAsked = false;
  const server = createServer(({ url = "" }, response) => {
    isAsked ||= url.endsWith(":terminate");
    const run = { run_id: id, display_name: "r", state: isAsked ? "FAILED" : "RUNNING" };
    response.setHeader("content-type", "application/json").end(JSON.stringify(run));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cancelled = await wye(["pipeline", "cancel", id, "--wait", "--host", host]);
  expect([cancelled.code, cancelled.err]).toEqual([0, expect.stringContaining("was terminated")]);
  const waited = await wye(["pipeline", "wait", id, "--host", host]);
  expect([waited.code, waited.err]).toEqual([1, expect.stringContaining("has ended as FAILED")]);
});

test("cancel tells of a run that has ended how it has", async () => {
  const { at, client } = await startServer();
  await client.runs.create({ file: pipeline, name: "well" });
  for (const more of [[], ["--wait"]]) {
    const { code, err } = await wye(["pipeline", "cancel", "well", ...more, ...at]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^it has already ended as SUCCEEDED: http/)]);
  }
});

describe("logs", () => {
  const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";
  const taskDetails = [
    { task_id: "1", display_name: "fetch", pod_name: "pod-1" },
    // What comes after a step: of which one it is nobody tells, but for the first.
    { task_id: "2", display_name: "start", child_tasks: [{ pod_name: "pod-1" }, { pod_name: "pod-2" }] },
    { task_id: "3", display_name: "train", child_tasks: [{ pod_name: "pod-2" }, { pod_name: "pod-gone" }] },
  ];

  /** A server with one run, whose page has the logs of pods. */
  async function startWithLogs(steps: readonly object[] = taskDetails): Promise<readonly string[]> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://any");
      const pod = searchParams.get("podname") ?? "";
      if (pathname === `/apis/v2beta1/runs/${id}`)
        response.end(JSON.stringify({ run_id: id, run_details: { task_details: steps } }));
      else if (pathname === "/k8s/pod/logs" && pod !== "pod-gone") response.end(`log of ${pod}`);
      else response.writeHead(404).end("not there");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return ["--host", `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  }

  test("of one step stands alone", async () => {
    const at = await startWithLogs();
    expect(await wye(["pipeline", "logs", id, "fetch", ...at])).toEqual({
      code: 0,
      out: "log of pod-1\n",
      err: "",
    });
  });

  test("of all steps have headings; those that are gone do not keep the others", async () => {
    const at = await startWithLogs();
    const { code, out, err } = await wye(["pipeline", "logs", id, ...at]);
    expect(code).toBe(1);
    expect(out.split("\n")).toEqual([
      ...["==> fetch (pod-1) <==", "log of pod-1"],
      ...["==> pod-2 <==", "log of pod-2"],
      ...["==> pod-gone <==", ""],
    ]);
    expect(err).toMatch(/^wye: pod-gone: .*404/);
  });

  test("are lines of JSON with --json, each with its pod", async () => {
    const at = await startWithLogs();
    const { code, out, err } = await wye(["pipeline", "logs", id, "--json", ...at]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^wye: pod-gone: /)]);
    const lines = out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { run: id, step: "fetch", pod: "pod-1", log: "log of pod-1" },
      { run: id, pod: "pod-2", log: "log of pod-2" },
    ]);
  });

  test.each([
    ["fetsh", "did you mean fetch?"],
    ["quite another", "it has fetch, start, train"],
    ["train", "does not tell in which pod"],
    ["pod-2", "it has fetch, start, train"],
  ])("of a step %s that there is not: says what there is", async (step, help) => {
    const at = await startWithLogs();
    const { code, err } = await wye(["pipeline", "logs", id, step, ...at]);
    expect([code, err]).toEqual([2, expect.stringContaining(help)]);
  });

  test("of a run without pods are missed, whichever step is wanted", async () => {
    const at = await startWithLogs([{ task_id: "1", display_name: "fetch" }]);
    for (const step of [[], ["fetch"], ["fetsh"]]) {
      const { code, err } = await wye(["pipeline", "logs", id, ...step, ...at]);
      const message = `wye: the server tells of no steps of the run ${id} that have a log\n`;
      expect([code, err]).toEqual([2, message]);
    }
  });
});

test("of a step without a name its id is shown, and of one without either its pod alone", async () => {
  const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";
  const task_details = [
    { task_id: "t1", pod_name: "pod-1" },
    { pod_name: "pod-2" },
    { task_id: "t3", display_name: "", pod_name: "pod-3" },
  ];
  const server = createServer(({ url = "" }, response) => {
    if (url.startsWith("/k8s")) response.end("a log\n");
    else response.end(JSON.stringify({ run_id: id, run_details: { task_details } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, out } = await wye(["pipeline", "logs", id, "--host", host]);
  const headings = ["t1 (pod-1)", " (pod-2)", "t3 (pod-3)"].map((heading) => `==> ${heading} <==\n`);
  expect([code, out]).toEqual([0, headings.map((heading) => `${heading}a log\n`).join("")]);
});

describe("what cannot be meant", () => {
  test.each([
    [["wait", ""]],
    [["cancel", ""]],
    [["logs", ""]],
    [["submit", "-", "--experiment", ""]],
    [["runs", "--experiment", ""]],
    [["submit", "-", "--name", ""]],
    [["submit", "-", "--root", ""]],
    [["runs", "--token-file", ""]],
  ])("is told in a line: wye pipeline %j", async (args) => {
    const { at, server } = await startServer();
    const { code, err } = await wye(["pipeline", ...args, ...at], { input: pipeline });
    expect(code).toBe(2);
    expect(err).toMatch(/^wye: .*It is empty\.\n/);
    expect(server.store.runs.size).toBe(0);
  });
});

test("nothing that a server says moves the cursor", async () => {
  const odd = "a\u001b]0;x\u0007\nb";
  const run = {
    ...{ run_id: odd, display_name: odd, state: odd, created_at: "2026-01-01T00:00:00Z" },
    run_details: {
      task_details: [
        { task_id: "1", display_name: "one", pod_name: odd },
        { task_id: "2", display_name: "two", pod_name: "second" },
      ],
    },
  };
  const server = createServer(({ url = "" }, response) => {
    if (url.startsWith("/k8s")) response.end("a log\n");
    else response.end(JSON.stringify(/runs[/]/.test(url) ? { ...run, run_id: "x" } : { runs: [run] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = ["--host", `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  for (const args of [["runs"], ["logs", "x"]]) {
    const { out, err } = await wye(["pipeline", ...args, ...at]);
    expect(out).toContain("a\\x1b]0;x\\x07\\x0ab");
    expect(`${out}${err}`.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  }
});

test("a cluster whose token another program gives is asked with that of a file", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers.authorization);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  const config = {
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: "u", user: { exec: { command: "gke-gcloud-auth-plugin" } } }],
  };
  const { cwd } = folderWith({ config: JSON.stringify(config), token: "mine\n" });
  const host = { cwd, env: { KUBECONFIG: join(cwd, "config") } };
  const without = await wye(["pipeline", "runs"], host);
  expect([without.code, without.err]).toEqual([2, expect.stringContaining("here: --token-file FILE")]);
  expect((await wye(["pipeline", "runs", "--token-file", join(cwd, "token")], host)).code).toBe(0);
  expect(asked).toEqual(["Bearer mine"]);
});
