import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  type ArgoProblem,
  type ArgoResult,
  printArgoWorkflow,
  toArgoWorkflow,
  toSubmittedWorkflow,
} from "../src/index.js";
import { type Case, cases, expectedWorkflow, parsedInput } from "./cases.js";

function compiled(one: Case): ArgoResult {
  const parsed = parsedInput(one);
  if (!parsed.ok) expect.unreachable(JSON.stringify(parsed.problems.slice(0, 3)));
  return toArgoWorkflow(parsed.pipeline, one.options);
}

const pairs = cases.flatMap(({ workflow, run, ...one }) =>
  workflow === undefined || run !== undefined ? [] : [{ ...one, workflow }],
);

describe("the workflow of the back end", () => {
  for (const { workflow, ...one } of pairs) {
    test(one.name, () => {
      const result = compiled(one);
      if (!result.ok) expect.unreachable(JSON.stringify(result.problems.slice(0, 3)));
      const expected = expectedWorkflow(workflow);
      expect(result.workflow).toEqual(expected);
      expect(parse(printArgoWorkflow(result.workflow), { version: "1.1" })).toEqual(expected);
    });
  }
});

describe("the workflow that the API server submits for a run", () => {
  for (const { name, workflow = "", run, ...one } of cases) {
    if (run === undefined) continue;
    test(name, () => {
      const parsed = parsedInput({ name, ...one });
      if (!parsed.ok) expect.unreachable();
      const { createdAtSeconds, ...rest } = run;
      const createdAt = new Date(createdAtSeconds * 1000);
      const result = toSubmittedWorkflow(parsed.pipeline, { ...rest, createdAt });
      expect(result.ok && result.workflow).toEqual(expectedWorkflow(workflow));
    });
  }
});

const refusals = cases.flatMap(({ error, ...one }) => (error === undefined ? [] : [{ ...one, error }]));
const ofReader = ({ error }: { readonly error: string }) => error.startsWith("proto:");

describe("what the compiler of the back end refuses", () => {
  for (const { error, ...one } of refusals.filter((one) => !ofReader(one))) {
    test(one.name, () => {
      const { ok, problems } = compiled(one);
      const [first]: readonly ArgoProblem[] = problems;
      expect(ok).toBe(false);
      // What the reader of the back end adds is not always the same, and left out.
      expect(first).toMatchObject({ severity: "error", backEnd: error.replace(/(proto:).*/, "$1") });
      expect(first?.hint).not.toBe("");
      expect(first?.range).toBeDefined();
    });
  }
});

describe("what the reader of the back end refuses, parsePipeline refuses", () => {
  for (const one of refusals.filter(ofReader)) {
    test(one.name, () => expect(parsedInput(one)).toMatchObject({ ok: false }));
  }
});

test("no pair is left out", () => {
  const submitted = cases.filter(({ run }) => run !== undefined);
  expect([pairs.length, refusals.length, submitted.length]).toEqual([152, 26, 3]);
});
