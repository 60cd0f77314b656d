import {
  ComponentSpec,
  ExecutorInput,
  ParameterType,
  PipelineContainerSpec,
  PipelineTaskSpec,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  cacheKey,
  compileExpression,
  convertParameter,
  resolveContainer,
  resolveInput,
  resolvePlaceholders,
  resolveRootInputs,
  resolveTaskInputs,
} from "./index.js";

// What a file or a run is given may be small and mean much: it ends in a problem, not in the memory or the stack.

const scope = { parameters: {}, artifacts: {}, outputs: new Map() };
const constant = (value: unknown) =>
  ({ kind: { $case: "runtimeValue", value: { value: { $case: "constant", value } } } }) as const;
const parameter = (name: string) => `{{$.inputs.parameters['${name}']}}`;

/** A task whose inputs p0, p1, … are constants, each made of the next; the last is a text. */
function chain(count: number, made: (next: string) => unknown, type: ParameterType = ParameterType.STRING) {
  const names = Array.from({ length: count }, (_, i) => `p${i}`);
  const parameters = Object.fromEntries(
    names.map((name, i) => [name, constant(i === count - 1 ? "end" : made(parameter(`p${i + 1}`)))]),
  );
  const declared = Object.fromEntries(names.map((name) => [name, { parameterType: type }]));
  return resolveTaskInputs(
    PipelineTaskSpec.create({ inputs: { parameters } }),
    ComponentSpec.create({ inputDefinitions: { parameters: declared } }),
    scope,
  );
}

const problemsOf = (result: {
  readonly ok: boolean;
  readonly problems: readonly { readonly message: string }[];
}) => (result.ok ? [] : result.problems.map(({ message }) => message));

describe("constants that name each other", () => {
  test.each([2, 10, 100])("%i in a row are resolved", (count) => {
    expect(chain(count, (next) => next)).toMatchObject({ ok: true, value: { parameters: { p0: "end" } } });
  });

  test.each([102, 1000, 5000])("%i in a row are too many", (count) => {
    expect(problemsOf(chain(count, (next) => next))[0]).toContain("more than 100 inputs need one another");
  });

  test("grow to 32 Mi characters at most, all together", () => {
    expect(chain(16, (next) => next + next)).toMatchObject({ ok: true });
    for (const count of [28, 60, 100]) {
      expect(problemsOf(chain(count, (next) => next + next))[0]).toContain("more than 33554432 characters");
    }
  });

  test("grow no further as lists, as members and as names of members", { timeout: 300_000 }, () => {
    const list = (count: number) =>
      chain(count, (next) => [next, next], ParameterType.PARAMETER_TYPE_ENUM_UNSPECIFIED);
    expect(list(10)).toMatchObject({ ok: true });
    for (const count of [30, 90]) {
      expect(problemsOf(list(count))[0]).toContain("more than 33554432 characters");
    }
    const names = chain(
      60,
      (next) => ({ [next]: next, [`${next}x`]: 1 }),
      ParameterType.PARAMETER_TYPE_ENUM_UNSPECIFIED,
    );
    expect(problemsOf(names)[0]).toContain("more than 33554432 characters");
  });
});

test("a container with a large value in many places is refused", () => {
  const executorInput = ExecutorInput.create({ inputs: { parameterValues: { big: "x".repeat(1_000_000) } } });
  const of = (count: number) =>
    resolveContainer(PipelineContainerSpec.create({ args: Array(count).fill(parameter("big")) }), {
      executorInput,
    });
  expect(of(33)).toMatchObject({ ok: true });
  expect(of(34)).toMatchObject({ ok: false, problems: [{ code: "limit", path: "/args/33" }] });
  const text = resolvePlaceholders(parameter("big").repeat(600), { executorInput });
  expect(text).toMatchObject({ ok: false });
});

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
const cyclic: unknown[] = [];
cyclic.push({ cyclic });

describe.each([
  ["500 levels", nested(500), true],
  ["501 levels", nested(501), false],
  ["5,000 levels", nested(5000), false],
  ["100,000 levels", nested(100_000), false],
  ["a value that contains itself", cyclic, false],
])("%s", (name, value, taken) => {
  const root = ComponentSpec.create({
    inputDefinitions: { parameters: { l: { parameterType: ParameterType.LIST } } },
  });
  const executorInput = {
    ...ExecutorInput.create({ inputs: {} }),
    inputs: { parameterValues: { l: value }, artifacts: {}, parameters: {} },
  };

  test("as what a run is given", () => {
    expect(resolveRootInputs(root, { parameterValues: { l: value } }).ok).toBe(taken);
  });
  test.each(["STRING", "LIST", "unspecified"] as const)("as a parameter of type %s", (type) => {
    expect(convertParameter(value, type).ok).toBe(taken);
  });
  test("as an input of a task", () => {
    const spec = {
      kind: { $case: "componentInputParameter", value: "l" },
      parameterExpressionSelector: "",
    } as const;
    const declared = root.inputDefinitions?.parameters.l;
    const result = resolveInput(
      spec,
      { ...scope, parameters: { l: value } },
      declared === undefined ? {} : { declared },
    );
    expect(result.ok).toBe(taken);
  });
  test("in a placeholder", () => {
    expect(resolvePlaceholders(parameter("l"), { executorInput }).ok).toBe(taken);
  });
  test("in the whole executor input, which has more room", () => {
    const result = resolvePlaceholders("{{$}}", { executorInput });
    const fits = name === "500 levels" || name === "501 levels";
    expect(result).toMatchObject(fits ? { ok: true } : { ok: false, problems: [{ code: "unavailable" }] });
  });
  test("in a selector and in a condition", () => {
    const limit = { ok: false, problem: { code: "limit" } };
    const selector = compileExpression("size(string_value) > 0", "selector").evaluate(value);
    expect(selector).toMatchObject(taken ? { ok: true } : limit);
    const condition = compileExpression("size(inputs.parameter_values['l']) == 1", "condition");
    const input = { inputs: { parameterValues: { l: value } } };
    expect(condition.evaluate(input)).toMatchObject(taken ? { ok: true, value: true } : limit);
    expect(condition.explain(input).summary.length).toBeLessThan(1000);
  });
});

test("each evaluation of a condition may cost as much as the first", () => {
  const condition = compileExpression("inputs.parameter_values['s'].matches('(a|b|c|d)*e')", "condition");
  const evaluate = (s: string) =>
    condition.evaluate(ExecutorInput.create({ inputs: { parameterValues: { s }, artifacts: {} } })).ok;
  let length = 1000;
  while (evaluate("a".repeat(2 * length))) length *= 2;
  // Twice as long is too much: two of these together are.
  for (let times = 0; times < 4; times++) expect(evaluate("a".repeat(length))).toBe(true);
});

test("a cache key of what is too deep is refused by name", () => {
  expect(cacheKey({ inputParameterValues: { l: nested(500) } })).toHaveLength(64);
  expect(() => cacheKey({ inputParameterValues: { l: nested(5000) } })).toThrow(/cache key is nested deeper/);
});
