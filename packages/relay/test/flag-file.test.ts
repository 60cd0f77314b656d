import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isRelayError } from "../src/error.js";
import { checkOfflineFile } from "../src/offline/check-offline-file.js";
import { flagFile } from "../src/offline/flag-file.js";
import { completeItem } from "../src/testing/complete-item.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { makeFolder, startOffline } from "./start-offline.js";
import { keys, startRelay } from "./start-relay.js";

const own = { sdkKey: "sdk-dev", mobileKey: "mob-dev", envId: "dev" };
const contextOf = (key: string) => Buffer.from(`{"kind":"user","key":"${key}"}`).toString("base64url");

/** The values that a page gets from a relay on a file with this text. */
async function valuesOf(text: string, user = "alice"): Promise<unknown> {
  const relay = await startOffline("flags.yaml", text, { keys: own });
  expect(relay.errors).toEqual([]);
  const { body } = await relay.fetch("GET", `/sdk/eval/dev/contexts/${contextOf(user)}`);
  return JSON.parse(body);
}

describe("flags that people write", () => {
  const texts = {
    "names with values alone": `
# a comment
my-flag: true
off: false
greeting: hello
limit: 1.5
list: { variations: [[1, 2], []] }
nothing: null
`,
    "values in the section of the official SDKs' files": `
flagValues: { my-flag: true, "off": false, greeting: hello, limit: 1.5, list: [1, 2], nothing: null }
`,
    JSON: '{"flags":{"my-flag":true,"off":false,"greeting":"hello","limit":1.5,"nothing":null},"flagValues":{"list":[1,2]}}',
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, async () => {
      expect(await valuesOf(text)).toEqual({
        "my-flag": true,
        off: false,
        greeting: "hello",
        limit: 1.5,
        list: [1, 2],
        nothing: null,
      });
    });
  }

  const full = `
flags:
  simple: { variations: [a, b] }
  switched-off: { on: false, variations: [a, b], offVariation: 1 }
  targeted: &targeted
    variations: [a, b]
    fallthrough: { variation: 1 }
    targets: [{ variation: 0, values: [alice] }]
  the-same:
    <<: *targeted
    key: the-same
  ruled:
    variations: [a, b]
    fallthrough: { variation: 1 }
    rules:
      - clauses: [{ op: segmentMatch, values: [team] }]
        variation: 0
  dependent:
    variations: [a, b]
    prerequisites: [{ key: targeted, variation: 0 }]
    offVariation: 1
  hidden:
    variations: [a]
    clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: false }
  hidden-as-before: { variations: [a], clientSide: false }
segments:
  team: { included: [alice] }
`;
  test("in full, with what is left out", async () => {
    const expected = {
      simple: "a",
      "switched-off": "b",
      targeted: "a",
      "the-same": "a",
      ruled: "a",
      dependent: "a",
    };
    expect(await valuesOf(full)).toEqual(expected);
    expect(await valuesOf(full, "bob")).toEqual({
      ...expected,
      targeted: "b",
      "the-same": "b",
      ruled: "b",
      dependent: "b",
    });
  });

  test("every item is completed to what strict SDKs insist on: all that ld-relay writes", async () => {
    const relay = await startOffline("flags.yaml", `${full}flagValues: { short: true }`, { keys: own });
    const { body } = await relay.fetch("GET", "/sdk/latest-all", { headers: { authorization: "sdk-dev" } });
    const { flags, segments } = JSON.parse(body);
    expect(Object.keys(flags)).toHaveLength(9);
    for (const flag of Object.values(flags))
      expect(flag).toEqual(expect.objectContaining(completeItem("flags", flag)));
    for (const segment of Object.values(segments)) {
      const { generation: _, ...rest } = completeItem("segments", segment);
      expect(segment).toEqual(expect.objectContaining(rest));
    }
    expect(flags.short).toEqual({
      key: "short",
      version: 1,
      on: true,
      prerequisites: [],
      targets: [],
      contextTargets: [],
      rules: [],
      fallthrough: { variation: 0 },
      offVariation: 1,
      variations: [true, false],
      clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
      clientSide: true,
      salt: "short",
      trackEvents: false,
      trackEventsFallthrough: false,
      debugEventsUntilDate: null,
      deleted: false,
    });
  });

  test("names that mean something to JavaScript are names", async () => {
    const text = '{"flags":{"__proto__":true,"constructor":"c","toString":{"variations":[1]}}}';
    expect(JSON.stringify(await valuesOf(text))).toBe('{"__proto__":true,"constructor":"c","toString":1}');
  });

  test("members that come with later versions of the protocol are kept", async () => {
    const relay = await startOffline("f.json", '{"flags":{"a":{"variations":[1],"aspect":{"b":2}}}}', {
      keys: own,
    });
    const { body } = await relay.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-dev" } });
    expect(JSON.parse(body).a).toMatchObject({ aspect: { b: 2 } });
  });
});

describe("several environments in one file", () => {
  const text = `
flags:
  everywhere: shared
  differs: shared
environments:
  staging:
    sdkKey: sdk-staging
    mobileKey: mob-staging
    envId: staging
    flags: { differs: staging, only-here: true }
  production: { sdkKey: sdk-production, secureMode: true, ttl: 5m }
`;
  test("have their own keys and flags beside the shared ones, under their names", async () => {
    const relay = await startOffline("flags.yml", text);
    expect(Object.keys(relay.relay.status().environments)).toEqual(["production", "staging"]);
    const valuesFor = async (sdkKey: string) => {
      const path = `/sdk/eval/contexts/${contextOf("alice")}`;
      return JSON.parse((await relay.fetch("GET", path, { headers: { authorization: sdkKey } })).body);
    };
    expect(await valuesFor("sdk-staging")).toEqual({
      everywhere: "shared",
      differs: "staging",
      "only-here": true,
    });
    expect(await valuesFor("sdk-production")).toEqual({ everywhere: "shared", differs: "shared" });
    expect(await checkOfflineFile(relay.path)).toEqual({
      format: "flags",
      environments: ["staging", "production"],
      problems: [],
    });
  });

  test("come, go, and change places of keys and names when the file changes", async () => {
    const relay = await startOffline("flags.yml", text);
    await relay.replace(
      "environments: { staging: { sdkKey: sdk-production }, production: { sdkKey: sdk-staging } }",
    );
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-staging")) === "{}");
    expect(relay.relay.status().environments.staging).toMatchObject({ sdkKey: "sdk-*******ion" });
    expect(relay.relay.status().environments.staging).not.toHaveProperty("envId");
    await relay.replace("environments: { staging: { sdkKey: sdk-staging } }");
    await relay.until(async () => (await relay.poll("sdk-production")) === 401);
    expect(Object.keys(relay.relay.status().environments)).toEqual(["staging"]);
    expect(relay.errors).toEqual([]);
  });

  for (const { name, half, keys } of [
    { name: "before its environments", half: "flags: { a: 2 }\n", keys: own },
    { name: "before the second one", half: "flags: { a: 2 }\nenvironments:\n  one: { sdkKey: sdk-1 }\n" },
    {
      name: "before a mobile key",
      half: "flags: { a: 2 }\nenvironments:\n  one: { sdkKey: sdk-1 }\n  two:\n    sdkKey: sdk-2\n",
    },
  ])
    test(`stay while a file is being written that ends ${name}: who has an unknown key stops for good`, async () => {
      const rest = "environments:\n  one: { sdkKey: sdk-1 }\n  two: { sdkKey: sdk-2, mobileKey: mob-2 }\n";
      const said: string[] = [];
      const logger = { debug() {}, info() {}, warn: (line: string) => void said.push(line), error() {} };
      const relay = await startOffline("flags.yml", `flags: { a: 1 }\n${rest}`, keys && { keys }, { logger });
      const mobile = `/msdk/evalx/contexts/${contextOf("alice")}`;
      const statuses = async () => [
        await relay.poll("sdk-1"),
        await relay.poll("sdk-2"),
        (await relay.fetch("GET", mobile, { headers: { authorization: "mob-2" } })).status,
      ];
      await writeFile(relay.path, half);
      const warned = () => said.filter((line) => line.includes('keys of "')).length;
      await relay.until(async () => {
        expect(await statuses()).toEqual([{ a: 1 }, { a: 1 }, 200]);
        return warned() > 0;
      });
      await writeFile(relay.path, `flags: { a: 2 }\n${rest}`);
      await relay.until(async () => JSON.stringify(await statuses()) === '[{"a":2},{"a":2},200]');
      expect(warned()).toBe(1);
      // What stands still is what was meant.
      await writeFile(relay.path, half);
      await relay.until(async () => (await statuses())[2] === 401);
    });
});

describe("mistakes are told with file, line and flag", () => {
  const rows: { name: string; text: string; says: readonly string[] }[] = [
    { name: "no YAML", text: "a: [1, 2\nb: 3", says: [":2: Flow sequence in block collection"] },
    { name: "a list", text: "- a\n- b", says: [":1: there are no flags: write their names"] },
    { name: "a comment alone", text: "# nothing\n", says: [":1: there are no flags"] },
    { name: "a section that is none", text: "flags: 5", says: [":1: flags must be names with values"] },
    {
      name: "a name of a section that is misspelt",
      text: "flags: {}\nsegmants: {}",
      says: [':2: there is no "segmants" here; is it segments?'],
    },
    {
      name: "no variations",
      text: "a: 1\nb:\n  on: true",
      says: [':2: flag "b": it needs variations, a list of the values that it may give'],
    },
    {
      name: "a member that is misspelt",
      text: "flags:\n  a:\n    variations: [1, 2]\n    falltrough: { variation: 1 }",
      says: [':4: flag "a": there is no falltrough; is it fallthrough?'],
    },
    {
      name: "a variation that is not there",
      text: "flags:\n  a:\n    variations: [1, 2]\n    fallthrough:\n      variation: 2",
      says: [':5: flag "a": there is no variation 2; there is 0 to 1'],
    },
    {
      name: "variations of targets, rules and prerequisites that are not there",
      text: `flags:
  a:
    variations: [1]
    targets: [{ variation: 1, values: [] }]
    rules:
      - { clauses: [{ attribute: key, op: in, values: [] }], variation: 7 }
      - { clauses: [{ attribute: key, op: in, values: [] }] }
    prerequisites: [{ key: b, variation: 3 }]
    offVariation: -1
  b: true`,
      says: [
        ':4: flag "a": there is no variation 1; there is 0',
        ':6: flag "a": there is no variation 7; there is 0',
        ':7: flag "a": it needs a variation or a rollout',
        ':8: flag "a": there is no variation 3; there is 0 to 1',
        ':9: flag "a": there is no variation -1; there is 0',
      ],
    },
    {
      name: "other flags and segments that are not there",
      text: `flags:
  a:
    variations: [1]
    prerequisites: [{ key: b, variation: 0 }]
    rules:
      - variation: 0
        clauses: [{ op: segmentMatch, values: [s] }]`,
      says: [':4: flag "a": there is no flag "b"', ':7: flag "a": there is no segment "s"'],
    },
    {
      name: "values of another type",
      text: '{\n  "flags": {\n    "a": {\n      "variations": [1],\n      "on": "yes"\n    }\n  }\n}',
      says: [':5: flag "a": /on: expected true or false, got a string'],
    },
    {
      name: "a version that is text",
      text: "flags:\n  a: { variations: [1], version: x }",
      says: [':2: flag "a": its version must be a whole number'],
    },
    {
      name: "a key that is not its name",
      text: "flags:\n  a: { variations: [1], key: b }",
      says: [':2: flag "a": its key is "b"'],
    },
    {
      name: "a name twice in YAML",
      text: "a: 1\nb: 2\na: 3",
      says: [':3: "a" is there twice'],
    },
    {
      name: "a name twice in JSON",
      text: '{\n"flags": {"a": 1,\n"b": 2,\n"a": 3}}',
      says: [':4: "a" is there twice'],
    },
    {
      name: "a flag in two sections",
      text: "flags: { a: 1 }\nflagValues: { a: 2 }",
      says: [':2: flag "a" is in flags as well'],
    },
    {
      name: "a segment that is a value",
      text: "segments: { s: 5 }",
      says: [':1: segment "s" must be an object'],
    },
    {
      name: "yes and no, which are text in YAML 1.2",
      text: "flags:\n  a: yes\n  b: { variations: [1], on: off }\n  c: 'no'",
      says: [":2: yes is text in YAML 1.2; write true or false, or put it in quotes", ":3: off is text"],
    },
    {
      name: "environments without keys, with the same, and with what there is not",
      text: `environments:
  a: {}
  b: { sdkKey: sdk-1 }
  c: { sdkKey: sdk-1, mobilKey: x }
  d: 5`,
      says: [':5: environment "d" must have an sdkKey, and may have flags'],
    },
    {
      name: "keys of environments",
      text: `environments:
  a: {}
  b: { sdkKey: sdk-1 }
  c: { sdkKey: sdk-1, mobilKey: x }
  d: { sdkKey: 'a b' }`,
      says: [
        ':2: environment "a": sdkKey is required',
        ':4: environment "c": mobilKey is not an option',
        ':4: environment "c": sdkKey is that of environment "b" as well',
        ':5: environment "d": sdkKey must not be empty, and have no blanks',
      ],
    },
    {
      name: "a thousand million laughs",
      text: laughs(),
      says: [":6: with all that aliases such as *l4 stand for, the file has more than 8 MiB"],
    },
    {
      name: "aliases that stand for nothing",
      text: `a: &a [true, *a]
b: *c
c: &c true
d: { <<: *c }`,
      says: [
        ":1: *a stands inside of what it stands for",
        ":2: there is no &c before *c",
        ":4: << takes an object, or a list of objects",
      ],
    },
    {
      name: "templates that were not filled in",
      text: `{{ name }}: true
a: {{ .Values.a }}
? [a, b]
: true
? [a, b]
: true`,
      says: [
        ":1: a name must be text, not an object: was a template not filled in?",
        ":2: a name must be text, not an object: was a template not filled in?",
        ":3: a name must be text, not a list",
        ":5: a name must be text, not a list",
      ],
    },
    {
      name: "templates in texts that were not filled in",
      text: `flags:
  "{{ name }}": true
  \${FLAG}: true
  a-<%= b %>: true
  a: "{{ name }} is greeted by the page"
environments:
  "{{ env }}": { sdkKey: sdk-1 }`,
      says: [
        ':2: flag "{{ name }}": its name is a template that was not filled in',
        `:3: flag "\${FLAG}": its name is a template that was not filled in`,
        ':4: flag "a-<%= b %>": its name is a template that was not filled in',
        ':7: environment "{{ env }}": its name is a template that was not filled in',
      ],
    },
    {
      name: "names that would become others",
      text: `0x10: true
1e3: true
1.0: true
~: true
True: true
12: true
"0x11": true
true: true`,
      says: [
        ':1: the name 0x10 would become "16": put it into quotes',
        ':2: the name 1e3 would become "1000": put it into quotes',
        ':3: the name 1.0 would become "1": put it into quotes',
        ':4: the name ~ would become "": put it into quotes',
        ':5: the name True would become "true": put it into quotes',
        ':8: "true" is there twice',
      ],
    },
    {
      name: "lists in lists",
      text: `a: ${"[".repeat(20_000)}`,
      says: [":1: Maximum call stack size", ":1: Flow sequence"],
    },
    {
      name: "a value that nests deep",
      text: `{"flags":{"a":${"[".repeat(5000)}${"]".repeat(5000)}}}`,
      says: [""],
    },
  ];
  for (const { name, text, says } of rows) {
    test(name, async () => {
      const path = join(await makeFolder(), "flags.yaml");
      await writeFile(path, text);
      const error = await checkOfflineFile(path).then(
        () => new Error("there was no mistake"),
        (thrown: unknown) => thrown,
      );
      if (!isRelayError(error)) throw error;
      expect(error.code).toBe("malformed_data");
      const told = error.problems.map((problem) => problem.slice(path.length, path.length + 200));
      expect(told).toEqual(says.map((sentence) => expect.stringContaining(sentence)));
    });
  }
});

test.each([
  ["no path", undefined, {}, "checkOfflineFile: file must be the path"],
  ["an empty path", "", {}, "checkOfflineFile: file must be the path"],
  ["options that are none", "flags.yaml", null, "the options of checkOfflineFile must be an object"],
  ["an option that there is not", "flags.yaml", { key: own }, "key is not an option; there are keys"],
  ["keys that are none", "flags.yaml", { keys: 5 }, "keys must be an object"],
  ["a misspelt key", "flags.yaml", { keys: { sdkkey: "x" } }, "sdkkey is not an option"],
])("a check with %s says so before it reads", async (_, path, options, message) => {
  const call = checkOfflineFile as (...args: readonly unknown[]) => Promise<unknown>;
  await expect(call(path, options)).rejects.toMatchObject({
    code: "invalid_options",
    message: expect.stringContaining(message),
  });
});

test("an environment without a name is a mistake at its line", async () => {
  const path = join(await makeFolder(), "flags.yaml");
  await writeFile(path, 'flags: {a: true}\nenvironments:\n  "": {sdkKey: sdk-x}\n');
  await expect(checkOfflineFile(path)).rejects.toMatchObject({
    problems: [`${path}:3: environment "": its name must be text that is not empty`],
  });
});

test("keys beside a file that names its environments are told, once, to be of no use", async () => {
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (line: string) => void warnings.push(line), error() {} };
  const told = () => warnings.filter((line) => line.includes("the keys of the options are not used")).length;
  const named = "flags: {a: true}\nenvironments: {staging: {sdkKey: sdk-staging}}\n";
  const relay = await startOffline("flags.yaml", "a: true", { keys: own }, { logger });
  const serves = (key: string) => async () => typeof (await relay.poll(key)) === "object";
  await relay.until(serves(own.sdkKey));
  expect(told()).toBe(0);
  await relay.replace(named);
  await relay.until(serves("sdk-staging"));
  await relay.replace(named.replaceAll("staging", "test"));
  await relay.until(serves("sdk-test"));
  expect(told()).toBe(1);
});

function laughs(): string {
  const lines = ["l0: &l0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]"];
  for (let n = 1; n < 10; n++) {
    const ten = Array.from({ length: 10 }, () => `*l${n - 1}`).join(", ");
    lines.push(`l${n}: &l${n} [${ten}]`);
  }
  return lines.join("\n");
}

test("a file without environments needs keys beside it", async () => {
  const relay = await startOffline("flags.yaml", "a: true");
  const refusal =
    "names no environments: add `environments:` with an sdkKey for each, or give the keys beside the file";
  expect(relay.errors[0]?.message).toContain(refusal);
  await expect(checkOfflineFile(relay.path)).rejects.toThrow(refusal);
  expect(await checkOfflineFile(relay.path, { keys: own })).toMatchObject({ environments: ["default"] });
  expect(relay.relay.status()).toMatchObject({
    status: "degraded",
    configurationStatus: { state: "INITIALIZING" },
  });
});

test("a changed flag is sent to open streams, a mistake leaves everything as it was", async () => {
  const relay = await startOffline("flags.yaml", "flags:\n  a: 1\n  b: 2", { keys: own });
  const stream = await relay.open("/all", { headers: { authorization: "sdk-dev" } });
  expect((await stream.next()).event).toBe("put");
  await relay.replace("flags:\n  a: 1\n  b: { on: true }");
  await relay.until(() => relay.errors.length === 1);
  expect(relay.errors[0]?.problems).toEqual([
    `${relay.path}:3: flag "b": it needs variations, a list of the values that it may give`,
  ]);
  expect(await relay.poll("sdk-dev")).toEqual({ a: 1, b: 1 });
  await relay.replace("flags:\n  a: 7");
  let told: string | undefined;
  void stream.next().then(({ data }) => {
    told = data;
  });
  await relay.until(() => told !== undefined);
  expect(JSON.parse(told ?? "").data.flags).toMatchObject({ a: { variations: [7], version: 2 } });
  expect(JSON.parse(told ?? "").data.flags).not.toHaveProperty("b");
  stream.close();
});

describe("flagFile, the source of one environment", () => {
  async function startWithSource(text: string, environment?: string) {
    const path = join(await makeFolder(), "flags.yaml");
    await writeFile(path, text);
    const clock = createManualClock();
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const source = flagFile({ path, ...(environment === undefined ? {} : { environment }) });
    const relay = await startRelay({
      environments: { dev: { ...keys, source } },
      options: { clock, logger: { debug() {}, info() {}, warn: log, error: log }, initTimeout: "1s" },
      wait: false,
    });
    const poll = async () => {
      const { status, body } = await relay.fetch("GET", "/sdk/flags", {
        headers: { authorization: keys.sdkKey },
      });
      return status === 200 ? Object.keys(JSON.parse(body)) : status;
    };
    const until = async (condition: () => boolean | Promise<boolean>) => {
      while (!(await condition())) {
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { ...relay, path, lines, poll, until };
  }

  test("gives the flags that belong to no environment, and follows the file", async () => {
    const relay = await startWithSource("flags: { a: 1 }\nenvironments: { x: { flags: { b: 2 } } }");
    await relay.relay.ready();
    expect(await relay.poll()).toEqual(["a"]);
    await writeFile(relay.path, "flags: { a: 1, c: 3 }");
    await relay.until(async () => JSON.stringify(await relay.poll()) === '["a","c"]');
  });

  test("gives those of one environment, whose keys stand elsewhere", async () => {
    const relay = await startWithSource("flags: { a: 1 }\nenvironments: { x: { flags: { b: 2 } } }", "x");
    await relay.relay.ready();
    expect(await relay.poll()).toEqual(["a", "b"]);
  });

  test("says in the status and the log what is wrong, and goes on looking", async () => {
    const relay = await startWithSource("flags: { a: 1 }", "x");
    const says = 'flags.yaml has no environment "x"; there are none';
    await relay.until(() => relay.lines.some((line) => line.includes(says)));
    expect(relay.relay.status().environments.dev?.connectionStatus).toMatchObject({
      lastError: { kind: "INVALID_DATA" },
    });
    expect(await relay.poll()).toBe(503);
    await writeFile(relay.path, "environments: { x: { flags: { b: 2 } } }");
    await relay.until(async () => (await relay.poll()) !== 503);
  });

  test("its options are looked at when it is made", () => {
    const wrong = [
      [{}, "path must be a file"],
      [{ path: "" }, "path must be a file"],
      [{ path: "a", environment: 5 }, "environment must be the name"],
      [{ path: "a", checkInterval: "10ms" }, 'checkInterval must be a time span of at least "100ms"'],
      [{ path: "a", interval: 5 }, 'there is no option "interval"'],
    ] as const;
    // What a program without types may pass.
    for (const [options, says] of wrong) expect(() => flagFile(options as { path: string })).toThrow(says);
  });
});
