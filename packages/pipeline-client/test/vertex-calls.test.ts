import { describe, expect, test } from "vitest";
import { createVertexClient, type VertexClient, type VertexClientOptions } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";
import { NotingClock, SkippingClock } from "./skipping-clock.js";

const job = { name: "projects/p/locations/europe-west4/pipelineJobs/j" };
const unavailable = () => new Response("{}", { status: 503 });

function clientOf(fetch: VertexClientOptions["fetch"], clock = new SkippingClock()): VertexClient {
  return createVertexClient({ project: "p", location: "europe-west4", token: "t", clock, fetch });
}

describe("a call that a server fails", () => {
  test.each<readonly [name: string, call: (client: VertexClient) => Promise<unknown>]>([
    ["get", (client) => client.get("j")],
    ["list", (client) => client.list().page()],
    ["cancel", (client) => client.cancel("j")],
  ])("is sent again: %s", async (_, call) => {
    let sent = 0;
    const answer = { ...job, pipelineJobs: [] };
    await call(clientOf(async () => (++sent === 1 ? unavailable() : Response.json(answer))));
    expect(sent).toBe(2);
  });

  test("is not when it deletes, or makes a job", async () => {
    const sent: string[] = [];
    const client = clientOf(async (_, { method = "" }) => {
      sent.push(method);
      return method === "GET" ? Response.json(job) : unavailable();
    });
    await expect(client.delete("j")).rejects.toMatchObject({ code: "server_error", attempts: 1 });
    expect(await client.create({ file: helloPipeline, pipelineRoot: "gs://b" })).toEqual(job);
    expect(sent).toEqual(["DELETE", "POST", "GET"]);
  });
});

test("a job that is refused is not looked for", async () => {
  const sent: string[] = [];
  const client = clientOf(async (_, { method = "" }) => {
    sent.push(method);
    return Response.json({ error: { code: 400, message: "no quota" } }, { status: 400 });
  });
  const made = client.create({ file: helloPipeline, pipelineRoot: "gs://b" });
  await expect(made).rejects.toMatchObject({ code: "bad_request", serverMessage: "no quota" });
  expect(sent).toEqual(["POST"]);
});

test("a host that is empty is none, and not that of the location", () => {
  const options = { project: "p", location: "europe-west4", token: "t", host: "" };
  expect(() => createVertexClient(options)).toThrow("`host` is the address of a host");
});

describe("a job whose answer was lost", () => {
  const given = { file: helloPipeline, pipelineRoot: "gs://b" };

  test("is looked for with limits of its own, as long as those of the call", async () => {
    const clock = new NotingClock();
    const client = clientOf(async (_, { method }) => {
      if (method === "POST") throw new TypeError("fetch failed");
      return Response.json(job);
    }, clock);
    expect(await client.create({ ...given, timeoutMs: 60_000, deadlineMs: 50_000 })).toEqual(job);
    expect(clock.limits).toEqual([50_000, 60_000]);
  });

  test("has an id of the time of the clock", async () => {
    const asked: string[] = [];
    const client = clientOf(async (url) => {
      asked.push(new URL(url).searchParams.get("pipelineJobId") ?? "");
      return Response.json(job);
    });
    await client.create(given);
    expect(asked).toEqual([expect.stringMatching(/^hello-20261121090000-[0-9a-f]{6}$/)]);
  });

  test("is not looked for any more by who ends the call, who hears the own reason", async () => {
    const user = new AbortController();
    const reason = new Error("enough");
    const client = clientOf(async (_, { method }) => {
      if (method === "POST") throw new TypeError("fetch failed");
      user.abort(reason);
      return Response.json(job);
    });
    await expect(client.create({ ...given, signal: user.signal })).rejects.toBe(reason);
  });
});

describe("a list of jobs", () => {
  /** A server of three pages, each of which takes its time. */
  function threePages() {
    const asked: string[] = [];
    const clock = new NotingClock();
    const client = clientOf(async (url) => {
      const token = new URL(url).searchParams.get("pageToken") ?? "1";
      asked.push(new URL(url).search);
      clock.time += 100_000;
      const next = token === "3" ? {} : { nextPageToken: `${Number(token) + 1}` };
      return Response.json({ pipelineJobs: [{ name: `j${token}` }], ...next });
    }, clock);
    return { asked, client, clock };
  }
  const namesOf = async (list: AsyncIterable<{ readonly name: string }>): Promise<string[]> => {
    const names: string[] = [];
    for await (const { name } of list) names.push(name);
    return names;
  };

  test("is asked for with filter, order and size at every page", async () => {
    const { asked, client } = threePages();
    await namesOf(client.list({ filter: "f", orderBy: "o", pageSize: 7 }));
    expect(asked).toEqual([
      "?filter=f&pageSize=7&orderBy=o",
      "?filter=f&pageSize=7&pageToken=2&orderBy=o",
      "?filter=f&pageSize=7&pageToken=3&orderBy=o",
    ]);
  });

  test("has all the time of a call for every page", async () => {
    const { client, clock } = threePages();
    await namesOf(client.list());
    expect(clock.limits).toEqual([30_000, 30_000, 30_000]);
  });

  test("can be read several times", async () => {
    const list = threePages().client.list();
    expect([await namesOf(list), await namesOf(list)]).toEqual([
      ["j1", "j2", "j3"],
      ["j1", "j2", "j3"],
    ]);
  });
});

test("a job that does not change is asked for less and less often", async () => {
  const clock = new SkippingClock();
  const states = ["RUNNING", "RUNNING", "RUNNING", "PAUSING", "SUCCEEDED"].map(
    (state) => `PIPELINE_STATE_${state}`,
  );
  await clientOf(async () => Response.json({ ...job, state: states.shift() }), clock).wait("j");
  expect(clock.waits).toEqual([1000, 1500, 2250, 1000]);
});

test("a job has its ids as texts, its labels without what is none, and its states as words", async () => {
  const tasks = [
    { taskId: 7, parentTaskId: 5, state: 8 },
    { taskId: 8, state: 9 },
  ];
  const said = { state: 8, labels: { a: "b", c: 5 }, updateTime: "2026-01-01T00:00:00Z" };
  const client = clientOf(async () => Response.json({ ...job, ...said, jobDetail: { taskDetails: tasks } }));
  expect(await client.get("j")).toEqual({
    ...{ ...job, state: "PAUSED", labels: { a: "b" }, updateTime: new Date("2026-01-01T00:00:00Z") },
    jobDetail: {
      taskDetails: [
        { taskId: "7", parentTaskId: "5", state: "SKIPPED" },
        { taskId: "8", state: "NOT_TRIGGERED" },
      ],
    },
  });
});
