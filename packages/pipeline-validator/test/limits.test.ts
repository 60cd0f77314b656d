import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import {
  defineRule,
  examplePipeline,
  formatProblems,
  toJson,
  validatePipeline,
  validateRuntimeConfig,
} from "../src/index.js";

type Json = { [key: string]: unknown };

const example = (): {
  root: { dag: { tasks: Json } };
  components: Json;
  deploymentSpec: { executors: Json };
} => parse(examplePipeline);

/** So many components that nothing runs: as many warnings. */
function withUnused(count: number): Json {
  const pipeline = example();
  for (let index = 0; index < count; index++) {
    pipeline.components[`comp-spare-${index}`] = { executorLabel: "exec-report" };
  }
  return pipeline;
}

const withCycle = (pipeline: ReturnType<typeof example>) => {
  const { prepare } = pipeline.root.dag.tasks as { prepare: Json };
  prepare.dependentTasks = ["train"];
  return pipeline;
};

describe("a file that is broken is never called fine", () => {
  test("because of many warnings of earlier rules", () => {
    const pipeline = withUnused(1100) as unknown as ReturnType<typeof example>;
    (pipeline.components["comp-train"] as Json).executorLabel = "exec-trane";
    const report = validatePipeline(JSON.stringify(pipeline));
    expect(report.ok).toBe(false);
    expect(report.problems.filter(({ severity }) => severity === "error").map(({ code }) => code)).toContain(
      "executor-unknown",
    );
  });

  test("because of many oddly named components before a cycle", () => {
    const pipeline = withCycle(example());
    for (let index = 0; index < 2500; index++) {
      pipeline.components[`Spare_${index}`] = { executorLabel: "exec-report" };
    }
    const report = validatePipeline(JSON.stringify(pipeline));
    expect(report.ok).toBe(false);
    expect(report.problems.map(({ code }) => code)).toContain("task-cycle");
    expect(report.counts.warning).toBeGreaterThanOrEqual(5000);
  });

  for (const maxProblems of [0, 1, 2, 5, 1000]) {
    test(`with at most ${maxProblems} problems listed`, () => {
      const text = JSON.stringify(withCycle(withUnused(20) as unknown as ReturnType<typeof example>));
      const full = validatePipeline(text);
      const report = validatePipeline(text, { maxProblems });
      expect(report.ok).toBe(false);
      expect(report.counts).toEqual(full.counts);
      const listed = report.problems.filter(({ code }) => code !== "too-many-problems");
      expect(listed).toHaveLength(Math.min(maxProblems, full.problems.length));
      expect(listed.filter(({ severity }) => severity === "error")).toHaveLength(
        Math.min(maxProblems, full.counts.error),
      );
    });
  }

  test("when the form is wrong in more places than are listed", () => {
    const tasks = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`t${index}`, 1]));
    const text = stringify({ ...example(), root: { dag: { tasks } } });
    const report = validatePipeline(text, { maxProblems: 10 });
    expect(report.ok).toBe(false);
    expect(report.counts.error).toBeGreaterThanOrEqual(3000);
    expect(report.problems).toHaveLength(11);
    expect(report.problems.at(-1)?.message).toMatch(/^not listed: \d+ more errors/);
  });
});

test("what is misspelt in an executor is an error however much is unknown there", () => {
  const pipeline = example();
  const report = pipeline.deploymentSpec.executors["exec-report"] as { container: Json };
  for (let index = 0; index < 1500; index++) report.container[`x-${index}-nobody-knows`] = 1;
  report.container.commandd = ["echo"];
  const found = validatePipeline(JSON.stringify(pipeline), { maxProblems: 3 });
  expect(found.ok).toBe(false);
  expect(found.problems.map(({ code }) => code)).toContain("executor-field-misspelt");
});

describe("comments", () => {
  test("may name 130,000 rules in a line", () => {
    const words = Array.from({ length: 130_000 }, (_, index) => `rule-${index}`).join(" ");
    const report = validatePipeline(`${examplePipeline}# wye-disable-next-line ${words}\n`);
    expect(report.counts.warning).toBe(130_000);
    expect(report.problems).toHaveLength(1001);
    expect(JSON.stringify(toJson(report)).length).toBeLessThan(1_000_000);
  });

  test("that do nothing are counted like everything else", () => {
    const lines = "# wye-disable-next-line task-cycle\nsdkVersion: x\n";
    const text = `${examplePipeline}${"# wye-disable-next-line task-cycle component-cycle\n".repeat(5000)}${lines}`;
    const report = validatePipeline(text, { maxProblems: 10 });
    expect(report.problems).toHaveLength(11);
    expect(report.counts).toEqual({ error: 0, warning: 10_001, info: 0 });
    expect(report.ok).toBe(true);
  });

  test("disable what is not listed as well", () => {
    const comment = "# wye-disable-next-line component-unknown\n";
    const text = examplePipeline.replace(
      "        componentRef: {name: comp-branch}",
      `        ${comment}        componentRef: {name: comp-brunch}`,
    );
    const settings = { "component-unused": "off" } as const;
    expect(validatePipeline(text, { maxProblems: 0, rules: settings }).ok).toBe(true);
  });
});

test("a runtime configuration has the same limit", () => {
  const parameterValues = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, 1]));
  const { spec } = JSON.parse(JSON.stringify({ spec: {} }));
  const report = validateRuntimeConfig({ spec }, { parameterValues }, { maxProblems: 5 });
  expect(report.problems).toHaveLength(6);
  expect(report.counts.error).toBe(3000);
});

describe("long names and texts make no long reports", () => {
  test("also when a rule of one's own speaks at length, or half a character would be left", () => {
    const check = () => [
      { at: `/${"n".repeat(198)}\u{1f600}x`, message: "m".repeat(5000), hint: "h".repeat(5000) },
    ];
    const rule = defineRule({ id: "acme/long", summary: "Long.", severity: "warning", check });
    const [problem] = validatePipeline(examplePipeline, { rules: [rule] }).problems;
    expect(problem?.path).toBe(`/${"n".repeat(198)}…`);
    expect(problem?.message).toBe(`${"m".repeat(999)}…`);
    expect(problem?.hint).toHaveLength(1000);
  });

  const face = "\u{1f600}";
  test.each([
    ["is kept as it is while it is short enough", "m".repeat(1000), "m".repeat(1000)],
    ["is cut with its last character", "m".repeat(1001), `${"m".repeat(999)}…`],
    ["keeps whole characters in the middle", `${face}${"m".repeat(1000)}`, `${face}${"m".repeat(997)}…`],
    ["keeps a whole one at the end", `${"m".repeat(997)}${face}xx`, `${"m".repeat(997)}${face}…`],
    ["ends before half a one", `${"m".repeat(998)}${face}xx`, `${"m".repeat(998)}…`],
  ])("a text %s", (_, message, wanted) => {
    const check = () => [{ at: "/a", message, hint: message, related: [{ at: `/${message}`, message }] }];
    const rule = defineRule({ id: "acme/long", summary: "Long.", severity: "warning", check });
    const [problem] = validatePipeline(examplePipeline, { rules: [rule] }).problems;
    expect(problem).toMatchObject({ message: wanted, hint: wanted, related: [{ message: wanted }] });
    expect(problem?.related?.[0]?.path.length).toBeLessThanOrEqual(201);
  });

  test.each([
    ["/a/".padEnd(200, "n"), "/a/".padEnd(200, "n")],
    [`/${"n".repeat(200)}/b`, `/${"n".repeat(200)}/b`],
    [`/${"n".repeat(201)}/b`, `/${"n".repeat(199)}…/b`],
    [`/a/${"n".repeat(201)}/${"m".repeat(300)}`, `/a/${"n".repeat(199)}…/${"m".repeat(199)}…`],
  ])("a name in a pointer is cut: %s", (at, wanted) => {
    const check = () => [{ at, message: "m" }];
    const rule = defineRule({ id: "acme/long", summary: "Long.", severity: "warning", check });
    const [problem] = validatePipeline(examplePipeline, { rules: [rule] }).problems;
    expect(problem?.path).toBe(wanted);
  });
});

test("that a rule finds more than is counted is said", () => {
  const check = function* () {
    for (let index = 0; index < 1_000_001; index++) yield { at: "", message: "m" };
  };
  const rule = defineRule({ id: "acme/many", summary: "Many.", severity: "warning", check });
  const report = validatePipeline(examplePipeline, { rules: [rule], maxProblems: 1 });
  expect(report.counts.warning).toBe(1_000_000);
  expect(report.problems.at(-1)).toEqual({
    code: "too-many-problems",
    severity: "info",
    path: "",
    message: "the rule acme/many finds more than is counted: there are more of these than the numbers say",
  });
});

describe("limits", () => {
  for (const maxProblems of [-1, Number.NaN]) {
    test(`of ${maxProblems} are refused`, () => {
      expect(() => validatePipeline(examplePipeline, { maxProblems })).toThrow(TypeError);
    });
  }
});

test("the summary counts what is not listed", () => {
  const report = validatePipeline(JSON.stringify(withUnused(2000)), { maxProblems: 3 });
  expect(formatProblems(report)).toMatch(/\n\n2000 warnings\n$/);
});
