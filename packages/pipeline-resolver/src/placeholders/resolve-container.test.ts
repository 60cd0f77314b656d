import { ExecutorInput, PipelineContainerSpec } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  type ContainerContext,
  parsePlaceholders,
  resolveContainer,
  resolveCustomJob,
  resolvePlaceholders,
} from "../index.js";

const n = "{{$.inputs.parameters['n']}}";
const context: ContainerContext = {
  executorInput: ExecutorInput.create({ inputs: { parameterValues: { n: 3 } } }),
  environment: { A: "1" },
};
const argsOf = (args: readonly string[], given: ContainerContext = context): unknown => {
  const result = resolveContainer(PipelineContainerSpec.create({ args: [...args] }), given);
  return result.ok ? result.container.args : result.problems;
};

describe("a container", () => {
  test("has an image in which $(NAME) stays", () => {
    const container = PipelineContainerSpec.create({ image: `$(A):${n}`, args: ["-$(A)"] });
    expect(resolveContainer(container, context)).toMatchObject({
      ok: true,
      container: { image: "$(A):3", args: ["-1"] },
    });
  });

  test("takes what only looks like a placeholder, or is known to some tools, in a structure too", () => {
    const odd = "{{$.inputs.parameters['n'] {{$.inputs.files}}";
    expect(argsOf([odd, `{"Concat": ["${odd}", "{{$.inputs.parameters.n}}"]}`])).toEqual([odd, `${odd}3`]);
  });

  test("has no inputs where the message has none", () => {
    const executorInput = ExecutorInput.create();
    const element = '{"IfPresent": {"InputName": "n", "Then": "yes", "Else": "no"}}';
    expect([argsOf([element]), argsOf([element], { executorInput })]).toEqual([["yes"], ["no"]]);
  });
});

describe("a custom job", () => {
  test("has its placeholders filled in in keys, and no variables", () => {
    const job = { [`k${n}`]: [{ "a/b": `$(A)${n}` }, true] };
    expect(resolveCustomJob(job, context)).toEqual({
      ok: true,
      customJob: { k3: [{ "a/b": "$(A)3" }, true] },
    });
  });

  test("has problems at keys and values, each with a pointer", () => {
    const gone = "{{$.inputs.parameters['x']}}";
    const result = resolveCustomJob({ "a/b": { [gone]: [gone] } }, context);
    const place = "/a~1b/{{$.inputs.parameters['x']}}";
    expect(result).toMatchObject({ ok: false, problems: [{ path: place }, { path: `${place}/0` }] });
  });
});

test.each([
  ["executorInput", undefined, "an object"],
  ["facts", "run 1", "an object"],
  ["environment", ["A"], "an object"],
  ["pathOf", "/local", "a function"],
])("a context whose %s is %j is refused by name", (part, value, wanted) => {
  const given = { ...context, [part]: value } as never;
  const ways = {
    resolveContainer: () => resolveContainer(PipelineContainerSpec.create(), given),
    resolveCustomJob: () => resolveCustomJob({}, given),
    resolvePlaceholders: () => resolvePlaceholders("", given),
  };
  for (const [name, way] of Object.entries(ways)) {
    expect(way).toThrow(`${name} takes ${wanted} as its context.${part}`);
  }
});

test("an old count of accelerators holds where the new one is not written", () => {
  const countOf = (more: object): unknown => {
    const accelerator = { type: "gpu", ...more };
    const resolved = resolveContainer(
      PipelineContainerSpec.create({ image: "i", resources: { accelerator } }),
      { executorInput: ExecutorInput.create() },
    );
    return resolved.ok && resolved.container.resources.accelerator;
  };
  expect(countOf({ count: "2" })).toEqual({ type: "gpu", count: "2" });
  expect(countOf({ count: "2", resourceCount: "3", resourceType: "tpu" })).toEqual({
    type: "tpu",
    count: "3",
  });
});

test("a text that has been read before is filled in as one that has not", () => {
  const texts = [`a ${n} b`, "{{$.inputs.parameters['m']}}", "plain", "{{$.nothing}}"];
  const resolved = texts.map((text) => resolvePlaceholders(text, context));
  expect(resolved[0]).toEqual({ ok: true, text: "a 3 b" });
  expect(texts.map((text) => resolvePlaceholders(parsePlaceholders(text), context))).toEqual(resolved);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  "why a message has no form in JSON is told: %d",
  (value) => {
    const executorInput = ExecutorInput.create({ inputs: { parameterValues: { n: value } } });
    const place = `/inputs/parameterValues/n: ${value}`;
    const message = `the message cannot be written as JSON: ${place} has no form in JSON`;
    expect(resolvePlaceholders("{{$}}", { executorInput })).toMatchObject({
      ok: false,
      problems: [{ code: "unavailable", message }],
    });
  },
);
