import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createFakePipelineServer, type FakePipelineServerOptions } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

/** A fake server with several users, and a client in each namespace. */
function worldOfUsers(options: FakePipelineServerOptions = {}) {
  const fake = createFakePipelineServer({
    multiUser: true,
    fetchFile: async () => new TextEncoder().encode(helloPipeline),
    ...options,
  });
  const clientIn = (namespace: string) =>
    createPipelineClient({
      host: "http://kfp.example",
      auth: { headers: { "kubeflow-userid": `user@${namespace}` } },
      fetch: fake.fetch,
      namespace,
      retry: false,
    });
  return { fake, red: clientIn("red"), blue: clientIn("blue") };
}
type Client = ReturnType<typeof worldOfUsers>["red"];

async function namesOf(list: AsyncIterable<{ readonly displayName?: string }>): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  for await (const { displayName } of list) names.push(displayName);
  return names;
}

describe("a fake server of several users", () => {
  test("keeps what is of one namespace from the others", async () => {
    const { fake, red, blue } = worldOfUsers();
    // Only a server of one user has an experiment for runs that name none.
    expect([fake.store.experiments.size, fake.store.defaultExperimentId]).toEqual([0, ""]);
    const fill = async (client: Client, name: string) => {
      await client.experiments.create(`${name} experiment`);
      await client.pipelines.upload(helloPipeline, { name: `${name}-pipeline` });
      const experiment = { name: `${name} experiment` };
      const pipeline = `${name}-pipeline`;
      await client.runs.create({ pipeline, experiment, name: `${name} run` });
      await client.recurringRuns.create({
        ...{ pipeline, experiment, name: `${name} nightly`, cron: "0 0 3 * * *" },
      });
    };
    await fill(red, "red");
    await fill(blue, "blue");
    for (const [client, name] of [
      [red, "red"],
      [blue, "blue"],
    ] as const) {
      expect(await namesOf(client.experiments.list())).toEqual([`${name} experiment`]);
      expect(await namesOf(client.pipelines.list())).toEqual([`${name}-pipeline`]);
      expect(await namesOf(client.runs.list())).toEqual([`${name} run`]);
      expect(await namesOf(client.recurringRuns.list())).toEqual([`${name} nightly`]);
    }
    // An experiment is of one namespace, whoever asks.
    const experiment = { name: "red experiment" };
    expect(await namesOf(red.runs.list({ experiment }))).toEqual(["red run"]);
    expect(await namesOf(red.recurringRuns.list({ experiment }))).toEqual(["red nightly"]);
  });

  test("makes a pipeline of an address in the namespace of who asks", async () => {
    const { fake, red } = worldOfUsers();
    await red.pipelines.createFromUrl({ url: "https://files.example/hello.yaml", name: "hello" });
    expect([...fake.store.pipelines.values()].map(({ name, namespace }) => [name, namespace])).toEqual([
      ["hello", "red"],
    ]);
  });

  test.each([
    ["runs", (client: Client) => client.runs.list()],
    ["jobs", (client: Client) => client.recurringRuns.list()],
    ["experiments", (client: Client) => client.experiments.list()],
  ])("asks who may see %s, and tells why not", async (resource, list) => {
    const asked: object[] = [];
    const { red } = worldOfUsers({
      review: (question) => {
        asked.push(question);
        return "red is closed";
      },
    });
    await expect(list(red).page()).rejects.toMatchObject({
      code: "forbidden",
      serverMessage: expect.stringContaining(
        `User '[redacted]' is not authorized with reason: red is closed (request: &ResourceAttributes{Namespace:red,Verb:list,Group:pipelines.kubeflow.org,Version:v1beta1,Resource:${resource},`,
      ),
    });
    expect(asked).toEqual([{ user: "user@red", namespace: "red", resource, verb: "list", name: "" }]);
  });
});

test("who asks a fake server is in a header of a gateway, or anybody with a token", async () => {
  const users: string[] = [];
  const { fake } = worldOfUsers({ review: ({ user }) => void users.push(user) });
  const headers: readonly Readonly<Record<string, string>>[] = [
    { "kubeflow-userid": "a@b", "x-goog-authenticated-user-email": "c@d" },
    { "x-goog-authenticated-user-email": "accounts.google.com:c@d" },
    { authorization: "Bearer t" },
  ];
  const url = "http://any/apis/v2beta1/runs?namespace=red";
  for (const each of headers) await fake.fetch(url, { headers: each });
  expect(users).toEqual(["a@b", "c@d", "test"]);
});

test("whoever uploads to a namespace has to be allowed to create pipelines there", async () => {
  const asked: object[] = [];
  const { red } = worldOfUsers({ review: (question) => void asked.push(question) });
  const { pipeline } = await red.pipelines.upload(helloPipeline, { name: "hello" });
  asked.length = 0;
  await red.versions.upload({ id: pipeline.pipelineId }, helloPipeline);
  expect(asked).toEqual([
    { user: "user@red", namespace: "red", resource: "pipelines", verb: "create", name: "" },
  ]);
});

describe("a run of a fake server that is terminated", () => {
  const states = { PENDING: "a", RUNNING: "b", SUCCEEDED: "c", SKIPPED: "d" } as const;
  const steps = [
    {
      afterMs: 1000,
      state: "RUNNING",
      tasks: Object.fromEntries(Object.entries(states).map(([state, name]) => [name, state])),
    },
  ];

  /** A run, as it is at some moments after somebody has asked for its end. */
  async function ended(isPlanned: boolean | undefined, plan: typeof steps) {
    let now = 0;
    const fake = createFakePipelineServer({ now: () => now, plan: () => plan });
    const client = createPipelineClient({ host: "http://kfp.example", fetch: fake.fetch, retry: false });
    const { pipeline } = await client.pipelines.upload(helloPipeline);
    const { runId } = await client.runs.create({ pipeline: { id: pipeline.pipelineId }, name: "r" });
    const row = fake.store.runs.get(runId) ?? expect.unreachable("it has just been made");
    if (isPlanned === undefined) delete row.isPlanned;
    else {
      now = 1000;
      await client.runs.get({ id: runId });
    }
    await client.runs.terminate({ id: runId });
    const seen: unknown[] = [];
    for (const ms of [0, 499, 500, 999, 1000]) {
      now = 1000 + ms;
      seen.push((await client.runs.get({ id: runId })).state);
    }
    return { seen, row };
  }

  test("has failed a second later, with the tasks that had not ended", async () => {
    const { seen, row } = await ended(true, steps);
    expect(seen).toEqual(["CANCELING", "CANCELING", "CANCELING", "CANCELING", "FAILED"]);
    expect(row.tasks.map(({ name, state, message }) => [name, state, message])).toEqual([
      ["a", "FAILED", "Stopped with strategy 'Terminate'"],
      ["b", "FAILED", "Stopped with strategy 'Terminate'"],
      ["c", "SUCCEEDED", ""],
      ["d", "SKIPPED", ""],
    ]);
    expect(row.history.map(({ state }) => state)).toEqual(["PENDING", "RUNNING", "CANCELING", "FAILED"]);
    expect([row.phase, row.message, row.finishedAt]).toEqual([
      "Failed",
      "Stopped with strategy 'Terminate'",
      2,
    ]);
  });

  test("waits for the engine where nothing is planned", async () => {
    const { seen, row } = await ended(false, []);
    expect([new Set(seen), row.history.map(({ state }) => state)]).toEqual([
      new Set(["CANCELING"]),
      ["PENDING"],
    ]);
  });

  test("and where a test has put it there, if there is anything in its plan", async () => {
    expect((await ended(undefined, steps)).seen.at(-1)).toBe("FAILED");
    expect((await ended(undefined, [])).seen.at(-1)).toBe("CANCELING");
  });
});

test.each([
  { path: "pipelines", body: { name: "p", display_name: "p", namespace: "red" } },
  { path: "experiments", body: { display_name: "p", namespace: "red" } },
])("where there is one user, what is made of $path is listed whatever namespace is said", async (made) => {
  const fake = createFakePipelineServer();
  const url = `http://any/apis/v2beta1/${made.path}`;
  const answer = await fake.fetch(url, { method: "POST", body: JSON.stringify(made.body) });
  expect(await answer.json()).not.toHaveProperty("namespace");
  const listed = await (await fake.fetch(url)).json();
  expect(listed[made.path].map(({ display_name }: { display_name: string }) => display_name)).toContain("p");
});
