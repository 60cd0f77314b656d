import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

// What a server is asked, and users that do not wait for its answer.

const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";

/** The arguments that name a server which answers like this, or not at all. */
async function serverThat(answers: RequestListener): Promise<readonly string[]> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return ["--host", `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

test.each(["runs", "wait", "logs", "cancel"])(
  "whoever interrupts %s while a server takes its time is not kept",
  async (command) => {
    const stop = new AbortController();
    const at = await serverThat(() => stop.abort());
    const run = command === "runs" ? [] : [id];
    const { code, out } = await wye(["pipeline", command, ...run, ...at], { interrupted: stop.signal });
    expect([code, out]).toEqual([130, ""]);
  },
);

test.each([
  ["logs", []],
  ["cancel", []],
  ["cancel", ["--wait"]],
])("whoever interrupts %s %j once the run was found is not kept either", async (command, more) => {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const at = await serverThat(({ method, url = "" }, response) => {
    asked.push(method);
    if (asked.length > 1) return stop.abort();
    const run_details = { task_details: [{ task_id: "t1", pod_name: "pod-1" }] };
    response.end(JSON.stringify({ run_id: id, state: "RUNNING", run_details, url }));
  });
  const host = { interrupted: stop.signal };
  expect(await wye(["pipeline", command, id, ...more, ...at], host)).toEqual({ code: 130, out: "", err: "" });
  expect(asked).toEqual(["GET", command === "logs" ? "GET" : "POST"]);
});

test("whoever waits no longer for the end of a run that was asked to end is told that it goes on", async () => {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const at = await serverThat(({ method }, response) => {
    asked.push(method);
    if (asked.length > 2) stop.abort();
    else response.end(JSON.stringify({ run_id: id, state: "RUNNING" }));
  });
  const host = { interrupted: stop.signal };
  const { code, err } = await wye(["pipeline", "cancel", id, "--wait", ...at], host);
  expect([code, asked]).toEqual([130, ["GET", "POST", "GET"]]);
  expect(err).toContain("asked to end: ");
  expect(err).toContain("the run goes on: ");
});

test.each([
  ["5", "5"],
  ["200", "200"],
  ["201", "200"],
])("of %s runs a server is asked for %s at a time", async (limit, size) => {
  const asked: string[] = [];
  const at = await serverThat(({ url = "" }, response) => {
    asked.push(new URL(url, "http://x").searchParams.get("page_size") ?? "");
    response.end("{}");
  });
  expect((await wye(["pipeline", "runs", "--limit", limit, ...at])).err).toBe("no runs\n");
  expect(asked).toEqual([size]);
});

test("whoever interrupts a start is told the id that the run would have", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const at = await serverThat(async (request) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    asked.push(String(JSON.parse(String(Buffer.concat(parts))).run_id));
    stop.abort();
  });
  const { code, out, err } = await wye(["pipeline", "submit", "-", ...at], {
    input: shellPipeline(`printf "$2 $3" > "$1"`),
    interrupted: stop.signal,
  });
  expect([code, out]).toEqual([130, ""]);
  expect(err).toContain(`the run may have been started: wye pipeline wait ${asked[0]}`);
});

/** What the specification of a run that is submitted with these options has of its task, and how the program ends. */
async function submitted(input: string, ...args: readonly string[]) {
  const bodies: {
    readonly pipeline_spec?: { readonly root: { readonly dag: { readonly tasks: object } } };
  }[] = [];
  const at = await serverThat(async (request, response) => {
    if (request.method === "POST") bodies.push((await json(request)) as (typeof bodies)[0]);
    response.end(JSON.stringify({ run_id: id, display_name: "r", state: "PENDING" }));
  });
  const ended = await wye(["pipeline", "submit", "-", ...at, ...args], { input });
  return { ended, tasks: bodies.map((body) => JSON.stringify(body.pipeline_spec?.root.dag.tasks)) };
}

test("tasks decide for themselves whether they take results of earlier runs, unless they are to take none", async () => {
  const cached = shellPipeline("true").replace(
    '"taskInfo":{"name":"only"}',
    '"taskInfo":{"name":"only"},"cachingOptions":{"enableCache":true}',
  );
  for (const input of [cached, cached.replace('"enableCache":true', '"enableCache":false')]) {
    const isCached = input === cached;
    const { tasks } = await submitted(input);
    expect(tasks.map((text) => /"enableCache":true/.test(text))).toEqual([isCached]);
    const without = await submitted(input, "--no-cache");
    expect(without.tasks.map((text) => /"enableCache":true/.test(text))).toEqual([false]);
  }
});

test("what a file that is a run lacks may stand on the command line", async () => {
  const pipelineSpec = JSON.parse(shellPipeline("true"));
  pipelineSpec.root.inputDefinitions.parameters.text = { parameterType: "STRING" };
  const run = { display_name: "r", pipeline_spec: pipelineSpec, runtime_config: { parameters: {} } };
  const { ended } = await submitted(JSON.stringify(run), "-p", "text=x");
  expect(ended).toMatchObject({ code: 0, out: `${id}\n` });
});

test("a run is printed as it was started, in lines or as JSON", async () => {
  const { ended } = await submitted(shellPipeline("true"));
  expect([ended.code, ended.out, ended.err]).toEqual([0, `${id}\n`, expect.stringMatching(/^started: http/)]);
  const { ended: inJson } = await submitted(shellPipeline("true"), "--json");
  const link = expect.stringContaining(id);
  expect([JSON.parse(inJson.out), inJson.err]).toEqual([{ run: id, name: "r", state: "PENDING", link }, ""]);
});

test("of several clusters in a kubeconfig that is asked which is named", async () => {
  const asked: string[] = [];
  const url = async (name: string) => {
    const [, host = ""] = await serverThat((_, response) => {
      asked.push(name);
      response.end("{}");
    });
    return host;
  };
  const config = {
    "current-context": "one",
    contexts: ["one", "two"].map((name) => ({ name, context: { cluster: name, user: "u" } })),
    clusters: [
      { name: "one", cluster: { server: await url("one") } },
      { name: "two", cluster: { server: await url("two") } },
    ],
    users: [{ name: "u", user: { token: "t" } }],
  };
  const { cwd } = folderWith({ config: JSON.stringify(config) });
  const host = { cwd, env: { KUBECONFIG: `${cwd}/config` } };
  for (const more of [[], ["--kube-context", "two"]])
    expect((await wye(["pipeline", "runs", ...more], host)).err).toBe("no runs\n");
  expect(asked).toEqual(["one", "two"]);
});

test("a log without a last line break gets one, and one that is empty none", async () => {
  const logs = ["", "text", "line\n"];
  for (const log of logs) {
    const at = await serverThat(({ url = "" }, response) => {
      const run_details = { task_details: [{ task_id: "t1", pod_name: "pod-1" }] };
      response.end(url.startsWith("/k8s") ? log : JSON.stringify({ run_id: id, run_details }));
    });
    const { out } = await wye(["pipeline", "logs", id, ...at]);
    expect(out).toBe(log === "text" ? "text\n" : log);
  }
});

test("of runs what is not told is left empty, and times are told to the second", async () => {
  const at = await serverThat((_, response) => {
    const runs = [
      { run_id: "one", display_name: "first", state: "RUNNING", created_at: "2026-01-02T03:04:05.678Z" },
      { run_id: "two" },
    ];
    response.end(JSON.stringify({ runs }));
  });
  const { out } = await wye(["pipeline", "runs", ...at]);
  expect(out).toBe(`one${" ".repeat(35)}RUNNING     2026-01-02T03:04:05Z  first\ntwo\n`);
});

test("no experiment is made on a server that has nothing of what is asked", async () => {
  const asked: unknown[] = [];
  const at = await serverThat(({ method }, response) => {
    asked.push(method);
    response.writeHead(404).end("not there");
  });
  const args = ["pipeline", "submit", "-", ...at, "--experiment", "nightly"];
  const { code, err } = await wye(args, { input: shellPipeline("true") });
  expect([code, err]).toEqual([2, expect.stringMatching(/^wye: .*404/)]);
  expect(new Set(asked)).toEqual(new Set(["GET"]));
});

test("an experiment is made for a run only where the server says that there is none", async () => {
  const asked: unknown[] = [];
  const at = await serverThat(({ method }, response) => {
    asked.push(method);
    response.writeHead(404).end("404 page not found");
  });
  const input = shellPipeline(`printf "$2 $3" > "$1"`);
  const { code, err } = await wye(["pipeline", "submit", "-", "--experiment", "nightly", ...at], { input });
  expect([code, asked]).toEqual([2, ["GET"]]);
  expect(err).not.toContain("made the experiment");
});

describe("logs of a run", () => {
  const steps = (...details: readonly object[]) =>
    JSON.stringify({ run_id: id, run_details: { task_details: details } });

  test("are printed behind one that is gone", async () => {
    const pods = ["pod-gone", "pod-1"].map((pod_name) => ({ display_name: "train", pod_name }));
    const at = await serverThat(({ url = "" }, response) => {
      if (url.includes("pod-gone")) response.writeHead(404).end("not there");
      else response.end(url.startsWith("/k8s") ? "a log\n" : steps(...pods));
    });
    const { code, out } = await wye(["pipeline", "logs", id, ...at]);
    expect([code, out]).toEqual([1, "==> train (pod-gone) <==\n==> train (pod-1) <==\na log\n"]);
    const other = await wye(["pipeline", "logs", id, "x", ...at]);
    expect(other.err).toContain("it has train\n");
  });

  test("are left to kubectl where one is larger than memory can well hold", async () => {
    const body = () =>
      new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(2 ** 28 + 1)) });
    const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (url) => {
      return new Response(String(url).includes("/k8s") ? body() : steps({ pod_name: "pod-1" }));
    });
    onTestFinished(() => fetch.mockRestore());
    const { code, err } = await wye(["pipeline", "logs", id, "--host", "http://kfp.example"]);
    expect([code, err]).toEqual([
      1,
      "wye: pod-1: its log has more than 256 MiB: read it with kubectl logs\n",
    ]);
  });
});
