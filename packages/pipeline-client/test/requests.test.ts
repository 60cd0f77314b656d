import { describe, expect, test } from "vitest";
import type { PipelineClient } from "../src/index.js";
import { everything, first, sentFor } from "./sent-for.js";

const api = "/apis/v2beta1";
const at = new Date("2026-01-02T03:04:05.678Z");
const [p, v, e, r, rr] = [{ id: "p" }, { id: "v" }, { id: "e" }, { id: "r" }, { id: "rr" }] as const;

type Call = (client: PipelineClient) => unknown;
/** A call, and what is sent for it. */
type Sent = readonly [name: string, call: Call, request: string, body?: unknown];

describe("a call is sent as", () => {
  test.each<Sent>([
    [
      "pipelines.create",
      (c) =>
        c.pipelines.create({
          ...{ name: "n", displayName: "d", description: "x", namespace: "ns", tags: { aB: "1" } },
        }),
      `POST ${api}/pipelines`,
      { name: "n", display_name: "d", description: "x", namespace: "ns", tags: { aB: "1" } },
    ],
    [
      "pipelines.create in no namespace",
      (c) => c.pipelines.create({ name: "n", namespace: "" }),
      `POST ${api}/pipelines`,
      { name: "n" },
    ],
    [
      "pipelines.createFromUrl",
      (c) =>
        c.pipelines.createFromUrl({
          ...{ url: "https://u", name: "n", displayName: "d", description: "x", namespace: "ns" },
          tags: { aB: "1" },
        }),
      `POST ${api}/pipelines/create`,
      {
        pipeline: { name: "n", display_name: "d", description: "x", namespace: "ns", tags: { aB: "1" } },
        pipeline_version: { package_url: { pipeline_url: "https://u" } },
      },
    ],
    [
      "pipelines.createFromUrl in no namespace",
      (c) => c.pipelines.createFromUrl({ url: "https://u", namespace: "" }),
      `POST ${api}/pipelines/create`,
      { pipeline: {}, pipeline_version: { package_url: { pipeline_url: "https://u" } } },
    ],
    ["pipelines.get", (c) => c.pipelines.get(p), `GET ${api}/pipelines/p`],
    [
      "pipelines.update",
      (c) => c.pipelines.update(p, { displayName: "d", tags: { aB: "1" } }),
      `PATCH ${api}/pipelines/p`,
      { display_name: "d", tags: { aB: "1" } },
    ],
    ["pipelines.delete", (c) => c.pipelines.delete(p), `DELETE ${api}/pipelines/p`],
    [
      "pipelines.delete, with versions",
      (c) => c.pipelines.delete(p, { cascade: true }),
      `DELETE ${api}/pipelines/p?cascade=true`,
    ],
    [
      "pipelines.delete, without versions",
      (c) => c.pipelines.delete(p, { cascade: false }),
      `DELETE ${api}/pipelines/p`,
    ],
    [
      "versions.createFromUrl",
      (c) =>
        c.versions.createFromUrl(p, {
          ...{ url: "https://u", name: "n", displayName: "d", description: "x", codeSourceUrl: "c" },
        }),
      `POST ${api}/pipelines/p/versions`,
      {
        ...{ pipeline_id: "p", name: "n", display_name: "d", description: "x", code_source_url: "c" },
        package_url: { pipeline_url: "https://u" },
      },
    ],
    ["versions.get", (c) => c.versions.get(p, v), `GET ${api}/pipelines/p/versions/v`],
    [
      "experiments.create",
      (c) => c.experiments.create("n", { description: "x", namespace: "ns" }),
      `POST ${api}/experiments`,
      { display_name: "n", description: "x", namespace: "ns" },
    ],
    ["experiments.get", (c) => c.experiments.get(e), `GET ${api}/experiments/e`],
    ["experiments.archive", (c) => c.experiments.archive(e), `POST ${api}/experiments/e:archive`],
    ["experiments.unarchive", (c) => c.experiments.unarchive(e), `POST ${api}/experiments/e:unarchive`],
    ["experiments.delete", (c) => c.experiments.delete(e), `DELETE ${api}/experiments/e`],
    ["runs.get", (c) => c.runs.get(r), `GET ${api}/runs/r`],
    ["runs.terminate", (c) => c.runs.terminate(r), `POST ${api}/runs/r:terminate`],
    ["runs.retry", (c) => c.runs.retry(r), `POST ${api}/runs/r:retry`],
    ["runs.archive", (c) => c.runs.archive(r), `POST ${api}/runs/r:archive`],
    ["runs.unarchive", (c) => c.runs.unarchive(r), `POST ${api}/runs/r:unarchive`],
    ["runs.delete", (c) => c.runs.delete(r), `DELETE ${api}/runs/r`],
    [
      "runs.log of a node",
      (c) => c.runs.log(r, { nodeId: "a/b" }),
      "GET /apis/v1alpha1/runs/r/nodes/a/b/log",
    ],
    ["runs.log of a pod", (c) => c.runs.log(r, { podName: "x" }), "GET /k8s/pod/logs?podname=x&runid=r"],
    [
      "runs.log of a pod of a namespace",
      (c) => c.runs.log(r, { podName: "x", podNamespace: "other" }),
      "GET /k8s/pod/logs?podname=x&runid=r&podnamespace=other",
    ],
    ["runs.artifact", (c) => c.runs.artifact(r, "n", "a b"), `GET ${api}/runs/r/nodes/n/artifacts/a b:read`],
    ["recurringRuns.get", (c) => c.recurringRuns.get(rr), `GET ${api}/recurringruns/rr`],
    ["recurringRuns.enable", (c) => c.recurringRuns.enable(rr), `POST ${api}/recurringruns/rr:enable`],
    ["recurringRuns.disable", (c) => c.recurringRuns.disable(rr), `POST ${api}/recurringruns/rr:disable`],
    ["recurringRuns.delete", (c) => c.recurringRuns.delete(rr), `DELETE ${api}/recurringruns/rr`],
    [
      "recurringRuns.delete, with what it has started",
      (c) => c.recurringRuns.delete(rr, { propagation: "foreground" }),
      `DELETE ${api}/recurringruns/rr?propagation_policy=FOREGROUND`,
    ],
    ["health", (c) => c.health(), `GET ${api}/healthz`],
    ["request", (c) => c.request({ path: "/a" }), "GET /a"],
    [
      "request with all there is",
      (c) =>
        c.request({ path: "/a", method: "PUT", query: { b: "1", none: undefined, c: "2" }, body: { aB: 1 } }),
      "PUT /a?b=1&c=2",
      { aB: 1 },
    ],
  ])("%s", async (...row) => {
    const [, call, ...request] = row as unknown as Sent;
    expect(await sentFor(call)).toEqual([request]);
  });

  test("versions.update and versions.delete, of a version of this pipeline", async () => {
    const get = [`GET ${api}/pipelines/p/versions/v`];
    expect(await sentFor((c) => c.versions.update(p, v, { displayName: "d", tags: { aB: "1" } }))).toEqual([
      get,
      [`PATCH ${api}/pipelines/p/versions/v`, { display_name: "d", tags: { aB: "1" } }],
    ]);
    expect(await sentFor((c) => c.versions.delete(p, v))).toEqual([
      get,
      [`DELETE ${api}/pipelines/p/versions/v`],
    ]);
  });

  test("versions.latest, one of them", async () => {
    const version = { pipeline_id: "p", pipeline_version_id: "v" };
    expect(await sentFor((c) => c.versions.latest(p), {}, { pipeline_versions: [version] })).toEqual([
      [`GET ${api}/pipelines/p/versions?page_size=1&sort_by=created_at desc`],
    ]);
  });

  test("runs.create of a version, with all that a run is given", async () => {
    const [, ...sent] = await sentFor((c) =>
      c.runs.create({
        ...{ pipeline: p, version: v, experiment: e, parameters: { aB: 1 }, pipelineRoot: "root" },
        ...{ serviceAccount: "sa", description: "x", pluginsInput: { aB: 2 }, name: "n", runId: "r" },
        validate: false,
      }),
    );
    expect(sent).toEqual([
      [
        `POST ${api}/runs`,
        {
          ...{ display_name: "n", run_id: "r", description: "x", experiment_id: "e", service_account: "sa" },
          pipeline_version_reference: { pipeline_id: "p", pipeline_version_id: "v" },
          ...{ runtime_config: { parameters: { aB: 1 }, pipeline_root: "root" }, plugins_input: { aB: 2 } },
        },
      ],
    ]);
  });

  test("recurringRuns.create, with all that says when", async () => {
    const [, [request, body] = []] = await sentFor((c) =>
      c.recurringRuns.create({
        ...{
          pipeline: p,
          version: v,
          name: "n",
          cron: " @daily ",
          startTime: at,
          endTime: new Date(+at + 1),
        },
        ...{ maxConcurrency: 10, isEnabled: false, catchUp: false, validate: false },
      }),
    );
    const time = "2026-01-02T03:04:05Z";
    expect([request, body]).toEqual([
      `POST ${api}/recurringruns`,
      {
        display_name: "n",
        pipeline_version_reference: { pipeline_id: "p", pipeline_version_id: "v" },
        ...{ max_concurrency: 10, mode: "DISABLE", no_catchup: true },
        trigger: { cron_schedule: { start_time: time, end_time: time, cron: "@daily" } },
      },
    ]);
    const [, [, plain] = []] = await sentFor((c) =>
      c.recurringRuns.create({ pipeline: p, version: v, name: "n", intervalSeconds: 1, validate: false }),
    );
    expect(plain).toMatchObject({
      ...{ max_concurrency: 1, mode: "ENABLE" },
      trigger: { periodic_schedule: { interval_second: "1" } },
    });
    expect(plain).not.toHaveProperty("no_catchup");
  });
});

describe("a list is asked for as", () => {
  const page = "page_size=50";
  test.each<
    readonly [name: string, list: (client: PipelineClient) => AsyncIterable<unknown>, request: string]
  >([
    ["pipelines", (c) => c.pipelines.list(), `/pipelines?${page}`],
    [
      "pipelines of a namespace, in order",
      (c) => c.pipelines.list({ namespace: "ns", sortBy: "displayName", pageSize: 200 }),
      "/pipelines?namespace=ns&page_size=200&sort_by=display_name asc",
    ],
    [
      "pipelines with a filter",
      (c) => c.pipelines.list({ filter: { displayName: "x" }, descending: true, pageSize: 1 }),
      '/pipelines?page_size=1&sort_by=created_at desc&filter={"predicates":[{"operation":"EQUALS","key":"display_name","string_value":"x"}]}',
    ],
    [
      "pipelines from a page on",
      (c) => c.pipelines.list({ pageToken: "t" }),
      `/pipelines?${page}&page_token=t`,
    ],
    ["versions", (c) => c.versions.list(p), `/pipelines/p/versions?${page}`],
    [
      "experiments",
      (c) => c.experiments.list({ namespace: "ns", sortBy: "lastRunCreatedAt" }),
      `/experiments?namespace=ns&${page}&sort_by=last_run_created_at asc`,
    ],
    ["runs", (c) => c.runs.list({ namespace: "ns" }), `/runs?namespace=ns&${page}`],
    [
      "runs of an experiment",
      (c) => c.runs.list({ namespace: "ns", experiment: e }),
      `/runs?experiment_id=e&${page}`,
    ],
    [
      "runs that have ended",
      (c) => c.runs.list({ filter: { isFinished: true } }),
      `/runs?${page}&filter={"predicates":[{"operation":"NOT_EQUALS","key":"finished_at","long_value":"0"}]}`,
    ],
    ["recurring runs", (c) => c.recurringRuns.list(), `/recurringruns?${page}`],
    [
      "recurring runs of an experiment",
      (c) => c.recurringRuns.list({ experiment: e, sortBy: "updatedAt" }),
      `/recurringruns?experiment_id=e&${page}&sort_by=updated_at asc`,
    ],
  ])("%s", async (_, list, request) => {
    expect(await sentFor((c) => first(list(c)), {}, {})).toEqual([[`GET ${api}${request}`]]);
  });

  test.each<readonly [kind: "pipelines" | "experiments" | "runs" | "recurringRuns", path: string]>([
    ["pipelines", "pipelines"],
    ["experiments", "experiments"],
    ["runs", "runs"],
    ["recurringRuns", "recurringruns"],
  ])("%s of the namespace of the client, page by page", async (kind, path) => {
    const sent = await sentFor(
      (c) => first(c[kind].list()),
      { namespace: "team" },
      { next_page_token: "t" },
      {},
    );
    expect(sent).toEqual([
      [`GET ${api}/${path}?namespace=team&${page}`],
      [`GET ${api}/${path}?namespace=team&${page}&page_token=t`],
    ]);
  });

  test("nothing where there is no page", async () => {
    const sent = await sentFor(
      async (c) => expect(await c.pipelines.list().page()).toEqual({ items: [] }),
      {},
      {},
    );
    expect(sent).toHaveLength(1);
  });
});

describe("in a namespace", () => {
  const team = { namespace: "team" };

  test.each<Sent>([
    [
      "pipelines.create",
      (c) => c.pipelines.create({ name: "n" }),
      `POST ${api}/pipelines`,
      { name: "n", ...team },
    ],
    [
      "pipelines.create, shared",
      (c) => c.pipelines.create({ name: "n", namespace: "" }),
      `POST ${api}/pipelines`,
      { name: "n" },
    ],
    [
      "pipelines.createFromUrl",
      (c) => c.pipelines.createFromUrl({ url: "u" }),
      `POST ${api}/pipelines/create`,
      { pipeline: team, pipeline_version: { package_url: { pipeline_url: "u" } } },
    ],
    [
      "experiments.create",
      (c) => c.experiments.create("n"),
      `POST ${api}/experiments`,
      { display_name: "n", ...team },
    ],
    [
      "runs.log of a pod",
      (c) => c.runs.log(r, { podName: "x" }),
      "GET /k8s/pod/logs?podname=x&runid=r&podnamespace=team",
    ],
    [
      "pipelines.list of what is shared",
      (c) => first(c.pipelines.list({ namespace: "" })),
      `GET ${api}/pipelines?page_size=50`,
    ],
  ])("%s", async (...row) => {
    const [, call, ...request] = row as unknown as Sent;
    const sent = await sentFor(call, team, request[0].includes("page_size") ? {} : everything);
    expect(sent).toEqual([request]);
  });

  const named = (key: string) =>
    `filter={"predicates":[{"operation":"EQUALS","key":"${key}","string_value":"x"}]}`;
  const search = (path: string, key: string, scope = "namespace=team&") =>
    `GET ${api}/${path}?${scope}page_size=50&${named(key)}`;
  const none = { code: "not_found", message: expect.stringMatching(/^there is no .* of the name "x"$/) };

  test.each<readonly [name: string, call: Call, requests: readonly string[]]>([
    [
      "a pipeline, and then among those that are shared",
      (c) => c.pipelines.get("x"),
      [
        ...[search("pipelines", "name"), search("pipelines", "display_name")],
        ...[search("pipelines", "name", ""), search("pipelines", "display_name", "")],
      ],
    ],
    [
      "a pipeline that is changed",
      (c) => c.pipelines.update("x", {}),
      [search("pipelines", "name"), search("pipelines", "display_name")],
    ],
    ["an experiment", (c) => c.experiments.get("x"), [search("experiments", "display_name")]],
    ["a recurring run", (c) => c.recurringRuns.get("x"), [search("recurringruns", "display_name")]],
    ["a run that is named", (c) => c.runs.get({ name: "x" }), [search("runs", "display_name")]],
    [
      "a version",
      (c) => c.versions.get(p, "x"),
      [search("pipelines/p/versions", "name", ""), search("pipelines/p/versions", "display_name", "")],
    ],
  ])("a name is looked for: %s", async (_, call, requests) => {
    const sent = await sentFor(
      async (c) => {
        await expect((async () => call(c))()).rejects.toMatchObject(none);
      },
      team,
      ...requests.map(() => ({})),
    );
    expect(sent.map(([request]) => request)).toEqual(requests);
  });

  test.each([".", ".."])("a run is named %s, which can be no id", async (name) => {
    const sent = await sentFor((c) => c.runs.get(name).catch(() => {}), team, {});
    expect(sent.map(([request]) => request.split("?")[0])).toEqual([`GET ${api}/runs`]);
  });
});
