import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { locate, type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type ArgoOptions, type ArgoProblemCode, type TemplateRole, toArgoWorkflow } from "../src/index.js";
import { cases, parsedInput } from "./cases.js";
import { mistakesOf } from "./check-workflow.js";

const schemaFile = join(import.meta.dirname, "../testdata/argo/workflow.schema.json");
// Formats are for readers; the units of quantities and times are checked by the pairs.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const isWorkflow = ajv.compile(JSON.parse(readFileSync(schemaFile, "utf8")));

/** Pipelines that other packages keep for their tests. */
const folders = ["../../pipeline-validator/testdata", "../../pipeline-spec/testdata/pipelines/valid"];
const noOptions: ArgoOptions = {};
const corpus = folders.flatMap((folder) => {
  const path = join(import.meta.dirname, folder);
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:yaml|json)$/.test(name))
    .map((name) => ({
      name,
      parsed: parsePipeline(readFileSync(join(path, name), "utf8")),
      options: noOptions,
    }));
});
const inputs = [
  ...corpus,
  ...cases.map((one) => ({ name: one.name, parsed: parsedInput(one), options: one.options ?? noOptions })),
];

const compiled = inputs.flatMap(({ name, parsed, options }) => {
  if (!parsed.ok) return [];
  const result = toArgoWorkflow(parsed.pipeline, options);
  if (!result.ok || result.workflow.spec.templates === undefined) return [];
  return [{ name, pipeline: parsed.pipeline, options, result }];
});

test("there is something to check", () => {
  expect(schemaFile).toSatisfy(existsSync);
  expect(compiled.length).toBeGreaterThan(300);
});

const backEndRoles: ReadonlySet<TemplateRole> = new Set(["driver", "executor", "importer"]);

/** What Argo finds out itself, and the back end does not mind. */
const expected: { readonly [Code in ArgoProblemCode]?: RegExp } = {
  "lost-exit-task": /nothing leads to/,
  "exit-loop": /there is no task/,
  "depends-on-exit-task": /there is no task/,
  "unknown-dependency": /there is no task/,
};

for (const { name, result, pipeline, options } of compiled) {
  describe(name, () => {
    test("names lead somewhere, once, and nothing is left over", () => {
      const known = result.problems.flatMap(({ code }) => expected[code] ?? []);
      const mistakes = mistakesOf(result.workflow).filter(
        (mistake) => !known.some((one) => one.test(mistake)),
      );
      expect(mistakes).toEqual([]);
    });

    test("is a workflow by the schema of Argo", () => {
      const { status: _, ...workflow } = result.workflow;
      isWorkflow(workflow);
      expect(isWorkflow.errors).toBeNull();
    });

    test("its sources name every template and every task, and lead into the file", () => {
      const templates = result.workflow.spec.templates ?? [];
      expect(result.sources.map(({ template }) => template)).toEqual(
        templates.slice(0, result.sources.length).map((template) => template.name),
      );
      for (const [index, source] of result.sources.entries()) {
        const inside = source.role === "executor" ? [] : (templates[index]?.dag?.tasks ?? []);
        expect(source.tasks.map((task) => task.name)).toEqual(inside.map((task) => task.name));
        expect(source.from.length).toBeGreaterThan(0);
        for (const place of [...source.from, ...source.tasks]) {
          expect(place.range).toEqual(locate(pipeline, place.path, "key"));
          expect(place.range).toBeDefined();
        }
      }
    });

    test("its sources name, for what the back end adds, every task that runs through it", () => {
      const templates = result.workflow.spec.templates ?? [];
      const callers = new Map<string | undefined, Set<string>>();
      for (const [index, { tasks }] of result.sources.entries()) {
        for (const [place, { path }] of tasks.entries()) {
          const called = templates[index]?.dag?.tasks?.[place]?.template;
          callers.set(called, (callers.get(called) ?? new Set()).add(path));
        }
      }
      // What runs inside another one of them is called by nothing of the pipeline.
      const called = result.sources.filter(
        ({ role, template }) => backEndRoles.has(role) && callers.has(template),
      );
      expect(called.map(({ from }) => from.map(({ path }) => path).sort())).toEqual(
        called.map(({ template }) => [...(callers.get(template) ?? [])].sort()),
      );
    });

    test("is made without changing anything, and equally again", () => {
      const copy: Pipeline = frozen(structuredClone(pipeline));
      const again = toArgoWorkflow(copy, frozen(structuredClone(options)));
      expect(again).toMatchObject({ ok: true });
      expect(again.ok && again.workflow).toEqual(result.workflow);
    });
  });
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

describe("what Argo itself refuses is a warning, and nothing else is", () => {
  const codes: ReadonlySet<string> = new Set<ArgoProblemCode>([
    ...([
      "argo-task-name",
      "argo-component-name",
      "exit-loop",
      "depends-on-exit-task",
      "unknown-dependency",
      "executor-root",
    ] as const),
  ]);
  for (const one of cases) {
    if (one.workflow === undefined) continue;
    test(one.name, () => {
      const parsed = parsedInput(one);
      if (!parsed.ok) expect.unreachable();
      const warned = toArgoWorkflow(parsed.pipeline, one.options).problems.some(({ code }) =>
        codes.has(code),
      );
      expect(warned).toBe(one.argoRefuses !== undefined);
    });
  }
});
