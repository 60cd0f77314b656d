import { describe, expect, test, vi } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";

const until = (look: () => unknown) => vi.waitFor(look, { timeout: 120_000, interval: 5 });

describe("keys", () => {
  const start = 1_700_000_000_000;
  const hour = 3_600_000;
  interface Row {
    readonly name: string;
    /** What is announced, one after the other. */
    readonly announced: readonly { value: string; expiring?: { value: string; timestamp: number } }[];
    /** Which of sdk-1 to sdk-4 are accepted at once, and after an hour. */
    readonly now: readonly string[];
    readonly later: readonly string[];
  }
  const soon = start + hour;
  const rows: readonly Row[] = [
    {
      name: "the same key and no expiring one",
      announced: [{ value: "sdk-1" }, { value: "sdk-1" }],
      now: ["sdk-1"],
      later: ["sdk-1"],
    },
    {
      name: "a new key and no expiring one: the old one is gone at once",
      announced: [{ value: "sdk-1" }, { value: "sdk-2" }],
      now: ["sdk-2"],
      later: ["sdk-2"],
    },
    {
      name: "a new key, and the old one expires",
      announced: [{ value: "sdk-1" }, { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } }],
      now: ["sdk-1", "sdk-2"],
      later: ["sdk-2"],
    },
    {
      name: "an expiring key in the first announcement, as after a restart",
      announced: [{ value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } }],
      now: ["sdk-1", "sdk-2"],
      later: ["sdk-2"],
    },
    {
      name: "an expiring key that was never seen: it is accepted, and the old one gone",
      announced: [{ value: "sdk-1" }, { value: "sdk-2", expiring: { value: "sdk-3", timestamp: soon } }],
      now: ["sdk-2", "sdk-3"],
      later: ["sdk-2"],
    },
    {
      name: "two rotations: both old keys stay until their own moments",
      announced: [
        { value: "sdk-1" },
        { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } },
        { value: "sdk-3", expiring: { value: "sdk-2", timestamp: soon + 1 } },
      ],
      now: ["sdk-1", "sdk-2", "sdk-3"],
      later: ["sdk-2", "sdk-3"],
    },
    {
      name: "a rotation without expiring key after one with: the first old key stays",
      announced: [
        { value: "sdk-1" },
        { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } },
        { value: "sdk-3" },
      ],
      now: ["sdk-1", "sdk-3"],
      later: ["sdk-3"],
    },
    {
      name: "an expiring key whose moment is moved",
      announced: [
        { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } },
        { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon + hour } },
      ],
      now: ["sdk-1", "sdk-2"],
      later: ["sdk-1", "sdk-2"],
    },
    {
      name: "a moment that has passed: the key is gone",
      announced: [{ value: "sdk-1" }, { value: "sdk-2", expiring: { value: "sdk-1", timestamp: start - 1 } }],
      now: ["sdk-2"],
      later: ["sdk-2"],
    },
    {
      name: "back to a key that was expiring",
      announced: [
        { value: "sdk-1" },
        { value: "sdk-2", expiring: { value: "sdk-1", timestamp: soon } },
        { value: "sdk-1", expiring: { value: "sdk-2", timestamp: soon } },
      ],
      now: ["sdk-1", "sdk-2"],
      later: ["sdk-1"],
    },
    {
      name: "no key at all: it stays",
      announced: [{ value: "sdk-1" }, { value: "" }],
      now: ["sdk-1"],
      later: ["sdk-1"],
    },
  ];
  for (const row of rows) {
    test(row.name, async () => {
      const clock = createManualClock(start);
      const [first, ...others] = row.announced;
      const relay = await startAutoConfigured(
        { environments: environmentsOf(announced(9, { sdkKey: first })) },
        { options: { clock } },
      );
      for (const [at, sdkKey] of others.entries())
        relay.configuration.patch(
          "environments",
          "env-9",
          announced(9, { sdkKey, version: at + 2, envName: `version ${at + 2}` }),
        );
      const last = others.length === 0 ? "Name 9" : `version ${others.length + 1}`;
      await until(() => expect(relay.relay.status().environments["env-9"]?.envName).toBe(last));
      const all = ["sdk-1", "sdk-2", "sdk-3", "sdk-4"];
      expect(await relay.accepted(...all)).toEqual(row.now);
      clock.advance(hour);
      expect(await relay.accepted(...all)).toEqual(row.later);
    });
  }

  test("a new mobile key takes the place of the old one; without one the old one stays", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
    const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");
    const statusOf = async (authorization: string) =>
      (await relay.fetch("GET", `/msdk/evalx/contexts/${alice}`, { headers: { authorization } })).status;
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, mobKey: "mob-new" }));
    await until(async () => expect(await statusOf("mob-new")).toBe(200));
    expect(await statusOf("mob-1")).toBe(401);
    relay.configuration.patch(
      "environments",
      "env-1",
      announced(1, { version: 3, mobKey: "", envName: "3" }),
    );
    await until(() => expect(relay.relay.status().environments["env-1"]?.envName).toBe("3"));
    expect(await statusOf("mob-new")).toBe(200);
  });

  test("while the key changes, requests go on being served", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
    relay.upstream.environment("sdk-2").answer("silent");
    const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
    const next = announced(1, { version: 2, sdkKey: { value: "sdk-2", expiring } });
    relay.configuration.patch("environments", "env-1", next);
    await relay.upstream.environment("sdk-2").opened();
    expect([await relay.poll("sdk-1"), await relay.poll("sdk-2")]).toEqual([1, 1]);
    expect(relay.relay.status().environments["env-1"]?.expiringSdkKey).toBe("sdk-*");
  });
});
