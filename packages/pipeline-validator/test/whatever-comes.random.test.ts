import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

/** How many times more random inputs there are than at every change. */
const times = process.env.WYE_ALL_ROUNDS ? 5 : 1;

describe("whatever comes", () => {
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.string(),
    fc.constantFrom("{{$}}", "{{$.inputs.parameters['x']}}", "exec-report", "comp-loop"),
  );
  const value = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            "dag",
            "tasks",
            "inputs",
            "parameters",
            "artifacts",
            "container",
            "componentRef",
            "name",
          ),
        ),
        tie("json"),
        { maxKeys: 5 },
      ),
    ),
  })).json;

  /** Puts a value anywhere into the example. */
  function replaceAt(root: unknown, at: number, by: unknown): unknown {
    let count = 0;
    const visit = (part: unknown): unknown => {
      if (count++ === at) return by;
      if (Array.isArray(part)) return part.map(visit);
      if (typeof part !== "object" || part === null) return part;
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item)]));
    };
    return visit(root);
  }

  test("validation gives a report and every range lies in the text", { timeout: 300_000 }, () => {
    const root: unknown = parse(examplePipeline);
    fc.assert(
      fc.property(fc.nat(200), value, fc.constantFrom("kfp" as const, "spec" as const), (at, by, profile) => {
        const text = JSON.stringify(replaceAt(root, at, by));
        for (const { range } of validatePipeline(text, { profile }).problems) {
          const { start, end } = range ?? { start: { offset: 0 }, end: { offset: 0 } };
          expect(start.offset).toBeGreaterThanOrEqual(0);
          expect(end.offset).toBeGreaterThanOrEqual(start.offset);
          expect(end.offset).toBeLessThanOrEqual(text.length);
        }
      }),
      { seed: 11, numRuns: 300 * times },
    );
  });

  test("any text gives a report", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        expect(validatePipeline(text).ok).toBe(false);
      }),
      { seed: 12, numRuns: 100 * times },
    );
  });
});
