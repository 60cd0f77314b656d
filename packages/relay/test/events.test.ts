import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { FakeData } from "../src/testing/fake-environment.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { events, post, posts, server, start, turn } from "./event-relay.js";
import { startEventsService } from "./events-service.js";
import { keys } from "./start-relay.js";

describe("where events go", () => {
  const mobile = { authorization: keys.mobileKey };
  const cases = [
    { path: "/bulk", headers: { authorization: keys.sdkKey }, to: "/bulk", as: keys.sdkKey },
    { path: "/mobile", headers: mobile, to: "/mobile", as: keys.mobileKey },
    { path: "/mobile/events", headers: mobile, to: "/mobile", as: keys.mobileKey },
    { path: "/mobile/events/bulk", headers: mobile, to: "/mobile", as: keys.mobileKey },
    { path: `/events/bulk/${keys.envId}`, headers: {}, to: `/events/bulk/${keys.envId}`, as: undefined },
  ];
  for (const { path, headers, to, as } of cases) {
    test(`${path} goes to ${to} ${as === undefined ? "without a key" : "with the key of the environment"}`, async () => {
      const { relay, clock } = await start();
      const all = {
        ...headers,
        "x-launchdarkly-event-schema": "3",
        "x-launchdarkly-tags": "application-id/a",
      };
      expect(await post(relay, events(2), all, path)).toMatchObject({ status: 202, body: "" });
      const [received] = await posts(relay, clock, 1);
      expect(received).toMatchObject({
        method: "POST",
        path: to,
        gzip: true,
        body: [{ n: 0 }, { n: 1 }],
        headers: {
          "content-type": "application/json",
          "content-encoding": "gzip",
          "x-launchdarkly-event-schema": "3",
          "x-launchdarkly-tags": "application-id/a",
          "x-launchdarkly-payload-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
          "user-agent": "wye-relay",
        },
      });
      expect(received?.headers.authorization).toBe(as);
    });
  }
});

test("a schema that is no whole number is none: the events are summarised", async () => {
  const { relay, clock } = await start();
  const context = { kind: "user", key: "u" };
  const event = {
    kind: "feature",
    creationDate: 1,
    key: "a",
    version: 1,
    variation: 0,
    value: 1,
    default: 0,
    context,
  };
  for (const schema of ["3.0", "3e0", "0x4", "-3", ""]) {
    await post(relay, JSON.stringify([event]), { ...server, "x-launchdarkly-event-schema": schema });
  }
  const [received] = await posts(relay, clock, 1);
  expect((received!.body as { kind: string }[]).map(({ kind }) => kind)).toEqual(["index", "summary"]);
});

describe("while keys are replaced no event is lost", () => {
  const sdkKeys = { [keys.sdkKey]: { flags: {} } };
  const next = { ...sdkKeys, "sdk-new": { flags: {} } };

  async function prepare(known: string[], data: Record<string, FakeData>) {
    const knownKeys = new Set(known);
    const service = await startEventsService((key) => (key !== undefined && knownKeys.has(key) ? 202 : 401));
    const { relay, clock, counted } = await start({}, data, service.url);
    return {
      knownKeys,
      environments: relay.relay.environments,
      relay,
      clock,
      counted,
      /** Sends a post and gives the key with which upstream has taken it. */
      async send(path: "/bulk" | "/mobile") {
        const before = service.taken.length;
        const authorization = path === "/bulk" ? keys.sdkKey : keys.mobileKey;
        expect(await post(relay, events(1), { ...server, authorization }, path)).toMatchObject({
          status: 202,
        });
        while (service.taken.length === before && (counted.events_dropped ?? 0) === 0) {
          clock.advance(100);
          await turn();
        }
        return service.taken.at(-1)?.key;
      },
    };
  }

  test("the SDK key that upstream knows is used until the new one has delivered", async () => {
    // The events service would take both.
    const { send, environments, relay, counted } = await prepare([keys.sdkKey, "sdk-new"], sdkKeys);
    expect(await send("/bulk")).toBe(keys.sdkKey);
    environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    expect(await send("/bulk")).toBe(keys.sdkKey);
    while (relay.upstream.streamRequests.length < 2) await turn();
    expect(await send("/bulk")).toBe(keys.sdkKey);
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  test("the new SDK key is used as soon as it has delivered", async () => {
    const { send, environments, knownKeys, counted } = await prepare([keys.sdkKey, "sdk-new"], next);
    environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    // Upstream hands out flags with the new key.
    while ((await send("/bulk")) !== "sdk-new") await turn();
    knownKeys.delete(keys.sdkKey);
    expect(await send("/bulk")).toBe("sdk-new");
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  test("events that the events service does not take with one key are sent with another that is accepted", async () => {
    const { send, environments, knownKeys, counted } = await prepare([keys.sdkKey], next);
    environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    for (let n = 0; n < 5; n++) expect(await send("/bulk")).toBe(keys.sdkKey);
    knownKeys.clear();
    knownKeys.add("sdk-new");
    expect(await send("/bulk")).toBe("sdk-new");
    expect(counted.events_dropped ?? 0).toBe(0);
    knownKeys.clear();
    await send("/bulk");
    expect(counted).toMatchObject({ events_dropped: 1 });
  });

  test("so it is with mobile keys, and neither family uses the other's", async () => {
    const { send, environments, knownKeys, counted } = await prepare([keys.sdkKey, keys.mobileKey], sdkKeys);
    environments.rotateKey("prod", { mobileKey: "mob-new" }, { overlap: "1h" });
    expect(await send("/mobile")).toBe(keys.mobileKey);
    knownKeys.add("mob-new");
    expect(await send("/mobile")).toBe("mob-new");
    expect(await send("/bulk")).toBe(keys.sdkKey);
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  for (const known of [[keys.mobileKey], ["mob-new"], [keys.mobileKey, "mob-new"], []]) {
    test(`what was taken under a mobile key that is replaced at once arrives with a key that upstream knows: ${known.join(" or ") || "none"}`, async () => {
      const { environments, relay, clock, counted } = await prepare(known, sdkKeys);
      await post(relay, events(1), { ...server, authorization: keys.mobileKey }, "/mobile");
      environments.rotateKey("prod", { mobileKey: "mob-new" });
      // Another change does not make it forgotten.
      await environments.update("prod", { ttl: "1m" });
      const outcome = () => [counted.events_delivered ?? 0, counted.events_dropped ?? 0];
      while (outcome().join() === "0,0") {
        clock.advance(100);
        await turn();
      }
      expect(outcome()).toEqual(known.length > 0 ? [1, 0] : [0, 1]);
    });
  }
});

describe("what is sent together", () => {
  test("events of the same schema and tags, in order, as they were written", async () => {
    const { relay, clock } = await start();
    await post(relay, ' [ {"kind":"a","x":1.0e2} ,\n{"kind":"b"}] ');
    await post(relay, "[]");
    await post(relay, events(1), { ...server, "x-launchdarkly-tags": "t" });
    await post(relay, events(1, 9), { ...server, "x-launchdarkly-event-schema": "3" });
    await post(relay, events(1, 5));
    const received = await posts(relay, clock, 3);
    expect(received.map(({ body }) => body)).toEqual([
      [{ kind: "a", x: 100 }, { kind: "b" }, { kind: "x", n: 5 }],
      [{ kind: "x", n: 0 }],
      [{ kind: "x", n: 9 }],
    ]);
  });

  test("nothing when there is nothing", async () => {
    const { relay, clock, counted } = await start();
    for (const body of ["[]", "null", "{}", "not json", '[{"kind":']) {
      expect(await post(relay, body), body).toMatchObject({ status: 202 });
    }
    for (let i = 0; i < 50; i++) {
      clock.advance(1000);
      await turn();
    }
    expect(await relay.upstream.takePosts()).toEqual([]);
    expect(counted.events_accepted ?? 0).toBe(0);
  });
});

describe("bodies", () => {
  const large = JSON.stringify([{ kind: "x", text: "y".repeat(5000) }]);
  const unreadable = '{"message":"unable to read request body"}';
  const cases = [
    { name: "empty", body: "", status: 400, text: '{"message":"body may not be empty"}' },
    { name: "at the limit", body: `[${" ".repeat(998)}]`, status: 202 },
    { name: "beyond the limit", body: `[${" ".repeat(999)}]`, status: 413 },
    { name: "gzip", body: gzipSync(events(1)), encoding: "gzip", status: 202 },
    {
      name: "gzip beyond the limit only when unpacked",
      body: gzipSync(large),
      encoding: "gzip",
      status: 413,
    },
    { name: "a bomb", body: gzipSync(Buffer.alloc(20_000_000)).subarray(0), encoding: "gzip", status: 413 },
    {
      name: "gzip cut short",
      body: gzipSync(events(5)).subarray(0, 20),
      encoding: "gzip",
      status: 400,
      text: unreadable,
    },
    { name: "no gzip", body: "plain", encoding: "gzip", status: 400, text: unreadable },
    { name: "an unknown encoding, taken as it is", body: events(1), encoding: "br", status: 202 },
  ];
  for (const { name, body, encoding, status, text } of cases) {
    test(name, async () => {
      const { relay } = await start({ events: { maxBodyBytes: 1000 } });
      const headers = encoding === undefined ? server : { ...server, "content-encoding": encoding };
      const answer = await post(relay, body, headers);
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(text ?? "");
    });
  }

  test("chunked, without a length, is bounded as well", async () => {
    const { relay } = await start({ events: { maxBodyBytes: 1000 } });
    const status = await new Promise((resolve, reject) => {
      import("node:http").then(({ request }) => {
        const req = request(`${relay.url}/bulk`, { method: "POST", headers: server }, (res) =>
          resolve(res.statusCode),
        );
        req.on("error", reject);
        for (let i = 0; i < 20; i++) req.write("x".repeat(100));
        req.end();
      }, reject);
    });
    expect(status).toBe(413);
  });
});

describe("when upstream does not take events", () => {
  for (const answer of [503, 500, 429, 408, 400, "drop"] as const) {
    test(`${answer}: tried again after a second with the same payload ID, then with the next flush`, async () => {
      const { relay, clock, counted } = await start();
      relay.upstream.answerEvents(answer);
      await post(relay, events(2));
      const failed = await posts(relay, clock, 2);
      relay.upstream.answerEvents(202);
      await post(relay, events(1, 2));
      const later = await posts(relay, clock, 2);
      expect(
        new Set([...failed, later[0]].map((one) => one?.headers["x-launchdarkly-payload-id"])).size,
      ).toBe(1);
      expect(later.map(({ body }) => body)).toEqual([
        [
          { kind: "x", n: 0 },
          { kind: "x", n: 1 },
        ],
        [{ kind: "x", n: 2 }],
      ]);
      while (counted.events_delivered !== 3) await turn();
      expect(counted).toMatchObject({ events_accepted: 3, queued_events: 0 });
      expect(counted.events_dropped ?? 0).toBe(0);
    });
  }

  for (const status of [401, 403, 404]) {
    test(`${status}: the post is dropped, the next ones are sent`, async () => {
      const { relay, clock, counted } = await start();
      relay.upstream.answerEvents(status);
      await post(relay, events(2));
      await posts(relay, clock, 1);
      while (counted.events_dropped !== 2) await turn();
      relay.upstream.answerEvents(202);
      await post(relay, events(1, 7));
      expect((await posts(relay, clock, 1))[0]?.body).toEqual([{ kind: "x", n: 7 }]);
    });
  }
});

describe("closing", () => {
  test("sends what is waiting", async () => {
    const { relay } = await start();
    await post(relay, events(3));
    await relay.relay.close({ within: "5s" });
    expect((await relay.upstream.takePosts())[0]?.body).toHaveLength(3);
  });

  for (const [path, body] of [
    ["/bulk", events(3)],
    ["/diagnostic", "{}"],
  ] as const) {
    test(`does not wait for the pause of a post to ${path} that is to be tried again`, async () => {
      const manual = createManualClock();
      let pauses = 0;
      const schedule = (ms: number, run: () => void) => {
        if (ms === 1234) pauses++;
        return manual.schedule(ms, run);
      };
      const { relay } = await start({
        clock: { ...manual, schedule },
        events: { flushInterval: 1000, retryDelay: 1234 },
      });
      relay.upstream.answerEvents(503);
      await post(relay, body, server, path);
      while (pauses === 0) {
        if (path === "/bulk") manual.advance(10);
        await turn();
      }
      relay.upstream.answerEvents(202);
      await relay.upstream.takePosts(1);
      // The clock stands still from here.
      await relay.relay.close({ within: "1h" });
      expect(await relay.upstream.takePosts()).toMatchObject([{ path }]);
    });
  }

  test("twice is the same as once", async () => {
    const { relay } = await start();
    await post(relay, events(3));
    await Promise.all([relay.relay.close({ within: "5s" }), relay.relay.close({ within: "5s" })]);
    await relay.relay.close();
    expect(await relay.upstream.takePosts()).toHaveLength(1);
  });

  test("removing an environment does as well", async () => {
    const { relay } = await start();
    await post(relay, events(3));
    await relay.relay.environments.remove("prod");
    expect((await relay.upstream.takePosts())[0]?.body).toHaveLength(3);
  });

  test("gives up at the deadline and counts what is lost", async () => {
    const { relay, counted } = await start();
    relay.upstream.answerEvents(503);
    await post(relay, events(3));
    await relay.relay.close({ within: 0 });
    expect(counted.events_dropped).toBe(3);
  });
});

test("switched off: 503 everywhere", async () => {
  const { relay } = await start({ events: false });
  const off = { status: 503, body: '{"message":"Event proxy is not enabled for this environment"}' };
  expect(await post(relay, events(1))).toMatchObject(off);
  expect(await post(relay, "{}", server, "/diagnostic")).toMatchObject(off);
  expect(await relay.fetch("GET", `/a/${keys.envId}.gif?d=W10`)).toMatchObject(off);
  const mobile = { authorization: keys.mobileKey };
  for (const path of ["/mobile", "/mobile/events", "/mobile/events/bulk", "/mobile/events/diagnostic"])
    expect(await post(relay, events(1), mobile, path), path).toMatchObject(off);
  for (const path of [`/events/bulk/${keys.envId}`, `/events/diagnostic/${keys.envId}`])
    expect(await post(relay, events(1), {}, path), path).toMatchObject(off);
  expect(await relay.upstream.takePosts()).toEqual([]);
});

describe("diagnostics", () => {
  const body = '{"kind":"diagnostic","id":{"diagnosticId":"d"}}';
  const cases = [
    { path: "/diagnostic", headers: { authorization: keys.sdkKey } },
    { path: "/mobile/events/diagnostic", headers: { authorization: keys.mobileKey } },
    { path: `/events/diagnostic/${keys.envId}`, headers: { origin: "https://a.example" } },
  ];
  for (const { path, headers } of cases) {
    test(`${path} goes on at once, with the headers that the SDK gave it`, async () => {
      const { relay, counted } = await start();
      const own = {
        ...headers,
        "user-agent": "SDK/1",
        "x-launchdarkly-payload-id": "p",
        "x-launchdarkly-tags": "t",
      };
      expect(await post(relay, body, own, path)).toMatchObject({ status: 202 });
      const [received] = await relay.upstream.takePosts(1);
      expect(received).toMatchObject({ path, gzip: true, body: JSON.parse(body), headers: own });
      while (counted.queued_events !== 0) await turn();
    });
  }

  test("are tried once more after a pause", async () => {
    const clock = createManualClock();
    let pauses = 0;
    const schedule = (ms: number, run: () => void) => {
      if (ms === 1234) pauses++;
      return clock.schedule(ms, run);
    };
    const { relay } = await start({ clock: { ...clock, schedule }, events: { retryDelay: 1234 } });
    relay.upstream.answerEvents(503);
    await post(relay, body, server, "/diagnostic");
    const received = [...(await relay.upstream.takePosts(1))];
    while (pauses === 0 && received.length === 1) {
      await turn();
      received.push(...(await relay.upstream.takePosts()));
    }
    expect(received).toHaveLength(1);
    clock.advance(1233);
    await turn();
    expect(await relay.upstream.takePosts()).toEqual([]);
    clock.advance(1);
    expect(await relay.upstream.takePosts(1)).toHaveLength(1);
  });

  test("are tried once more, then forgotten", async () => {
    const { relay, clock } = await start();
    relay.upstream.answerEvents(503);
    await post(relay, body, server, "/diagnostic");
    expect(await posts(relay, clock, 2)).toHaveLength(2);
    for (let i = 0; i < 20; i++) {
      clock.advance(1000);
      await turn();
    }
    expect(await relay.upstream.takePosts()).toEqual([]);
  });
});

describe("events in the address of an image", () => {
  const text = '[{"kind":"identify","key":"ÿ?>"}]';
  const standard = Buffer.from(text).toString("base64");
  const cases = [
    { name: "standard, escaped", d: encodeURIComponent(standard) },
    { name: "standard, not escaped", d: standard },
    { name: "URL-safe without padding", d: Buffer.from(text).toString("base64url") },
  ];
  for (const { name, d } of cases) {
    test(name, async () => {
      const { relay, clock } = await start();
      const answer = await relay.fetch("GET", `/a/${keys.envId}.gif?d=${d}`);
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "image/gif", "content-length": "42" },
      });
      const [received] = await posts(relay, clock, 1);
      expect(received).toMatchObject({
        path: `/events/bulk/${keys.envId}`,
        body: JSON.parse(text),
        headers: { "x-launchdarkly-event-schema": "3" },
      });
    });
  }

  for (const d of ["", "?d=", "?d=!!!", "?d=e30"]) {
    test(`${d || "no d"} gives the image all the same`, async () => {
      const { relay } = await start();
      expect(await relay.fetch("GET", `/a/${keys.envId}.gif${d}`)).toMatchObject({ status: 200 });
    });
  }
});
