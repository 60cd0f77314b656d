import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { flag, keys, startRelay } from "./start-relay.js";

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const user = { kind: "user", key: "u", name: "Ada" };
const path = (context: unknown, more = "") => `/sdk/evalx/${keys.envId}/contexts/${base64(context)}${more}`;
const targeting = (variation: number) =>
  flag("a", 2 + variation, {
    variations: ["none", "ada", "other"],
    rules: [{ id: "r", variation, clauses: [{ attribute: "name", op: "in", values: ["Ada"] }] }],
    fallthrough: { variation: 0 },
  });
const start = () => startRelay({ data: { [keys.sdkKey]: { flags: { a: targeting(1) } } } });

describe("a context that is asked about again and again", () => {
  test("gets the same answer, and another one as soon as the flags are others", async () => {
    const { fetch, upstream, relay } = await start();
    const answers = [];
    for (let n = 0; n < 4; n++) answers.push(await fetch("GET", path(user)));
    const [first] = answers;
    expect(first?.body).toContain('"value":"ada"');
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toEqual({ status: 200, body: first?.body });
      expect({ ...headers, date: "" }).toEqual({ ...first?.headers, date: "" });
    }
    upstream.environment(keys.sdkKey).patch("flags", targeting(2));
    await expect.poll(async () => (await fetch("GET", path(user))).body, { interval: 5 }).toContain("other");
    expect(relay.status().status).toBe("healthy");
  });

  test("gets what was asked for: reasons, bare values, what its SDK sees, what its own attributes say", async () => {
    const { fetch } = await start();
    for (let n = 0; n < 3; n++) {
      expect((await fetch("GET", path(user, "?withReasons=true"))).body).toContain("RULE_MATCH");
      expect((await fetch("GET", path(user))).body).not.toContain("RULE_MATCH");
      expect((await fetch("GET", path(user).replace("evalx", "eval"))).body).toBe('{"a":"ada"}');
      expect((await fetch("GET", path({ ...user, name: "Eve" }))).body).toContain('"none"');
      const headers = { authorization: keys.mobileKey };
      expect((await fetch("GET", `/msdk/evalx/contexts/${base64(user)}`, { headers })).body).toContain(
        '"ada"',
      );
    }
  });

  test("gets of each kind of SDK what that one may see, however often the others ask", async () => {
    const seen = (key: string, usingMobileKey: boolean, usingEnvironmentId: boolean) =>
      flag(key, 1, { clientSideAvailability: { usingMobileKey, usingEnvironmentId } });
    const flags = {
      all: seen("all", true, true),
      mobiles: seen("mobiles", true, false),
      none: seen("none", false, false),
      pages: seen("pages", false, true),
    };
    const { fetch } = await startRelay({ data: { [keys.sdkKey]: { flags } } });
    const context = base64(user);
    const asked = [
      { path: `/msdk/evalx/contexts/${context}`, key: keys.mobileKey, sees: ["all", "mobiles"] },
      { path: `/sdk/evalx/${keys.envId}/contexts/${context}`, sees: ["all", "pages"] },
      { path: `/sdk/evalx/contexts/${context}`, key: keys.sdkKey, sees: Object.keys(flags) },
    ];
    const inTurn = [...asked, ...asked];
    // Each begins once, and is asked again when the answers of the others are kept.
    for (const first of asked) {
      for (const { path, key, sees } of [first, first, first, ...inTurn]) {
        const headers = key === undefined ? {} : { authorization: key };
        const { status, body } = await fetch("GET", path, { headers });
        expect({ status, sees: Object.keys(JSON.parse(body)) }).toEqual({ status: 200, sees });
      }
    }
  });

  test.each([
    { who: "a service", secureMode: false, isKept: true },
    { who: "an app", secureMode: false, isKept: true },
    { who: "a page", secureMode: false, isKept: true },
    { who: "a service", secureMode: true, isKept: true },
    { who: "an app", secureMode: true, isKept: true },
    { who: "a page", secureMode: true, isKept: false },
  ])(
    "by $who with secure mode $secureMode is answered at once: $isKept",
    async ({ who, secureMode, isKept }) => {
      const atOnce: boolean[] = [];
      const { fetch } = await startRelay({
        environments: { prod: { ...keys, secureMode } },
        mount: (relay) => (req, res) => {
          relay.handler(req, res);
          atOnce.push(res.headersSent);
        },
      });
      const proof = createHmac("sha256", keys.sdkKey).update("u").digest("hex");
      const asked: Readonly<Record<string, readonly [path: string, key: string]>> = {
        "a service": [`/sdk/evalx/contexts/${base64(user)}`, keys.sdkKey],
        "an app": [`/msdk/evalx/contexts/${base64(user)}`, keys.mobileKey],
        "a page": [path(user, `?h=${proof}`), ""],
      };
      const [address = "", authorization = ""] = asked[who] ?? [];
      for (let n = 0; n < 4; n++)
        expect((await fetch("GET", address, { headers: { authorization } })).status).toBe(200);
      // The second answer is kept.
      expect(atOnce).toEqual([false, false, isKept, isKept]);
    },
  );

  test("has to prove each time that it may ask", async () => {
    const { fetch } = await startRelay({
      data: { [keys.sdkKey]: { flags: { a: targeting(1) } } },
      environments: { prod: { ...keys, secureMode: true } },
    });
    const proof = createHmac("sha256", keys.sdkKey).update("u").digest("hex");
    for (let n = 0; n < 3; n++) {
      expect(await fetch("GET", path(user, `?h=${proof}`))).toMatchObject({ status: 200 });
      expect(await fetch("GET", path(user, "?h=wrong"))).toMatchObject({ status: 400 });
    }
  });

  test("gets no answer any more when its environment has gone", async () => {
    const { fetch, relay } = await start();
    for (let n = 0; n < 3; n++) expect((await fetch("GET", path(user))).status).toBe(200);
    await relay.environments.remove("prod");
    expect((await fetch("GET", path(user))).status).toBe(404);
  });
});
