import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient, type PipelineClientOptions } from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { answer, serverOf } from "./scripted-server.js";

/** Tests give what the types refuse. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested
const rough = (value: unknown): any => value;

describe("a host that repeats what it was sent", () => {
  const ways: readonly (readonly [string, Partial<PipelineClientOptions>])[] = [
    ["a token", { auth: { token: "s3cr3t-key" } }],
    ["a cookie", { auth: { cookie: "session=s3cr3t-key" } }],
    ["a header of `auth`", { auth: { headers: { "x-api-key": "s3cr3t-key" } } }],
    ["an authorization of its own", { headers: { Authorization: "Bearer s3cr3t-key" } }],
    ["a header of its own", { headers: { "x-api-key": "s3cr3t-key" } }],
  ];
  const answers: readonly (readonly [string, number, (echo: string) => string])[] = [
    ["no JSON", 200, (echo) => echo],
    ["JSON of another kind", 200, (echo) => JSON.stringify(echo)],
    ["JSON that breaks off", 200, (echo) => `{"a": ${echo}`],
    ["a failure", 400, (echo) => echo],
    ["a failure as JSON", 400, (echo) => JSON.stringify({ code: 3, message: echo })],
  ];
  for (const [way, options] of ways) {
    test.each(answers)(`gets ${way} into no error: %s`, async (_, status, write) => {
      const server = createServer(({ headers }, response) => {
        const echo = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        const own = echo.find((line) => line.includes("s3cr3t-key")) ?? "nothing was sent";
        response.writeHead(status, { "content-type": "application/json" }).end(write(own));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const client = createPipelineClient({ host, retry: false, ...options });
      for (const call of [
        () => client.runs.get({ id: "r" }),
        () => client.health(),
        () => client.runs.artifact({ id: "r" }, "node", "name"),
        async () => (await client.request({ path: "/x" })).json(),
      ]) {
        const error = await call().then(
          // The JSON of another kind is what a raw request asks for.
          (value) => new Error(typeof value === "string" ? "" : JSON.stringify(value)),
          (thrown: Error) => thrown,
        );
        const shown = [error.message, error.stack, (error.cause as Error)?.message, JSON.stringify(error)];
        expect(shown.join("\n")).not.toContain("s3cr3t-key");
      }
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }
});

describe("a long token is in no error, not even a part of it", () => {
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${"A1b2C3d4".repeat(110)}.sig`;
  test.each<[string, () => Response]>([
    ["a header that is repeated", () => new Response(`the header ${jwt} is not valid`, { status: 400 })],
    ["JSON", () => Response.json({ code: 16, message: jwt, details: [{ message: jwt }] }, { status: 401 })],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: `https://l/start/${jwt}` } }),
    ],
    ["a title", () => new Response(`<title>Bad token ${jwt}</title>`, { status: 403 })],
    ["the end of a long text", () => new Response("x".repeat(3900) + jwt, { status: 500 })],
    ["what is no JSON", () => new Response(`GET / ${jwt}`)],
  ])("%s", async (_, fetch) => {
    const client = createPipelineClient({
      ...{ host: "http://x", retry: false, auth: { token: jwt } },
      fetch: async () => fetch(),
    });
    const error = await client.health().then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    );
    const shown = JSON.stringify([error, error.message, error.stack, (error.cause as Error)?.message]);
    expect(shown).not.toMatch(/eyJ|A1b2/);
    expect(shown).toContain("[redacted]");
  });
});

describe("a token that was replaced is in no error either", () => {
  const [first, second] = ["oldtoken-AAAAAAAA", "newtoken-BBBBBBBB"] as const;
  const says = (text: string, status: number) => Response.json({ code: 16, message: text }, { status });
  const refused: readonly [string, number, () => Response][] = [
    ["when it was refused", 1, () => says(`token ${first} was revoked`, 401)],
    ["when nobody had refused it", 1, () => says(`the session of ${first} has ended, ${second}`, 403)],
    ["when it was of another call", 2, () => says(`not ${first}, nor ${second}`, 403)],
  ];
  test.each(refused)("%s", async (_, calls, last) => {
    const answers = [says("busy", 503), ...Array.from({ length: 3 }, last)];
    let asked = 0;
    const client = createPipelineClient({
      ...{ host: "http://x", retry: { baseDelayMs: 0, limit: 1 } },
      auth: { token: () => (asked++ === 0 ? first : second) },
      fetch: async () => answers.shift() ?? last(),
    });
    for (let call = 0; call < calls; call++) {
      const error: unknown = await client.health().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ serverMessage: expect.stringContaining("[redacted]") });
      expect(`${JSON.stringify(error)}${error}`).not.toMatch(/AAAA|BBBB/);
    }
  });
});

describe("what watches and fails later", () => {
  test("has no say in what is tried again", async () => {
    const server = await serverOf((_, response) => answer(response, "", 503));
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", hear);
    try {
      const onRetry = async () => {
        throw new Error("the log is away");
      };
      const client = createPipelineClient({ host: server.url, retry: { limit: 1, baseDelayMs: 0 }, onRetry });
      await expect(client.health()).rejects.toMatchObject({ code: "server_error", attempts: 2 });
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", hear);
    }
  });

  test("ends a wait that it was given to", async () => {
    const server = await serverOf((_, response) => answer(response, { run_id: "r", state: "RUNNING" }));
    const client = createPipelineClient({ host: server.url });
    const onUpdate = async () => {
      throw new Error("enough");
    };
    await expect(client.runs.wait({ id: "r" }, { onUpdate })).rejects.toThrow("enough");
  });
});

describe("a client is not made of", () => {
  test.each([
    [undefined, "`host` is the address of a host, not a value of type undefined"],
    [null, "`host` is the address of a host, not null"],
    [5, "`host` is the address of a host, not the number 5"],
    [{}, "`host` is the address of a host, not"],
    ["", "`host` is the address of a host, such as"],
  ])("the host %o", (host, message) => {
    expect(() => createPipelineClient({ host: rough(host) })).toThrow(TypeError);
    expect(() => createPipelineClient({ host: rough(host) })).toThrow(message);
  });

  test.each([
    [{ headers: { "x y": "v" } }, '"x y" of `headers` is no name of a header'],
    [{ headers: { "x-user": "Jürgen 😀" } }, "the x-user that was given is no text that fits in a header"],
    [{ headers: { "x-user": 5 } }, "the x-user that was given is no text that fits in a header"],
    [{ clock: {} }, "`clock` has `now`, `after` and `random`"],
    [{ headers: "x" }, "`headers` is an object of texts"],
    [{ headers: new Headers({ "kubeflow-userid": "a@b" }) }, "`headers` is an object of texts"],
    [{ headers: new Map([["kubeflow-userid", "a@b"]]) }, "`headers` is an object of texts"],
    [{ auth: { headers: { "x:y": "v" } } }, '"x:y" of `auth.headers` is no name of a header'],
  ])("%o", (options, message) => {
    expect(() => createPipelineClient({ host: "http://x", ...rough(options) })).toThrow(
      new TypeError(message),
    );
  });
});

describe("nothing is sent for", () => {
  test.each(["true", 1, null, "yes"])("the filter isFinished: %o", async (isFinished) => {
    const server = await serverOf((_, response) => answer(response, {}));
    const { runs } = createPipelineClient({ host: server.url });
    const list = async () => runs.list({ filter: { isFinished: rough(isFinished) } }).page();
    await expect(list()).rejects.toThrow(new TypeError("the filter `isFinished` is true or false"));
    expect(server.requests).toEqual([]);
  });

  test("a GET with a body", async () => {
    const client = createPipelineClient({ host: "http://127.0.0.1:9" });
    await expect(client.request({ path: "/x", body: {} })).rejects.toThrow(
      new TypeError("a request of GET has no `body`"),
    );
  });

  test("headers from a function that no request can have", async () => {
    const client = createPipelineClient({
      host: "http://127.0.0.1:9",
      auth: { headers: () => ({ "x y": "v" }) },
    });
    await expect(client.health()).rejects.toMatchObject({ code: "credentials", attempts: 1 });
  });
});

test("the body of a `fetch` whose bodies are no streams of the web is read, up to its limit", async () => {
  const text = JSON.stringify({ run_id: "r", state: "RUNNING" });
  const fetch = async () => {
    const arrayBuffer = async () => new TextEncoder().encode(text).buffer;
    return rough({ ok: true, status: 200, headers: new Headers(), body: { pipe: () => {} }, arrayBuffer });
  };
  expect((await createPipelineClient({ host: "http://x", fetch }).runs.get({ id: "r" })).state).toBe(
    "RUNNING",
  );
  const small = createPipelineClient({ host: "http://x", fetch, maxBodyBytes: 5, retry: false });
  await expect(small.runs.get({ id: "r" })).rejects.toMatchObject({
    code: "invalid_response",
    message: expect.stringContaining("it has more than 5 bytes"),
  });
});

describe("no call passes over what it does not have", () => {
  type Calls = ReturnType<typeof createPipelineClient>;
  const id = { id: "6f9619ff-8b86-4011-b42d-00c04fc964ff" };
  const wrong: readonly (readonly [
    string,
    (client: Calls, given: unknown) => unknown,
    unknown,
    string | RegExp,
  ])[] = [
    ["runs.create", (c, o) => c.runs.create(rough(o)), { params: {} }, /has no option "params".*parameters/],
    [
      "runs.get",
      (c, o) => c.runs.get(id, rough(o)),
      { timeoutMS: 1 },
      /has no option "timeoutMS".*"timeoutMs"/,
    ],
    [
      "runs.list",
      (c, o) => c.runs.list(rough(o)).page(),
      { filters: {} },
      /has no option "filters".*"filter"/,
    ],
    ["runs.wait", (c, o) => c.runs.wait(id, rough(o)), { onupdate: () => {} }, /"onupdate".*"onUpdate"/],
    ["runs.wait", (c, o) => c.runs.wait(id, rough(o)), { onUpdate: 5 }, "`onUpdate` is a function"],
    ["runs.log", (c, o) => c.runs.log(id, rough(o)), {}, "a log is that of a node"],
    ["recurringRuns.create", (c, o) => c.recurringRuns.create(rough(o)), { enabled: false }, '"enabled"'],
    ["recurringRuns.create", (c, o) => c.recurringRuns.create(rough(o)), { cron: 5 }, '"cron"'],
    [
      "recurringRuns.delete",
      (c, o) => c.recurringRuns.delete(id, rough(o)),
      { propagation: "x" },
      '"orphan"',
    ],
    ["pipelines.upload", (c, o) => c.pipelines.upload("a", rough(o)), { ifExists: "overwrite" }, '"version"'],
    ["pipelines.create", (c, o) => c.pipelines.create(rough(o)), { label: "x" }, '"label"'],
    ["pipelines.createFromUrl", (c, o) => c.pipelines.createFromUrl(rough(o)), { uri: "x" }, '"url"'],
    ["pipelines.update", (c, o) => c.pipelines.update(id, rough(o)), { name: "x" }, '"name"'],
    ["pipelines.delete", (c, o) => c.pipelines.delete(id, rough(o)), { cascade: "true" }, "true or false"],
    ["versions.upload", (c, o) => c.versions.upload(id, "a", rough(o)), { version: "x" }, '"version"'],
    ["versions.createFromUrl", (c, o) => c.versions.createFromUrl(id, rough(o)), { uri: "x" }, '"url"'],
    ["versions.update", (c, o) => c.versions.update(id, id, rough(o)), { name: "x" }, '"name"'],
    ["experiments.create", (c, o) => c.experiments.create("x", rough(o)), { about: "x" }, '"about"'],
    ["experiments.ensure", (c, o) => c.experiments.ensure("x", rough(o)), { about: "x" }, '"about"'],
    ["health", (c, o) => c.health(rough(o)), { timeoutMS: 1 }, '"timeoutMs"'],
    ["request", (c, o) => c.request(rough(o)), { path: "/x", method: "get" }, "`method` is one of HTTP"],
    [
      "request",
      (c, o) => c.request(rough(o)),
      { path: "/x", query: { a: 5 } },
      "`query` is an object of texts",
    ],
  ];

  for (const [name, call, options, message] of wrong) {
    test(`${name}: ${JSON.stringify(options)}`, async () => {
      const server = await serverOf((_, response) => answer(response, {}));
      const client = createPipelineClient({ host: server.url, retry: false });
      const thrown = async (given: unknown) => {
        try {
          await call(client, given);
        } catch (error) {
          return error;
        }
        return undefined;
      };
      const error = await thrown(options);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toMatch(message);
      for (const none of [null, 5, "x"]) {
        const told = await thrown(none);
        expect(told).toBeInstanceOf(TypeError);
        expect((told as Error).message).toMatch(/are an object, not|a log is that of a node/);
      }
      expect(server.requests).toEqual([]);
    });
  }
});

describe("the fake server", () => {
  test.each(["//", "//?x", "//:", "http://", "/%zz"])("outlives a request of %s", async (path) => {
    const fake = await startFakePipelineServer();
    onTestFinished(() => fake.close());
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(fake.url);
      get({ host: "127.0.0.1", port, path }, ({ statusCode }) => resolve(statusCode)).on("error", reject);
    });
    expect(status).toBe(404);
    expect((await createPipelineClient({ host: fake.url }).health()).multiUser).toBe(false);
  });

  test.each([
    [{ port: "abc" }, "`port` is a whole number up to 65535"],
    [{ prefix: "pipeline" }, "`prefix` begins with a slash"],
    [{ prefix: "/pipeline/" }, "`prefix` begins with a slash"],
    [{ plan: 5 }, "`now`, `plan` and `review` are functions"],
  ])("is not made of %o", async (options, message) => {
    await expect(startFakePipelineServer(rough(options))).rejects.toThrow(message);
  });
});
