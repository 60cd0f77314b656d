import { execFileSync } from "node:child_process";
import type { Pipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { toArgoWorkflow } from "../src/index.js";
import { container, type Json, leaf, pipelineOf, to, warningsOf } from "./small-pipelines.js";

/** The longest text that Linux hands to a program as one argument. */
const most = 131_071;

const constant = (length: number): Json => ({
  inputs: { parameters: { p: { runtimeValue: { constant: "x".repeat(length) } } } },
});
const takes = { ...leaf, inputDefinitions: { parameters: { p: { parameterType: "STRING" } } } };
const long = (bytes: RegExp) => expect.stringMatching(bytes);

test.skipIf(process.platform !== "linux")("Linux takes an argument of that length, and no longer one", () => {
  expect(() => execFileSync("true", ["x".repeat(most)])).not.toThrow();
  expect(() => execFileSync("true", ["x".repeat(most + 1)])).toThrow("E2BIG");
});

describe("a text that no driver can be started with is a warning", () => {
  test("a container, at its executor", () => {
    const executor = { container: { image: "alpine", command: ["echo"], args: ["x".repeat(most)] } };
    expect(warningsOf({ tasks: { a: to("leaf"), b: to("leaf") }, executor })).toEqual([
      [
        "long-argument",
        "/deploymentSpec/executors/e",
        long(/takes 131\d{3} bytes .* and Linux takes 131071$/),
      ],
    ]);
  });

  test("a constant, with its task and with the DAG that has it", () => {
    const told = warningsOf({ tasks: { a: to("t", constant(200_000)) }, components: { t: takes } });
    expect(told.map(([code, path]) => [code, path])).toEqual([
      ["long-argument", "/root/dag/tasks/a"],
      ["long-argument", "/root"],
    ]);
  });

  test("a DAG with many tasks, at its component", () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`t${i}`, to("t", constant(300))]));
    const told = warningsOf({ tasks: { a: to("d") }, components: { t: takes, d: { dag: { tasks: many } } } });
    expect(told).toEqual([["long-argument", "/components/d", long(/bytes/)]]);
  });

  test("settings of Kubernetes, at the executor, however many components run it", () => {
    const annotations = { a: "x".repeat(most) };
    const platforms = {
      kubernetes: { deploymentSpec: { executors: { e: { podMetadata: { annotations } } } } },
    };
    const told = warningsOf({
      ...{ tasks: { a: to("leaf"), b: to("other") }, components: { other: leaf } },
      platforms,
    });
    expect(told.map(([code, path]) => [code, path])).toEqual([
      ["long-argument", "/platforms/kubernetes/deploymentSpec/executors/e"],
    ]);
  });

  test("arguments of the run", () => {
    const pipeline = pipelineOf({ tasks: { a: to("leaf") }, executor: container });
    const of = (length: number) =>
      toArgoWorkflow(pipeline, { runtimeConfig: { parameterValues: { p: "x".repeat(length) } } }).problems;
    const around = JSON.stringify({ parameterValues: { p: "" } }).length;
    expect(of(most - around)).toEqual([]);
    expect(of(most - around + 1)).toMatchObject([{ code: "long-argument", path: "/runtimeConfig" }]);
  });

  test.each(["displayName", "httpProxy", "httpsProxy", "noProxy"])("the option %s", (option) => {
    const pipeline = pipelineOf({ tasks: { a: to("leaf") }, executor: container });
    const of = (length: number) => toArgoWorkflow(pipeline, { [option]: "x".repeat(length) }).problems;
    expect(of(most)).toEqual([]);
    const message = expect.stringContaining(`${option}: the text of this takes ${most + 1} bytes`);
    expect(of(most + 1)).toMatchObject([{ code: "long-argument", path: "", message }]);
  });

  test("the name of a job in the file", () => {
    const job = { ...pipelineOf({ tasks: { a: to("leaf") } }), job: { displayName: "x".repeat(200_000) } };
    const { problems } = toArgoWorkflow(job as object as Pipeline);
    expect(problems).toMatchObject([{ code: "long-argument", path: "" }]);
  });

  test("by bytes, not by characters", () => {
    const of = (text: string) =>
      warningsOf({ tasks: { a: to("leaf") }, executor: { container: { image: "a", args: [text] } } });
    expect(of("x".repeat(50_000))).toEqual([]);
    expect(of("€".repeat(50_000))).toEqual([
      ["long-argument", "/deploymentSpec/executors/e", long(/150\d{3} bytes/)],
    ]);
  });
});

describe("an amount that the back end cannot write is refused", () => {
  test.each(["memoryLimit", "cpuLimit", "memoryRequest", "cpuRequest"])("%s", (amount) => {
    for (const value of ["Infinity", "-Infinity", "NaN"]) {
      const executor = { container: { image: "a", resources: { [amount]: value } } };
      expect(toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf") }, executor }))).toMatchObject({
        ok: false,
        problems: [{ code: "unwritable", path: `/deploymentSpec/executors/e/container/resources/${amount}` }],
      });
    }
  });
});
