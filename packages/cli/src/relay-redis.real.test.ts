import { randomUUID } from "node:crypto";
import { createStoreContext, type FakeUpstream } from "@wye/relay/testing";
import { redisStore } from "@wye/relay-redis";
import { describe, expect, test } from "vitest";
import {
  fakeUpstream,
  flagsOf,
  mainSection,
  served,
  start,
  writeConfig,
} from "../test/relay-and-upstream.js";
import { makeFolder, wye } from "../test/run-program.js";

const url = process.env.WYE_REDIS_URL;
const left = url === undefined ? ", left out: WYE_REDIS_URL names no Redis; .ci/run starts one" : "";

/** What is in Redis under a prefix. */
async function keptUnder(prefix: string): Promise<readonly string[] | undefined> {
  const store = redisStore({ url: url ?? "", prefix })(createStoreContext());
  const items = await store.read(new AbortController().signal);
  await store.close();
  return items?.map(({ kind, key }) => `${kind}/${key}`);
}

const announced = {
  envID: "env-1",
  envKey: "key-1",
  envName: "Name 1",
  mobKey: "mob-1",
  projKey: "shop",
  projName: "Shop",
  sdkKey: { value: "sdk-1" },
  defaultTtl: 0,
  secureMode: false,
  version: 1,
};

const origins = [
  {
    name: "environments of the configuration",
    lines: (prefix: string) => ['[Environment "a"]', "sdkKey = sdk-1", `prefix = ${prefix}-env-1`],
    announce() {},
  },
  {
    name: "environments of automatic configuration",
    lines: (prefix: string) => ["[AutoConfig]", "key = rel-1", `envDatastorePrefix = ${prefix}-$CID`],
    announce: (upstream: FakeUpstream) =>
      upstream.autoConfig("rel-1").setConfiguration({ environments: { "env-1": announced } }),
  },
];

describe.skipIf(url === undefined)(`flags in Redis${left}`, () => {
  test.each(origins)("$name: are written, and served when upstream says nothing", async (origin) => {
    const prefix = `wye-cli-${randomUUID()}`;
    const upstream = await fakeUpstream("sdk-1");
    origin.announce(upstream);
    const redis = ["[Redis]", `url = ${url}`, ...origin.lines(prefix)].join("\n");
    const cwd = makeFolder();
    writeConfig(cwd, `${mainSection(upstream, "exitAlways")}${redis}\n`);
    expect(await wye(["relay", "--config", "relay.conf"], { cwd })).toMatchObject({ code: 0, err: "" });
    expect(await keptUnder(`${prefix}-env-1`)).toEqual(["flags/my-flag"]);
    expect(await keptUnder(prefix)).toBeUndefined();

    upstream.environment("sdk-1").answer("silent");
    const relay = await start(`${mainSection(upstream)}${redis}\n`);
    await served(relay.base, "sdk-1");
    expect(Object.keys(await (await flagsOf(relay.base, "sdk-1")).json())).toEqual(["my-flag"]);
    expect(await relay.end()).toBe(0);
  });
});
