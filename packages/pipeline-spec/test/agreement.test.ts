import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DocumentProblems } from "../src/document-problems.js";
import { printYaml } from "../src/print-yaml.js";
import { readBinary } from "../src/read-binary.js";
import type { MessageName } from "../src/read-json.js";
import { parseDocuments } from "../src/source-text.js";
import { messageJson } from "./arbitrary-json.js";
import { pipelineTypes, type TypeUnderTest, tricky } from "./oracle.js";

const limits = { maxDepth: 100, maxTokens: 1_000_000, maxSlowBytes: 1_000_000, maxAliasedValues: 1000 };

/** The value that a YAML or JSON text holds, by our own reading of it. */
function valueIn(text: string): unknown {
  const problems = new DocumentProblems(text, 10);
  const [document] = parseDocuments(text, limits, problems);
  expect(problems.list()).toEqual([]);
  return document?.value;
}

/** The matchers of vitest look at `constructor`, which is a key like any other here. */
function expectSame(actual: unknown, expected: unknown): void {
  const same = isDeepStrictEqual(actual, expected);
  expect(same ? "" : JSON.stringify([actual, expected], bigints)).toBe("");
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

function agrees({ ours, oracle }: TypeUnderTest, json: unknown): void {
  const own = ours.readJson(json, { deprecations: false });
  expect(own.problems).toEqual([]);
  const theirs = oracle.readJson(json);

  // Both directions in binary.
  const bytes = ours.codec.encode(own.value).finish();
  expect(oracle.equals(oracle.decode(bytes), theirs)).toBe(true);
  expectSame(ours.codec.decode(oracle.encode(theirs)), own.value);
  expectSame(ours.codec.decode(bytes), own.value);

  // Both directions in JSON.
  const written = ours.writeJson(own.value);
  // Through binary, because the oracle rounds a 32-bit float only there.
  expect(oracle.equals(oracle.decode(oracle.encode(oracle.readJson(written))), theirs)).toBe(true);
  expectSame(ours.readJson(oracle.writeJson(theirs), { deprecations: false }).value, own.value);
  expectSame(written, withShortFloats(oracle.writeJson(theirs)));

  // Texts.
  const compact = JSON.stringify(written);
  expectSame(ours.readJson(JSON.parse(compact), { deprecations: false }).value, own.value);
  const yaml = printYaml(written);
  expectSame(ours.readJson(valueIn(yaml), { deprecations: false }).value, own.value);
  expect(printYaml(valueIn(yaml))).toBe(yaml);
}

/** The oracle writes the digits of the double for a 32-bit float. */
function withShortFloats(json: unknown): unknown {
  if (typeof json !== "object" || json === null || !("smallRatio" in json)) return json;
  return { ...json, smallRatio: shortFloat(json.smallRatio) };
}

function shortFloat(value: unknown): unknown {
  if (typeof value !== "number") return value;
  for (let digits = 1; digits < 9; digits++) {
    if (Math.fround(Number(value.toPrecision(digits))) === value) return Number(value.toPrecision(digits));
  }
  return value;
}

describe("random messages mean the same to us and to the oracle, in JSON, YAML and binary", () => {
  for (const type of pipelineTypes) {
    test(type.name, () => {
      const json = messageJson(type.oracle.desc, 4);
      fc.assert(
        fc.property(json, (value) => agrees(type, value)),
        { seed: 4, numRuns: 40 },
      );
    });
  }

  test("a message with a field of every kind", { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(messageJson(tricky.oracle.desc, 3), (value) => agrees(tricky, value)),
      { seed: 4, numRuns: 300 },
    );
  });
});

test("what is encoded is read back without a remark", () => {
  for (const { name, ours, oracle } of pipelineTypes) {
    fc.assert(
      fc.property(messageJson(oracle.desc, 3), (json) => {
        const { value } = ours.readJson(json);
        const bytes = ours.codec.encode(value).finish();
        // The names come from the table of the package.
        const result = readBinary(name as MessageName, bytes, { deprecations: false });
        expectSame(result, { ok: true, value, problems: [], counts: { error: 0, warning: 0, info: 0 } });
      }),
      { seed: 5, numRuns: 10 },
    );
  }
});
