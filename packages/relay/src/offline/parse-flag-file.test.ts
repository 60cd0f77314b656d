import { describe, expect, test } from "vitest";
import type { Change } from "../change.js";
import { parseFlagFile } from "./parse-flag-file.js";

const namesIn = ({ items }: Change) => items.map(({ kind, key }) => `${kind} ${key}`).sort();

test("a section without anything in it is an empty one, and an editor may be told of the schema", async () => {
  for (const empty of ["flags", "segments", "environments"]) {
    const { shared, environments } = await parseFlagFile(`${empty}:\nflagValues:\n  a: true\n`, "flags.yml");
    expect([namesIn(shared), environments.size]).toEqual([["flags a"], 0]);
  }
  expect(namesIn((await parseFlagFile("flagValues:\nflags: {}\n", "flags.yml")).shared)).toEqual([]);
  const text = '{"$schema": "https://example.com/flags.json", "flagValues": {"a": true}}';
  expect(namesIn((await parseFlagFile(text, "flags.json")).shared)).toEqual(["flags a"]);
});

test("an environment has the shared flags and segments and its own, and its own where there are both", async () => {
  const segment = (...included: string[]) => ({ included });
  const text = JSON.stringify({
    flagValues: { a: "shared", b: "shared" },
    segments: { s: segment("shared"), t: segment("shared") },
    environments: {
      one: {
        sdkKey: "sdk-1",
        flagValues: { b: "own", c: "own" },
        segments: { t: segment("own"), u: segment() },
      },
      two: { sdkKey: "sdk-2", envId: "env-2" },
    },
  });
  const { shared, environments } = await parseFlagFile(text, "flags.json");
  const both = ["flags a", "flags b", "segments s", "segments t"];
  expect(namesIn(shared)).toEqual(both);
  const [one, two] = [environments.get("one"), environments.get("two")];
  if (one === undefined || two === undefined) throw new Error("an environment is missing");
  expect([one.settings, two.settings]).toEqual([{ sdkKey: "sdk-1" }, { sdkKey: "sdk-2", envId: "env-2" }]);
  expect(namesIn(two.change)).toEqual(both);
  expect(namesIn(one.change)).toEqual([...both, "flags c", "segments u"].sort());
  const owner = ({ items }: Change) =>
    items.map(({ key, json }) => `${key} ${/"(shared|own)"/.exec(json)?.[1] ?? "nobody"}`).sort();
  expect(owner(one.change)).toEqual(["a shared", "b own", "c own", "s shared", "t own", "u nobody"]);
  expect(owner(two.change)).toEqual(["a shared", "b shared", "s shared", "t shared"]);
});

/** The values that flags by name have instead of another, in YAML. */
async function valuesIn(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { items } = (await parseFlagFile(text, "flags.yml")).shared;
  return Object.fromEntries(items.map(({ key, json }) => [key, JSON.parse(json).variations[0]]));
}

describe("what is meant by YAML", () => {
  test("what stands in an object goes before what is merged into it, and so does what is merged first", async () => {
    const text = `flagValues:
  one: &one { a: 1, b: 1 }
  two: &two { b: 2, c: 2 }
  behind: { b: own, <<: *one }
  before: { <<: *one, b: own }
  both: { <<: [*two, *one] }
  again: { <<: *two, <<: *one }`;
    expect(await valuesIn(text)).toMatchObject({
      behind: { a: 1, b: "own" },
      before: { a: 1, b: "own" },
      both: { a: 1, b: 2, c: 2 },
      again: { a: 1, b: 2, c: 2 },
    });
  });

  test("an anchor at a name stands for the name, and one behind a name that is none for what stands there", async () => {
    expect(await valuesIn("flagValues:\n  &k plan: 1\n  other: *k\n")).toEqual({ plan: 1, other: "plan" });
    const text = "flagValues:\n  ? [a]\n  : &x { b: 1 }\n  c: *x\n";
    const problems = ["flags.yml:2: a name must be text, not a list"];
    await expect(parseFlagFile(text, "flags.yml")).rejects.toMatchObject({ problems });
  });

  test.each([
    ["in objects", (name: string) => `{ a: &x { ${name}: 1 }`],
    ["that have anchors of their own", (name: string) => `{ &x ${name}: 1`],
  ])("names %s are as long as they are each time that they are meant", async (_, begun) => {
    const textOf = (times: number) =>
      `flagValues: ${begun("n".repeat(1024 * 1024))}, b: [${Array(times).fill("*x").join(", ")}] }`;
    expect(Object.keys(await valuesIn(textOf(5)))).toHaveLength(2);
    const says = "the file has more than 8 MiB";
    await expect(parseFlagFile(textOf(8), "flags.yml")).rejects.toThrow(says);
  });
});

describe("mistakes are told at the line where they can be mended", () => {
  const rest = "    variations: [1]\n    fallthrough: { variation: 0 }\n    offVariation: 0\n    on: true\n";
  test.each([
    [
      "a version that is none, where it stands",
      `flags:\n  a:\n${rest}    version: x\n`,
      'flags.yml:7: flag "a": its version must be a whole number',
    ],
    [
      "a version that is none of a segment, where it stands",
      "segments:\n  s:\n    included: []\n    version: 1.5\n",
      'flags.yml:4: segment "s": its version must be a whole number',
    ],
    [
      "another key, at the name that it should have",
      `flags:\n  a:\n${rest}    key: b\n`,
      'flags.yml:2: flag "a": its key is "b"',
    ],
    [
      "another key of a segment, at the name that it should have",
      "segments:\n  s:\n    included: []\n    key: t\n",
      'flags.yml:2: segment "s": its key is "t"',
    ],
    [
      "a segment that is none, at its name",
      "segments:\n  t: {}\n  s: 5\n",
      'flags.yml:3: segment "s" must be an object',
    ],
    [
      "flags that are none, at the name of the section",
      "environments:\n  one:\n    sdkKey: sdk-1\n    flags: 5\n",
      "flags.yml:4: flags must be names with values",
    ],
  ])("%s", async (_, text, message) => {
    const error = await parseFlagFile(text, "flags.yml").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "malformed_data", message: expect.stringContaining(message) });
  });

  test.each([
    ["{{ ", " }}"],
    ["x${ ", " }"],
    ["<% ", " %>y"],
  ])("a template in a name, on one line or two: %s…%s", async (begin, end) => {
    for (const inside of ["name", "\nname\n"]) {
      const name = begin + inside + end;
      for (const [value, about] of [
        [{ [name]: true }, `flag ${JSON.stringify(name)}:`],
        [{ segments: { [name]: {} } }, `segment ${JSON.stringify(name)}:`],
        [{ environments: { [name]: { sdkKey: "sdk-1" } } }, `environment ${JSON.stringify(name)}:`],
      ] as const)
        await expect(parseFlagFile(JSON.stringify(value), "flags.json")).rejects.toThrow(
          `${about} its name is a template that was not filled in`,
        );
    }
  });
});
