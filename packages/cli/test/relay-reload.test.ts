import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RelayError, systemClock } from "@wye/relay";
import { expect, test, vi } from "vitest";
import { flagsOf, served } from "./relay-and-upstream.js";
import { emptyStore, environment, startReloadable } from "./start-reloadable.js";

test("one that cannot be added keeps no other from it, is told, and is added when it can be", async () => {
  const broken = new Set(["q"]);
  const { base, relay, printed, again } = await startReloadable(environment("p"), (context) => {
    if (broken.has(context.environment)) throw new Error("no token: hunter2");
    return emptyStore();
  });
  const all = environment("p") + environment("q") + environment("r");
  await again(all);
  await Promise.all(["sdk-p", "sdk-r"].map((key) => served(base, key)));
  expect((await flagsOf(base, "sdk-q")).status).toBe(503);
  expect(relay.status()).toMatchObject({
    status: "degraded",
    environments: { q: { status: "disconnected", problem: "the log has why" } },
  });
  expect(relay.status().environments.r).not.toHaveProperty("problem");
  expect(printed).toContain("[q] cannot be served: no token: hunter2");
  expect(printed).not.toContain("[q] is added");

  broken.clear();
  await again(all);
  await served(base, "sdk-q");
  expect(relay.status().environments.q).not.toHaveProperty("problem");

  broken.add("r");
  await again(environment("p") + environment("r", "sdk-r", "envId = new\n"));
  expect((await flagsOf(base, "sdk-r")).status).toBe(503);
  expect((await flagsOf(base, "sdk-q")).status).toBe(401);
  await again(environment("p"));
  expect(Object.keys(relay.status().environments)).toEqual(["p"]);
  expect((await flagsOf(base, "sdk-r")).status).toBe(401);
});

test("what is read while an added environment waits for its flags holds at once: a revoked key opens nothing more", async () => {
  const silent = new Set(["q"]);
  const { base, relay, printed, again } = await startReloadable(
    environment("p"),
    ({ environment: name }) => ({
      ...emptyStore(),
      read: () => (silent.has(name) ? new Promise(() => {}) : Promise.resolve(undefined)),
    }),
  );
  await served(base, "sdk-p");
  // No upstream knows this key, and its database never answers.
  const waiting = environment("q", "sdk-unknown");
  await again(environment("p") + waiting);
  expect(printed).toContain("[q] is added");
  await again(environment("p", "sdk-r") + waiting);
  await served(base, "sdk-r");
  expect((await flagsOf(base, "sdk-p")).status).toBe(401);
  await again(environment("p", "sdk-r"));
  expect(Object.keys(relay.status().environments)).toEqual(["p"]);
  expect(printed.filter((line) => line.includes("cannot be served"))).toEqual([]);
});

test("what is read while a removed environment is not over yet holds at once, and so does what is read with it", async () => {
  // What a removed one may take never ends.
  const clock = {
    ...systemClock,
    schedule: (ms: number, run: () => void) => (ms === 5000 ? () => {} : systemClock.schedule(ms, run)),
  };
  const { base, relay, printed, again } = await startReloadable(
    ["p", "q"].map((name) => environment(name)).join(""),
    () => emptyStore(() => new Promise(() => {})),
    clock,
  );
  for (const key of ["sdk-p", "sdk-q"]) await served(base, key);
  // One is removed, and the key of the other one is replaced.
  await again(environment("p", "sdk-r"));
  expect((await flagsOf(base, "sdk-p")).status).toBe(401);
  await served(base, "sdk-r");
  expect(printed).toEqual(expect.arrayContaining(["[q] is removed", "[p] is changed"]));
  // One begins anew, since it gets what was the key of the other one, and that one is added again.
  await again(environment("p", "sdk-q") + environment("other", "sdk-r"));
  for (const key of ["sdk-q", "sdk-r"]) await served(base, key);
  expect(Object.keys(relay.status().environments).sort()).toEqual(["other", "p"]);
  // One gets another ID, for which it has to be started anew.
  await again(environment("p", "sdk-q", "envId = new\n") + environment("other", "sdk-r"));
  expect(printed).toContain("[p] is started anew");
  await served(base, "sdk-q");
});

for (const [name, next] of [
  ["an environment that gets another name", environment("other", "sdk-p")],
  ["one that gets another ID", environment("p", "sdk-p", "envId = new\n")],
] as const)
  test(`${name} is never unknown while its database takes its time`, async () => {
    let letGo = () => {};
    let hasAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      hasAsked = resolve;
    });
    const gone = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { base, again } = await startReloadable(environment("p"), () =>
      emptyStore(() => {
        hasAsked();
        return gone;
      }),
    );
    await served(base, "sdk-p");
    const reloaded = again(next);
    await asked;
    const { status } = await flagsOf(base, "sdk-p");
    letGo();
    await reloaded;
    // Either it is not over yet, or the new one is there already.
    expect([200, 503]).toContain(status);
    await served(base, "sdk-p");
  });

for (const [mode, lines, place] of [
  ["automatic configuration", "[AutoConfig]\nkey = rel-1\n", "[AutoConfig] key"],
  ["another file", "[OfflineMode]\nfileDataSource = flags.json\n", "[OfflineMode] fileDataSource"],
] as const)
  test(`${mode} by mistake and back again loses no change of the environments`, async () => {
    const { base, cwd, again } = await startReloadable(environment("p"), () => emptyStore());
    writeFileSync(join(cwd, "flags.json"), '{"environments":{"p":{"sdkKey":"sdk-p","flags":{}}}}');
    await served(base, "sdk-p");
    expect(await again(lines)).toEqual([place]);
    await served(base, "sdk-p");
    expect(await again(environment("p", "sdk-q"))).toEqual([]);
    await served(base, "sdk-q");
    expect((await flagsOf(base, "sdk-p")).status).toBe(401);
  });

test("what needs a restart is told as long as it is not as at the start", async () => {
  const { again } = await startReloadable(environment("p"), () => emptyStore());
  const other = `${environment("p")}[Wye]\nstatusPort = 9\n`;
  for (const lines of [other, other]) expect(await again(lines)).toEqual(["[Wye] statusPort"]);
  expect(await again(environment("p"))).toEqual([]);
});

test("a mobile key that is not in the file any more opens nothing more", async () => {
  const { base, relay, printed, again } = await startReloadable(
    environment("p", "sdk-p", "mobileKey = mob-1\n"),
    () => emptyStore(),
  );
  await served(base, "sdk-p");
  const context = Buffer.from('{"key":"u"}').toString("base64url");
  const mobile = async (key: string) => {
    const headers = { Authorization: key };
    return (await fetch(`${base}/msdk/evalx/contexts/${context}`, { headers })).status;
  };
  expect([await mobile("mob-1"), await mobile("mob-2")]).toEqual([200, 401]);
  await again(environment("p", "sdk-p", "mobileKey = mob-2\n"));
  expect([await mobile("mob-1"), await mobile("mob-2")]).toEqual([401, 200]);
  expect(await again(environment("p"))).toEqual([]);
  expect([await mobile("mob-1"), await mobile("mob-2")]).toEqual([401, 401]);
  expect(relay.status().environments.p).not.toHaveProperty("mobileKey");
  expect((await flagsOf(base, "sdk-p")).status).toBe(200);
  expect(printed.filter((line) => line === "[p] is changed")).toHaveLength(2);
  await again(environment("p", "sdk-p", "mobileKey = mob-1\n"));
  expect([await mobile("mob-1"), await mobile("mob-2")]).toEqual([200, 401]);
});

test("settings of an environment that are not in the file any more hold no more", async () => {
  const settings = "secureMode = true\nallowedOrigin = http://a.example\nallowedHeader = x-own\nttl = 1h\n";
  const lines = (more: string) => environment("p", "sdk-p", `envId = env-1\n${more}`);
  const { base, again } = await startReloadable(lines(settings), () => emptyStore());
  await served(base, "sdk-p");
  const context = Buffer.from('{"key":"u"}').toString("base64url");
  const seen = async () => {
    const headers = { Origin: "http://b.example" };
    const page = await fetch(`${base}/sdk/evalx/env-1/contexts/${context}`, { headers });
    const poll = await flagsOf(base, "sdk-p");
    return {
      status: page.status,
      origin: page.headers.get("access-control-allow-origin"),
      header: page.headers.get("access-control-allow-headers")?.includes("x-own"),
      expires: poll.headers.has("expires"),
    };
  };
  const withSettings = { status: 400, origin: "http://a.example", header: true, expires: true };
  const without = { status: 200, origin: "http://b.example", header: false, expires: false };
  expect(await seen()).toEqual(withSettings);
  expect(await again(lines(""))).toEqual([]);
  expect(await seen()).toEqual(without);
  expect(await again(lines(settings))).toEqual([]);
  expect(await seen()).toEqual(withSettings);
});

const both = "[Main]\nlogLevel = debug\n[Wye]\nclientPing = true\ndrainTimeout = 1s\nlogFormat = json\n";

test("what holds at once is not said to need a restart", async () => {
  const { printed, followed, again } = await startReloadable(environment("p"), () => emptyStore());
  expect(await again(environment("p") + both)).toEqual([]);
  expect(printed).toContain("[p] is changed");
  expect(followed).toEqual([{ format: "json", level: "debug", levels: new Map() }]);
  await again(environment("p", "sdk-p", "logLevel = none\n"));
  expect(followed.slice(1)).toEqual([{ format: "text", level: "info", levels: new Map([["p", "none"]]) }]);
});

test("all else is said to need a restart, each by its section and its name", async () => {
  const { again } = await startReloadable(environment("p"), () => emptyStore());
  const more = "[Main]\nport = 9\ninitTimeout = 9s\n[Events]\ncapacity = 9\n[Proxy]\ncaCertFiles =\n";
  expect(await again(`${environment("p")}${both}${more}[Prometheus]\nport = 9\n`)).toEqual([
    "[Main] port",
    "[Main] initTimeout",
    "[Events] capacity",
    "[Prometheus] port",
  ]);
});

test("with automatic configuration client streams stay as they are until a restart", async () => {
  const automatic = "[AutoConfig]\nkey = rel-1\n";
  const { running, again } = await startReloadable(automatic, () => emptyStore());
  expect(await again(automatic + both)).toEqual(["[Wye] clientPing"]);
  // What is looked at when it is needed holds all the same.
  expect([running.latest.of("Wye"), running.config.of("Wye")]).toMatchObject([
    { drainTimeout: 1000 },
    { drainTimeout: running.started.of("Wye").drainTimeout },
  ]);
});

test.each(["prefix = other\n", "prefix = p\ntableName = other\n"])(
  "an environment that is kept elsewhere begins anew: %j",
  async (place) => {
    const { printed, again } = await startReloadable(environment("p"), () => emptyStore());
    await again(`[Environment "p"]\nsdkKey = sdk-p\n${place}`);
    expect(printed.filter((line) => line.startsWith("[p] is "))).toEqual(["[p] is started anew"]);
  },
);

test("the status has all that an environment is refused for, and the log what is doubtful", async () => {
  const problems = ["the table must be one", "the prefix must be short"];
  const { relay, printed, again } = await startReloadable(environment("p"), ({ environment: name }) => {
    if (name === "q") throw new RelayError("invalid_options", problems.join("; "), { problems });
    return emptyStore();
  });
  await again(`${environment("p")}${environment("q")}[Stackdriver]\nenabled = true\n`);
  expect(relay.status().environments.q).toMatchObject({ problem: problems.join("; ") });
  expect(printed).toContainEqual(
    expect.stringMatching(/^relay\.conf:\d+: metrics are not sent to Stackdriver/),
  );
});

test("environments in the file of a relay that hears of its own elsewhere need a restart", async () => {
  const { relay, again } = await startReloadable("[AutoConfig]\nkey = rel-1\n", () => emptyStore());
  expect(await again(environment("p"))).toEqual(["[AutoConfig] key"]);
  expect(relay.environments.names()).toEqual([]);
});

test("a relay that ends before what was read is applied, or meanwhile, has nothing to say about it", async () => {
  const { relay, printed, again } = await startReloadable(environment("p"), () => emptyStore());
  await relay.close({ within: 0 });
  const before = printed.length;
  await again(environment("p") + environment("q"));
  expect(printed.slice(before)).toEqual([]);

  const ending = await startReloadable(environment("p"), () =>
    emptyStore(() => ending.relay.close({ within: 0 })),
  );
  await ending.again(environment("p").replace("prefix = p", "prefix = other"));
  expect(ending.printed.filter((line) => /cannot be served|closed/.test(line))).toEqual([]);
});

test("environments that change their keys with each other begin anew", async () => {
  const both = environment("p") + environment("q");
  const { printed, again } = await startReloadable(both, () => emptyStore());
  await again(environment("p", "sdk-q") + environment("q", "sdk-p"));
  expect(printed.filter((line) => line.endsWith(" is started anew")).toSorted()).toEqual([
    "[p] is started anew",
    "[q] is started anew",
  ]);
});

test.each([
  [environment("other", "sdk-p"), "other"],
  [environment("p", "sdk-p", "envId = new\n"), "p"],
])("the keys of what is to come are known before they are removed: %j", async (next, name) => {
  const { relay, again } = await startReloadable(environment("p"), () => emptyStore());
  const told = vi.spyOn(relay.environments, "setUnserved");
  const removed = vi.spyOn(relay.environments, "remove");
  await again(next);
  const [first = 0] = removed.mock.invocationCallOrder;
  const before = told.mock.calls.filter((_, index) => (told.mock.invocationCallOrder[index] ?? 0) < first);
  expect(before.at(-1)?.[0]).toEqual({ [name]: expect.objectContaining({ problem: "it is being started" }) });
});

test("why an environment could not be added is not told once it is not in the file any more", async () => {
  const { relay, again } = await startReloadable(environment("p"), () => emptyStore());
  let fail = (_: Error) => {};
  const add = vi.spyOn(relay.environments, "add").mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  const adding = again(environment("p") + environment("q"));
  await vi.waitUntil(() => add.mock.calls.length > 0);
  await again(environment("p"));
  fail(new Error("no token"));
  await adding;
  expect(Object.keys(relay.status().environments)).toEqual(["p"]);
});

test("nothing is done to environments that are as they were", async () => {
  const { printed, again } = await startReloadable(environment("p"), () => emptyStore());
  await again(environment("p") + environment("q"));
  expect(printed.filter((line) => line.startsWith("[p] is "))).toEqual([]);
});

test.each([
  ["before it is there", ["p"]],
  ["while it waits for its flags", ["p", "q"]],
])("a relay that ends %s says nothing of an environment", async (_, names) => {
  const { relay, printed, again } = await startReloadable(environment("p"), () => emptyStore());
  vi.spyOn(relay.environments, "names").mockReturnValueOnce(["p"]).mockReturnValueOnce(names);
  vi.spyOn(relay.environments, "add").mockRejectedValue(new RelayError("closed", "the relay is closed"));
  await again(environment("p") + environment("q"));
  await new Promise(setImmediate);
  expect(printed.filter((line) => /cannot be served|closed/.test(line))).toEqual([]);
});
