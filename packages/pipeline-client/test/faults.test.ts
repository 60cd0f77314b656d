import { describe, expect, onTestFinished, test } from "vitest";
import {
  createPipelineClient,
  type PipelineClientError,
  type PipelineClientOptions,
  type RetryEvent,
} from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";
import { answer, serverOf } from "./scripted-server.js";

const rejection = (promise: Promise<unknown>): Promise<PipelineClientError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: PipelineClientError) => error,
  );

/** A client that tries again without waiting for it. */
function clientOf(host: string, options: Partial<PipelineClientOptions> = {}) {
  return createPipelineClient({ host, retry: { baseDelayMs: 0 }, ...options });
}

const run = { run_id: "r", state: "RUNNING" };

describe("failures that may pass", () => {
  test("are tried again where that can do no harm", async () => {
    const server = await serverOf((_, response, index) => {
      if (index === 0) response.destroy();
      else if (index < 4) answer(response, { code: 14, message: "x" }, [0, 502, 503, 504][index]);
      else answer(response, run);
    });
    const events: RetryEvent[] = [];
    const client = clientOf(server.url, { onRetry: (event) => events.push(event) });
    expect((await client.runs.get({ id: "r" })).runId).toBe("r");
    expect(events.map(({ attempt, error }) => [attempt, error.code])).toEqual([
      [1, "network"],
      [2, "server_error"],
      [3, "server_error"],
      [4, "server_error"],
    ]);
  });

  test("are not tried again where they may have done something", async () => {
    for (const status of [500, 502, 503, 504]) {
      const server = await serverOf(({ method }, response) =>
        answer(response, { code: 13, message: "x" }, method === "POST" ? status : 404),
      );
      const client = clientOf(server.url);
      await rejection(client.pipelines.create({ name: "p" }));
      await rejection(client.pipelines.upload(helloPipeline));
      await rejection(client.runs.retry({ id: "r" }));
      await rejection(client.runs.create({ file: helloPipeline }));
      expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(4);
    }
  });

  test("are not tried again more often than the client may", async () => {
    const server = await serverOf((_, response) => answer(response, "", 503));
    const error = await rejection(
      clientOf(server.url, { retry: { limit: 2, baseDelayMs: 0 } }).runs.get({ id: "r" }),
    );
    expect([error.code, error.attempts, error.retryable, server.requests.length]).toEqual([
      "server_error",
      3,
      true,
      3,
    ]);
    const never = await rejection(clientOf(server.url, { retry: false }).runs.get({ id: "r" }));
    expect(never.attempts).toBe(1);
  });

  test.each(["archive", "unarchive", "terminate"] as const)(
    "do not keep %s from being done",
    async (verb) => {
      const server = await serverOf((_, response, index) =>
        index < 2 ? response.destroy() : answer(response, {}),
      );
      await clientOf(server.url).runs[verb]({ id: "r" });
      expect(server.requests).toHaveLength(3);
    },
  );

  test("do not make an error of a deletion that was carried out", async () => {
    const server = await serverOf((_, response, index) =>
      index === 0 ? response.destroy() : answer(response, { code: 5, message: "gone" }, 404),
    );
    await clientOf(server.url).runs.delete({ id: "r" });
    expect((await rejection(clientOf(server.url).runs.delete({ id: "r" }))).code).toBe("not_found");
  });
});

describe("a run whose answer gets lost", () => {
  test("is found again and not started twice", async () => {
    const fake = await startFakePipelineServer({ plan: () => [] });
    onTestFinished(fake.close);
    const client = clientOf(fake.url, {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (init.method === "POST" && url.endsWith("/runs")) throw new TypeError("fetch failed");
        return response;
      },
    });
    const made = await client.runs.create({ file: helloPipeline, name: "once" });
    expect(made.displayName).toBe("once");
    expect([...fake.store.runs.keys()]).toEqual([made.runId]);
  });

  test("is told with its id when nobody knows of it", async () => {
    const server = await serverOf(({ method }, response) =>
      method === "POST" ? response.destroy() : answer(response, { code: 5, message: "no" }, 404),
    );
    const error = await rejection(clientOf(server.url).runs.create({ file: helloPipeline, runId: "mine" }));
    expect(error).toMatchObject({ code: "network", remedy: expect.stringContaining("ask for mine before") });
    expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("a server that is killed while a file is uploaded", () => {
  test("is told as a lost connection, and the file is not sent again", async () => {
    const big = `${helloPipeline}#${"x".repeat(4_000_000)}\n`;
    let heads = 0;
    const { createServer } = await import("node:net");
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        heads++;
        socket.resetAndDestroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.address() as { readonly port: number };
    const error = await rejection(
      clientOf(`http://127.0.0.1:${port}`).pipelines.upload(big, { name: "big" }),
    );
    expect([error.code, error.attempts, heads]).toEqual(["network", 1, 1]);
  });
});

test("a server that is not there has taken nothing, so that everything is tried again", async () => {
  const server = await serverOf(() => {});
  await server.close();
  const error = await rejection(clientOf(server.url).experiments.create("e"));
  expect([error.code, error.attempts]).toEqual(["network", 5]);
});

describe("401", () => {
  test("has the token fetched once more, also for what may not be done twice", async () => {
    const server = await serverOf(({ headers }, response) =>
      headers.authorization === "Bearer new"
        ? answer(response, { experiment_id: "e" })
        : answer(response, { code: 16, message: "who?" }, 401),
    );
    const asked: boolean[] = [];
    const token = ({ isRenewal }: { readonly isRenewal: boolean }) => {
      asked.push(isRenewal);
      return isRenewal ? "new" : "old";
    };
    const client = clientOf(server.url, { auth: { token } });
    expect((await client.experiments.create("e")).experimentId).toBe("e");
    expect(asked).toEqual([false, true]);
  });

  test.each([
    ["a redirect to its login", 302, "text/plain"],
    ["its login page", 200, "text/html"],
  ])("is what a gateway means by %s: the session is fetched once more", async (_, status, type) => {
    const server = await serverOf(({ headers }, response) => {
      if (headers.cookie === "session=2") return answer(response, { experiment_id: "e" });
      const location = status === 302 ? { location: "/dex/auth?client_id=kubeflow" } : {};
      return response.writeHead(status, { "content-type": type, ...location }).end("<html>");
    });
    const asked: boolean[] = [];
    const cookie = ({ isRenewal }: { readonly isRenewal: boolean }) => {
      asked.push(isRenewal);
      return `session=${isRenewal ? 2 : 1}`;
    };
    const client = clientOf(server.url, { auth: { cookie } });
    expect((await client.experiments.create("e")).experimentId).toBe("e");
    expect(asked).toEqual([false, true]);
    const ended = await rejection(clientOf(server.url, { auth: { cookie: () => "session=0" } }).health());
    expect([ended.code, ended.attempts]).toEqual(["login_required", 2]);
  });

  test("is final when the new token is refused as well, and when there is nothing that gives one", async () => {
    const server = await serverOf((_, response) => answer(response, { code: 16, message: "who?" }, 401));
    for (const [auth, attempts] of [
      [{ token: async () => "t" }, 2],
      [{ token: "t" }, 1],
      [{}, 1],
    ] as const) {
      const error = await rejection(clientOf(server.url, { auth }).runs.get({ id: "r" }));
      expect([error.code, error.attempts, error.remedy?.includes("`auth`")]).toEqual([
        "unauthenticated",
        attempts,
        true,
      ]);
    }
  });
});

describe("429", () => {
  test("is waited out as long as the server asks, also for what may not be done twice", async () => {
    const server = await serverOf((_, response, index) =>
      index === 0
        ? answer(response, "slow down", 429, { "retry-after": "0" })
        : answer(response, { experiment_id: "e" }),
    );
    expect((await clientOf(server.url).experiments.create("e")).experimentId).toBe("e");
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["seconds", { "retry-after": "3600" }, 3_600_000],
    [
      "a date, by the clock of the server",
      { date: "Mon, 01 Jan 2001 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2001 01:00:00 GMT" },
      3_600_000,
    ],
    ["nonsense", { "retry-after": "soon" }, undefined],
  ])("with %s is told when that is longer than the client waits", async (_, headers, retryAfterMs) => {
    const server = await serverOf((_, response) => answer(response, "", 429, headers));
    const error = await rejection(
      clientOf(server.url, { retry: { limit: retryAfterMs === undefined ? 0 : 4 } }).runs.get({ id: "r" }),
    );
    expect([error.code, error.retryAfterMs, error.attempts]).toEqual(["rate_limited", retryAfterMs, 1]);
  });
});

describe("somebody who never answers", () => {
  test.each<[string, Partial<PipelineClientOptions>]>([
    ["the server", {}],
    ["the fetch of the host", { fetch: () => new Promise(() => {}) }],
  ])("is left after the time of an attempt: %s", async (_, options) => {
    const server = await serverOf(() => {});
    const error = await rejection(
      clientOf(server.url, { timeoutMs: 20, retry: false, ...options }).runs.get({ id: "r" }),
    );
    expect([error.code, error.message.includes("within 20 ms (")]).toEqual(["timeout", true]);
  });

  test("is left as well when it gives the token, and told as what nothing was sent for", async () => {
    const server = await serverOf(() => {});
    const auth = { token: () => new Promise<string>(() => {}) };
    const hasty = clientOf(server.url, { timeoutMs: 20, retry: { limit: 1, baseDelayMs: 0 }, auth });
    // What was not sent can be sent again, whatever it is.
    for (const call of [hasty.runs.get({ id: "r" }), hasty.runs.create({ file: helloPipeline })])
      expect(await rejection(call)).toMatchObject({
        ...{ code: "credentials", retryable: true, attempts: 2 },
        message: expect.stringContaining("no credentials within 20 ms ("),
        remedy: expect.stringContaining("`auth` of the client"),
      });
    expect(server.requests).toEqual([]);
  });

  test("ends in the middle of a body", async () => {
    const server = await serverOf((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"run_id":');
    });
    expect(
      (await rejection(clientOf(server.url, { timeoutMs: 50, retry: false }).runs.get({ id: "r" }))).code,
    ).toBe("timeout");
  });

  test("is left when the call is over, however many attempts there are left", async () => {
    const server = await serverOf(() => {});
    const error = await rejection(
      clientOf(server.url, { timeoutMs: 1_000_000, deadlineMs: 50 }).runs.get({ id: "r" }),
    );
    expect(error).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(/ms that were left of the call \(/),
    });
  });

  test("is left when the signal says so", async () => {
    const server = await serverOf(() => {});
    const reason = new Error("enough");
    const controller = new AbortController();
    const pending = rejection(clientOf(server.url).runs.get({ id: "r" }, { signal: controller.signal }));
    controller.abort(reason);
    expect(await pending).toBe(reason);
    expect(
      await rejection(clientOf(server.url).runs.get({ id: "r" }, { signal: AbortSignal.abort(reason) })),
    ).toBe(reason);
  });
});

describe("a gateway with a login page", () => {
  test.each([
    [
      "a page with 200",
      200,
      { "content-type": "text/html" },
      "<html><title>Log in</title></html>",
      "login_required",
    ],
    [
      "a redirect to another host",
      302,
      { location: "https://dex.example/auth?state=secret" },
      "",
      "login_required",
    ],
    ["a redirect to another page", 302, { location: "/oauth2/start" }, "", "login_required"],
    ["a redirect elsewhere", 301, { location: "https://new.example/" }, "", "redirected"],
    ["text with 200", 200, { "content-type": "text/plain" }, "hello", "invalid_response"],
    ["nothing with 200", 200, {}, "", "invalid_response"],
  ])("is told: %s", async (_, status, headers, body, code) => {
    const server = await serverOf((_, response) => void response.writeHead(status, headers).end(body));
    const error = await rejection(clientOf(server.url, { retry: false }).runs.list().page());
    expect(error.code).toBe(code);
    expect(error.message).not.toContain("secret");
  });
});

describe("an error", () => {
  test.each([
    [
      "nested wrappings",
      {
        code: 13,
        message:
          "Failed to create a new run: InternalServerError: Failed: Invalid input error: Run name cannot be empty",
        details: [{ message: "Internal Server Error" }],
      },
      "Run name cannot be empty",
    ],
    [
      "a detail for people",
      { code: 5, message: "a: b", details: [{ message: "Run nope not found" }] },
      "Run nope not found",
    ],
    ["a stack trace", { code: 13, message: "Internal error: boom\ngoroutine 1 [running]" }, "boom"],
    [
      "an upload",
      { error_message: "Failed to create", error_details: "Failed to create\nstack" },
      "Failed to create",
    ],
    [
      "text",
      "Invalid input error: Pipeline.Name length cannot exceed 128\n",
      "Pipeline.Name length cannot exceed 128",
    ],
    ["a page", "<html><head><title>502 Bad Gateway</title>", "502 Bad Gateway"],
    ["nothing", "", "the server answered 400"],
    ["orders to a terminal", { code: 3, message: "\u001b[2J\u202egone" }, "[2J gone"],
  ])("tells what the server said, of %s", async (_, body, reason) => {
    const server = await serverOf((_, response) => answer(response, body, 400));
    const error = await rejection(clientOf(server.url).runs.get({ id: "r" }));
    expect(error.message.startsWith(`${reason} (400, GET ${server.url}/apis/v2beta1/runs/r)`)).toBe(true);
  });

  test("holds no credential, whoever repeats it", async () => {
    const [token, cookie, header] = ["tok/en+1234", "s3ss%ion=abcdef", "us\u00e9r-secret"];
    const server = await serverOf(({ headers }, response) =>
      answer(
        response,
        {
          code: 3,
          message: `${headers.authorization} ${headers.cookie} ${token} ${encodeURIComponent(token)}`,
          details: [],
        },
        400,
      ),
    );
    const auth = { token, cookie: `authservice_session=${cookie}`, headers: { "x-user": header } };
    const failures = [
      await rejection(clientOf(server.url, { auth }).runs.get({ id: "r" })),
      await rejection(
        clientOf(server.url, {
          auth,
          retry: false,
          fetch: (_, init) =>
            Promise.reject(
              Object.assign(new Error(`no ${token}`), { cause: new Error(JSON.stringify(init.headers)) }),
            ),
        }).runs.get({ id: "r" }),
      ),
      await rejection(
        clientOf(server.url, { auth: { token: "a\u2028b-secret" }, retry: false }).runs.get({ id: "r" }),
      ),
    ];
    for (const error of failures) {
      const { inspect } = await import("node:util");
      const shown = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
      for (const secret of [token, "abcdef", header, "b-secret", encodeURIComponent(token)])
        expect(shown).not.toContain(secret);
    }
  });
});

test("functions of the host that throw end nothing but the call", async () => {
  const server = await serverOf((_, response, index) =>
    index === 0 ? response.destroy() : answer(response, run),
  );
  const broken = (): never => {
    throw new Error("broken");
  };
  expect((await clientOf(server.url, { onRetry: broken }).runs.get({ id: "r" })).runId).toBe("r");
  const failures = await Promise.all([
    rejection(clientOf(server.url, { fetch: broken, retry: false }).runs.get({ id: "r" })),
    rejection(clientOf(server.url, { fetch: () => null as never, retry: false }).runs.get({ id: "r" })),
    rejection(clientOf(server.url, { auth: { token: broken } }).runs.get({ id: "r" })),
    rejection(clientOf(server.url, { auth: { token: () => ({}) as never } }).runs.get({ id: "r" })),
    rejection(clientOf(server.url, { auth: { headers: () => "x" as never } }).runs.get({ id: "r" })),
  ]);
  expect(failures.map(({ code }) => code)).toEqual([
    "network",
    "network",
    "credentials",
    "credentials",
    "credentials",
  ]);
});

test("options that make no sense are refused by name, and credentials are not repeated", () => {
  for (const [options, message] of [
    [{ hots: "x" }, /did you mean "host"/],
    [{ host: "ftp://x" }, /host/],
    [{ host: "http://user:secret@x" }, /host/],
    [{ host: "http://x?y" }, /host/],
    [{ host: "x", timeoutMs: -1 }, /timeoutMs/],
    [{ host: "x", retry: { limits: 1 } }, /limits/],
    [{ host: "x", auth: { token: 3 } }, /auth.token/],
    [{ host: "x", auth: { tokens: "secret" } }, /tokens/],
    [{ host: "x", fetch: "f" }, /fetch/],
  ] as const) {
    expect(() => createPipelineClient(options as never)).toThrow(TypeError);
    expect(() => createPipelineClient(options as never)).toThrow(message);
    expect(() => createPipelineClient(options as never)).not.toThrow(/secret/);
  }
});

test("ids lead nowhere else, whatever they hold", async () => {
  const server = await serverOf(({ path }, response) =>
    answer(response, { ...run, run_id: decodeURIComponent(path.split("/").at(-1) ?? "") }),
  );
  const client = clientOf(server.url);
  for (const id of [
    "a/b",
    "a:terminate",
    "a?x=1",
    "a#b",
    "../experiments",
    "%2e%2e",
    "ü 🎉",
    "a\u0000b",
    "\ud800",
  ]) {
    await client.runs.get({ id });
    const { path, method } = server.requests.at(-1)!;
    expect([method, path.split("/").length, path.startsWith("/apis/v2beta1/runs/")]).toEqual([
      "GET",
      5,
      true,
    ]);
  }
  for (const id of [".", "..", ""])
    expect(await rejection(client.runs.get({ id }))).toBeInstanceOf(TypeError);
});
