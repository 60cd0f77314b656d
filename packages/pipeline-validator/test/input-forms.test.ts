import { readFileSync } from "node:fs";
import { PipelineSpec, parsePipeline, readJson } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { examplePipeline, formatProblems, validatePipeline } from "../src/index.js";

const misspelt = examplePipeline.replace("{name: comp-branch}", "{name: comp-brunch}");

describe("a specification that a program has made", () => {
  const specOf = (text: string) => {
    const read = readJson("PipelineSpec", parse(text));
    return read.ok ? read.value : expect.fail("the example cannot be read");
  };

  test("is enough by itself", () => {
    expect(validatePipeline({ spec: specOf(examplePipeline) })).toEqual({
      ok: true,
      problems: [],
      counts: { error: 0, warning: 0, info: 0 },
      unchecked: [],
    });
    expect(validatePipeline({ spec: PipelineSpec.create({}) }).ok).toBe(false);
  });

  test("has problems with pointers, without ranges", () => {
    const { problems } = validatePipeline({ spec: specOf(misspelt) });
    expect(problems[0]).toMatchObject({
      code: "component-unknown",
      path: "/root/dag/tasks/branch/componentRef/name",
    });
    expect(problems[0]).not.toHaveProperty("range");
    expect(formatProblems(validatePipeline({ spec: specOf(misspelt) }))).toContain(
      "at /root/dag/tasks/branch",
    );
  });

  test("is judged with its executors", () => {
    const spec = specOf(examplePipeline.replace("image: busybox", "image: ''"));
    expect(validatePipeline({ spec }).problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "image-missing /deploymentSpec/executors/exec-report/container",
    ]);
    const odd = specOf(examplePipeline.replace("image: busybox", "imagge: busybox"));
    expect(validatePipeline({ spec: odd }).problems.map(({ code }) => code)).toContain(
      "executor-field-misspelt",
    );
    const broken = specOf(examplePipeline.replace("image: busybox", "image: 5"));
    expect(validatePipeline({ spec: broken }).problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "wrong-type /deploymentSpec/executors/exec-report/container/image",
    ]);
  });

  test("is refused when its executors are nested too deep to be read", () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    const spec = { ...specOf(examplePipeline), deploymentSpec: nested(1_000) };
    const { ok, problems } = validatePipeline({ spec });
    expect(ok).toBe(false);
    expect(problems.map(({ code }) => code)).toContain("too-deep");
  });

  test("is refused when its executors are more than is read", () => {
    const deploymentSpec = { executors: { a: "x".repeat(32 * 2 ** 20) } };
    const { ok, problems } = validatePipeline({ spec: { ...specOf(examplePipeline), deploymentSpec } });
    expect(ok).toBe(false);
    expect(problems.map(({ code }) => code)).toContain("too-large");
  });

  test("may come with what belongs to it", () => {
    const parsed = parsePipeline(misspelt);
    if (!parsed.ok) expect.fail("the example cannot be parsed");
    const { spec, deployment } = parsed.pipeline;
    expect(validatePipeline({ spec, deployment }).counts).toEqual(validatePipeline(misspelt).counts);
  });
});

test("the output that the README shows is the real one", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const source = /const source = `([^`]*)`/.exec(readme)?.[1] ?? "";
  const shown = /```\n(error\[[^`]*)```/.exec(readme)?.[1];
  expect(formatProblems(validatePipeline(source), { source, file: "hello.yaml" })).toBe(shown);
});

test("lines that end with a carriage return alone are lines", () => {
  const disabled = misspelt.replace("  comp-train:\n", "  # wye-disable-next-line no-rule\n  comp-train:\n");
  const text = disabled.replaceAll("\n", "\r");
  const report = validatePipeline(text);
  expect(report).toEqual(validatePipeline(disabled));
  expect(validatePipeline(new TextEncoder().encode(text))).toEqual(report);
  expect(formatProblems(report, { source: text })).toBe(formatProblems(report, { source: disabled }));
});
