import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient, type PipelineClientError } from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";
import { answer, type Scripted, serverOf } from "./scripted-server.js";
import { SkippingClock } from "./skipping-clock.js";

const clientOf = ({ url }: Scripted) => createPipelineClient({ host: url, retry: { baseDelayMs: 0 } });
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "resolved",
    ({ code }: PipelineClientError) => code,
  );

/** What gateways say while the server behind them is away. */
const gateways: readonly (readonly [name: string, body: string])[] = [
  ["nginx", "<html><title>404 Not Found</title><center>nginx</center>"],
  ["Traefik", "404 page not found\n"],
  ["Istio", ""],
  ["the default back end", "default backend - 404"],
  [
    "Kubernetes",
    '{"kind":"Status","status":"Failure","message":"services \\"ml-pipeline\\" not found","code":404}',
  ],
  ["Kong", '{"message":"no Route matched with those values","code":404}'],
  ["a mistaken prefix", '{"code":5,"message":"Not Found"}'],
];

describe.each(gateways)("a 404 of %s is no word of the server", (_, page) => {
  const fromGateway = (response: Parameters<typeof answer>[0]) => {
    response.writeHead(404, { "content-type": "text/plain" }).end(page);
  };

  test("a run that is followed goes on", async () => {
    const states = ["RUNNING", "RUNNING", undefined, undefined, "SUCCEEDED"];
    const server = await serverOf((_request, response, index) => {
      const state = states[index];
      if (state === undefined) fromGateway(response);
      else answer(response, { run_id: "r", state });
    });
    expect((await clientOf(server).runs.wait({ id: "r" }, { minPollMs: 1 })).state).toBe("SUCCEEDED");
  });

  test("a run that was never seen is not waited for", async () => {
    const server = await serverOf((_request, response) => fromGateway(response));
    expect(await codeOf(clientOf(server).runs.wait({ id: "r" }, { minPollMs: 1 }))).toBe("not_found");
  });

  test("nothing was deleted", async () => {
    const server = await serverOf((_request, response, index) => {
      if (index === 0) answer(response, "", 502);
      else fromGateway(response);
    });
    expect(await codeOf(clientOf(server).runs.delete({ id: "r" }))).toBe("not_found");
  });

  test("a text that may be an id is not looked for as a name", async () => {
    const server = await serverOf((_request, response) => fromGateway(response));
    expect(await codeOf(clientOf(server).runs.get("nightly"))).toBe("not_found");
    expect(server.requests).toHaveLength(1);
  });

  test("nothing is made in place of what could not be looked for", async () => {
    const server = await serverOf((_request, response) => fromGateway(response));
    expect(await codeOf(clientOf(server).experiments.ensure("nightly"))).toBe("not_found");
    expect(server.requests.map(({ method }) => method)).toEqual(["GET"]);
  });
});

test("a run that the server itself does not know any more was deleted", async () => {
  const server = await serverOf((_request, response, index) => {
    if (index === 0) answer(response, { run_id: "r", state: "RUNNING" });
    else answer(response, { code: 5, message: "Run r not found" }, 404);
  });
  await expect(clientOf(server).runs.wait({ id: "r" }, { minPollMs: 1 })).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("was deleted while it was followed"),
  });
});

describe("a follower gets over", () => {
  const passing: readonly (readonly [string, () => Response])[] = [
    ...[408, 425, 429, 500, 502, 503, 504, 507, 520, 522, 524, 530].map(
      (status) => [`the status ${status}`, () => new Response("", { status })] as const,
    ),
    ["an empty answer", () => new Response("")],
  ];
  test.each(passing)("%s", async (_, odd) => {
    let asked = 0;
    const fetch = async () => {
      asked++;
      return asked === 2 ? odd() : Response.json({ run_id: "r", state: asked > 3 ? "SUCCEEDED" : "RUNNING" });
    };
    const client = createPipelineClient({ host: "http://x", fetch, retry: false });
    expect((await client.runs.wait({ id: "r" }, { minPollMs: 1 })).state).toBe("SUCCEEDED");
  });

  test("a token that cannot be had for a moment, once it was had", async () => {
    let asked = 0;
    const token = async () => {
      if (++asked === 2) throw new Error("the metadata server is away");
      return "t";
    };
    const fetch = async () => Response.json({ run_id: "r", state: asked > 3 ? "SUCCEEDED" : "RUNNING" });
    const client = createPipelineClient({ host: "http://x", fetch, auth: { token } });
    expect((await client.runs.wait({ id: "r" }, { minPollMs: 1 })).state).toBe("SUCCEEDED");
    asked = 1;
    await expect(client.runs.wait({ id: "r" })).rejects.toMatchObject({ code: "credentials" });
  });
});

test("a version of another pipeline is none of this one, whatever the server says", async () => {
  const server = await startFakePipelineServer();
  onTestFinished(() => server.close());
  const { pipelines, versions, runs } = createPipelineClient({ host: server.url });
  await pipelines.upload(helloPipeline, { name: "a" });
  const { version } = await pipelines.upload(helloPipeline, { name: "b" });
  const ofB = version.pipelineVersionId;
  for (const call of [
    () => versions.get("a", ofB),
    () => versions.delete("a", ofB),
    () => runs.create({ pipeline: "a", version: ofB }),
  ])
    expect(await codeOf(call())).toBe("not_found");
  expect((await versions.get("b", ofB)).pipelineVersionId).toBe(ofB);
  expect((await runs.list().page()).items).toEqual([]);
});

test("what asks to be left alone for a while is left alone", async () => {
  const clock = new SkippingClock(150_000);
  const asked: number[] = [];
  const fetch = async () => {
    asked.push(clock.now());
    if (asked.length > 1) return Response.json({ run_id: "r", state: "SUCCEEDED" });
    return new Response("", { status: 429, headers: { "retry-after": "90" } });
  };
  // Longer than what is waited for, so that no limit comes.
  const limits = { timeoutMs: 200_000, deadlineMs: 400_000 };
  const client = createPipelineClient({ host: "http://x", fetch, clock, retry: false, ...limits });
  await client.runs.wait({ id: "r" });
  const [first = 0, second = 0] = asked;
  expect(second - first).toBeGreaterThanOrEqual(90_000);
});

test("who asks to be left alone for a day is asked once more before it is given up", async () => {
  const clock = new SkippingClock(150_000);
  const asked: number[] = [];
  const fetch = async () => {
    asked.push(clock.now());
    return new Response("", { status: 503, headers: { "retry-after": "86400" } });
  };
  const limits = { timeoutMs: 200_000, deadlineMs: 400_000 };
  const client = createPipelineClient({ host: "http://x", fetch, clock, retry: false, ...limits });
  expect(await codeOf(client.runs.wait({ id: "r" }, { maxOutageMs: 100_000 }))).toBe("server_error");
  const [first = 0, second = 0] = asked;
  expect([asked.length, second - first]).toEqual([2, 100_000]);
});

test("an older run under the id that is given is not taken for the new one", async () => {
  const server = await serverOf(({ method }, response) => {
    if (method === "POST") answer(response, "no upstream", 502);
    else answer(response, { run_id: "nightly", display_name: "yesterday", state: "SUCCEEDED" });
  });
  const { runs } = clientOf(server);
  const file = helloPipeline;
  expect(await codeOf(runs.create({ file, runId: "nightly", name: "today" }))).toBe("conflict");
  expect((await runs.create({ file, runId: "nightly", name: "yesterday" })).state).toBe("SUCCEEDED");
});

test("a run under an id of this side is the new one, whatever the server calls it", async () => {
  const server = await serverOf(({ method, path }, response) => {
    if (method === "POST") answer(response, "no upstream", 502);
    else answer(response, { run_id: path.split("/").at(-1), display_name: "another", state: "RUNNING" });
  });
  const run = await clientOf(server).runs.create({ file: helloPipeline, name: "today" });
  expect(run).toMatchObject({ displayName: "another", state: "RUNNING" });
});

test("a run that the server has failed to start, and does not have, is in no doubt", async () => {
  const server = await serverOf(({ method }, response) => {
    if (method === "POST") answer(response, { code: 13, message: "no template" }, 500);
    else answer(response, { code: 5, message: "not found" }, 404);
  });
  const refused = clientOf(server).runs.create({ file: helloPipeline });
  await expect(refused).rejects.toMatchObject({
    ...{ code: "server_error", status: 500, remedy: undefined },
    message: expect.stringMatching(/^no template \(500, POST [^;]*$/),
  });
});

test.each([["text/html"], ["application/xhtml+xml"], ["text/plain"], [undefined]])(
  "a page of the type %s does not say that something was done",
  async (type) => {
    const server = await serverOf((_, response) => {
      response.writeHead(200, type === undefined ? {} : { "content-type": type }).end("<!doctype html>");
    });
    const { runs, recurringRuns, experiments } = createPipelineClient({ host: server.url, retry: false });
    const code = type?.includes("html") ? "login_required" : "invalid_response";
    for (const call of [
      () => runs.delete({ id: "r" }),
      () => runs.terminate({ id: "r" }),
      () => runs.archive({ id: "r" }),
      () => recurringRuns.disable({ id: "r" }),
      () => experiments.delete({ id: "e" }),
    ])
      expect(await codeOf(call())).toBe(code);
  },
);

test("where nobody is, nothing can have been started: nobody looks for it", async () => {
  const asked: string[] = [];
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const fetch = async (_: unknown, { method = "GET" }: RequestInit = {}) => {
    asked.push(method);
    throw new TypeError("fetch failed", { cause: refused });
  };
  const { runs } = createPipelineClient({ host: "http://x", fetch, retry: { limit: 1, baseDelayMs: 0 } });
  const error: PipelineClientError = await runs.create({ file: helloPipeline }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "network", retryable: true });
  expect(error.message).not.toContain("whether");
  expect(asked).toEqual(["POST", "POST"]);
});

test("what to do about an answer that was lost is said once", async () => {
  const server = await serverOf((_, response) => response.destroy());
  const { runs } = createPipelineClient({ host: server.url, retry: false });
  const error: PipelineClientError = await runs.create({ file: helloPipeline }).catch((thrown) => thrown);
  expect(error.message).toMatch(/^no answer: [^;]+; nobody knows whether the run was started: [^;]+$/);
});

test("what is not to be done twice is not called retryable", async () => {
  const server = await serverOf(({ method }, response) => {
    if (method === "POST") response.destroy();
    else answer(response, { code: 5, message: "none" }, 404);
  });
  const { recurringRuns, runs } = createPipelineClient({ host: server.url, retry: false });
  const options = { file: helloPipeline, name: "nightly", cron: "0 0 3 * * *" };
  await expect(recurringRuns.create(options)).rejects.toMatchObject({ code: "network", retryable: false });
  await expect(runs.create({ file: helloPipeline })).rejects.toMatchObject({ retryable: false });
});

test("what is shared is not deleted by its name where the namespace has none of it", async () => {
  const server = await startFakePipelineServer({ multiUser: true });
  onTestFinished(() => server.close());
  const auth = { headers: { "kubeflow-userid": "somebody" } };
  const { pipelines } = createPipelineClient({ host: server.url, namespace: "team", auth });
  const shared = await pipelines.upload(helloPipeline, { name: "p", namespace: "" });
  await pipelines.upload(helloPipeline, { name: "p" });
  await pipelines.delete("p", { cascade: true });
  expect(await codeOf(pipelines.delete("p", { cascade: true }))).toBe("not_found");
  expect((await pipelines.get("p")).pipelineId).toBe(shared.pipeline.pipelineId);
});
