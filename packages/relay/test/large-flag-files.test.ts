import { describe, expect, test } from "vitest";
import { isRelayError } from "../src/error.js";
import { readYaml } from "../src/offline/located-yaml.js";
import { parseFlagFile } from "../src/offline/parse-flag-file.js";

/** A file of so many flags that say the same, in JSON or YAML, one flag beginning every second line. */
const formats = {
  JSON(count: number, fallthrough: string) {
    const flags = Array.from(
      { length: count },
      (_, n) => `"f${n}":{"variations":[true,false],\n"fallthrough":${fallthrough}}`,
    );
    return `{"flags":{\n${flags.join(",\n")}}}`;
  },
  YAML(count: number, fallthrough: string) {
    const flags = Array.from(
      { length: count },
      (_, n) => `  f${n}: { variations: [true, false],\n    fallthrough: ${fallthrough} }\n`,
    );
    return `flags:\n${flags.join("")}`;
  },
};
const good = '{ "variation": 1 }';
const wrong = '{ "variation": 2 }';

async function problemsOf(text: string): Promise<readonly string[]> {
  const error: unknown = await parseFlagFile(text, "file").then(
    () => new Error("there was no mistake"),
    (thrown: unknown) => thrown,
  );
  if (!isRelayError(error)) throw error;
  return error.problems;
}

for (const [format, write] of Object.entries(formats)) {
  describe(`a large file in ${format}`, () => {
    test("with one mistake in each flag takes what its size takes, and names 50 with their lines", async () => {
      const text = write(5000, wrong);
      const began = process.cpuUsage();
      const problems = await problemsOf(text);
      // 24 seconds, when all that stands before a mistake was looked through for each of them.
      expect(process.cpuUsage(began).user / 1e6).toBeLessThan(8);
      expect(problems).toEqual([
        ...Array.from(
          { length: 50 },
          (_, n) => `file:${2 * n + 3}: flag "f${n}": there is no variation 2; there is 0 to 1`,
        ),
        "file: and 4950 more problems",
      ]);
    });

    test("with a name twice, many times", async () => {
      const problems = await problemsOf(write(5000, good).replaceAll(/\bf(\d+)\d\b/g, "f$1"));
      expect(problems).toHaveLength(51);
      expect(problems.slice(0, 2)).toEqual(['file:22: "f1" is there twice', 'file:24: "f1" is there twice']);
    });

    test("is read in turns, while other things go on", async () => {
      await parseFlagFile(write(1, good), "file");
      const text = write(5000, good);
      let turns = 0;
      let reading = true;
      const tick = () => {
        turns++;
        if (reading) setImmediate(tick);
      };
      tick();
      const { shared } = await parseFlagFile(text, "file");
      reading = false;
      expect(shared.items).toHaveLength(5000);
      expect(turns).toBeGreaterThan(10);
    });
  });
}

test("YAML, which is read slowly, may have 2 MiB; JSON may have more", async () => {
  const most = 2 * 1024 * 1024;
  const yaml = (length: number) => `a: ${"x".repeat(length - "a: ".length)}`;
  expect((await parseFlagFile(yaml(most), "file")).shared.items).toHaveLength(1);
  const told = await problemsOf(yaml(most + 1));
  expect(told).toEqual([
    "file:1: it is no JSON, and longer than YAML may be, which is read slowly: write more than 2 MiB in JSON",
  ]);
  const json = JSON.stringify({ a: "x".repeat(most + 1) });
  expect((await parseFlagFile(json, "file")).shared.items).toHaveLength(1);
  const broken = `${json.slice(0, -1)},\n\n}`;
  expect(await problemsOf(broken)).toEqual(["file:3: there is a comma before it, and nothing follows"]);
});

const many = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

test("what generators write for values that are there several times is good, however often", async () => {
  const file = await parseFlagFile(
    `flags:
  first: &id001 { variations: &id002 [true, false], fallthrough: { variation: 0 } }
${many(2000, (n) => `  v${n}: { variations: *id002, fallthrough: { variation: 1 } }`)}
${many(2000, (n) => `  m${n}: { <<: [*id001], on: ${n % 2 === 0} }`)}
${many(2000, (n) => `  f${n}: *id001`)}`,
    "file",
  );
  const items = new Map(file.shared.items.map(({ key, json }) => [key, JSON.parse(json)]));
  expect(items.size).toBe(6001);
  expect(items.get("v1999")).toMatchObject({ variations: [true, false], fallthrough: { variation: 1 } });
  expect(items.get("m1999")).toMatchObject({ key: "m1999", on: false, fallthrough: { variation: 0 } });
  expect(items.get("f1999")).toMatchObject({ key: "f1999", variations: [true, false] });
});

test("anchors and aliases take what their number takes", async () => {
  const cost = async (count: number) => {
    const text = many(count, (n) => `k${n}: &x${n} 1\nr${n}: *x${n}`);
    const began = process.cpuUsage();
    expect((await readYaml(text)).problems).toEqual([]);
    return process.cpuUsage(began).user;
  };
  await cost(500);
  // Twelve times as much, when all anchors were looked through for each alias.
  const least = Math.min(await cost(12_000), await cost(12_000));
  expect(least / (await cost(3000))).toBeLessThan(9);
});
