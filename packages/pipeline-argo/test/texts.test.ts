import { parsePipeline } from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type ArgoWorkflow, printArgoWorkflow, toArgoWorkflow } from "../src/index.js";
import { pipelineOf, to } from "./small-pipelines.js";

const parsed = parsePipeline(`
pipelineInfo: {name: hello}
root: {dag: {tasks: {greet: {componentRef: {name: comp-greet}}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: python}}}}
`);
const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable();

function workflowWith(value: unknown): ArgoWorkflow {
  const result = toArgoWorkflow(pipeline, { runtimeConfig: { parameterValues: { value } } });
  return result.ok ? result.workflow : expect.unreachable(JSON.stringify(result.problems));
}

/** The text of the arguments that the root driver gets. */
function textOf(workflow: ArgoWorkflow): string {
  const entrypoint = workflow.spec.templates?.find(({ name }) => name === "entrypoint");
  const arguments_ = entrypoint?.dag?.tasks[0]?.arguments.parameters ?? [];
  return arguments_.find(({ name }) => name === "runtime-config")?.value ?? expect.unreachable();
}

/** The same by the rules: names sorted by their bytes, five characters by their numbers, negative zero kept. */
function byTheRules(value: unknown): string {
  const text = (json: string) =>
    JSON.stringify(json)
      .replaceAll("<", "\\u003c")
      .replaceAll(">", "\\u003e")
      .replaceAll("&", "\\u0026")
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029");
  if (typeof value === "string") return text(value);
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(byTheRules).join(",")}]`;
  const sorted = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${sorted.map(([name, member]) => `${text(name)}:${byTheRules(member)}`).join(",")}}`;
}

const jsonValue = fc.jsonValue({ stringUnit: "grapheme", maxDepth: 4 });
const oddKeys = fc.dictionary(
  fc.constantFrom("10", "9", "a", "\uffee", "😀", "__proto__", "<&>", ""),
  fc.constantFrom(0, -0, 1e21, 1e-7, "\u2028<", null),
);

describe("the texts of JSON", () => {
  test("are written by the rules of the back end, whatever they hold", () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, oddKeys), (value) => {
        expect(textOf(workflowWith(value))).toBe(`{"parameterValues":{"value":${byTheRules(value)}}}`);
      }),
      { seed: 19, numRuns: 200 },
    );
  });

  test.each([
    [
      "numbers",
      [5, 1.5, 1e21, 1e20, 1e-6, 1e-7, -0, 2 ** 53],
      "[5,1.5,1e+21,100000000000000000000,0.000001,1e-7,-0,9007199254740992]",
    ],
    [
      "characters",
      '<a>&\u2028\u2029\b\f\n\r\t"\\/\u007f\u0001é',
      '"\\u003ca\\u003e\\u0026\\u2028\\u2029\\b\\f\\n\\r\\t\\"\\\\/\u007f\\u0001é"',
    ],
    [
      "order",
      { "10": 1, "9": 2, b: 3, a: 4, "😀": 5, "\uffee": 6 },
      '{"10":1,"9":2,"a":4,"b":3,"\uffee":6,"😀":5}',
    ],
  ])("of %s", (_, value, text) => {
    expect(textOf(workflowWith(value))).toBe(`{"parameterValues":{"value":${text}}}`);
  });
});

describe("a printed workflow", () => {
  test("is read back as it was, by YAML 1.1 and 1.2 and as JSON, indented or not", () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, oddKeys), (value) => {
        const workflow = workflowWith(value);
        for (const version of ["1.1", "1.2"] as const)
          expect(parse(printArgoWorkflow(workflow), { version })).toEqual(workflow);
        expect(JSON.parse(printArgoWorkflow(workflow, { format: "json" }))).toEqual(workflow);
        const indented = parse(printArgoWorkflow(workflow, { texts: "indented" }));
        expect(withoutBlanks(textOf(indented))).toBe(textOf(workflow));
      }),
      { seed: 20, numRuns: 40 },
    );
  });

  test("does not depend on the order in which names were given", () => {
    const { spec, metadata, status, kind, apiVersion } = workflowWith({});
    const reordered = {
      status,
      spec: Object.fromEntries(Object.entries(spec).reverse()) as typeof spec,
      metadata,
      kind,
      apiVersion,
    };
    expect(printArgoWorkflow(reordered)).toBe(printArgoWorkflow(workflowWith({})));
  });

  test("is YAML when nothing else is asked for, with texts of JSON in the quotes that escape nothing", () => {
    const workflow = workflowWith({ a: "b" });
    const printed = printArgoWorkflow(workflow);
    expect(printed).toContain(` '${textOf(workflow)}'\n`);
    expect(printArgoWorkflow(workflow, { format: "yaml", texts: "exact" })).toBe(printed);
  });

  test("has a line for each member when it is indented", () => {
    const { spec, ...rest } = workflowWith({
      ...{ folder: "C:\\", list: [1, { a: "{,}", "b\\": 'say "x"\\' }], none: {}, nothing: [] },
    });
    const lines = printArgoWorkflow({ ...rest, spec }, { texts: "indented" })
      .split("\n")
      .map((line) => line.trim());
    const start = lines.indexOf('"value": {');
    expect(lines.slice(start, start + 11)).toEqual([
      '"value": {',
      '"folder": "C:\\\\",',
      '"list": [',
      "1,",
      "{",
      '"a": "{,}",',
      '"b\\\\": "say \\"x\\"\\\\"',
      "}",
      "],",
      '"none": {},',
      '"nothing": []',
    ]);
  });

  test("has lines of their own for the members of objects only, and no members that are undefined", () => {
    const texts = ["{{a.b}}", "[1,2]", "{a:1}", "x{", "{}", '{"a":[1]}'];
    const workflow = { kind: undefined, spec: { texts, a: {} } } as never;
    const printed = (indented?: "indented") =>
      printArgoWorkflow(workflow, { format: "json", ...(indented && { texts: indented }) });
    const withLast = (last: string) => ({ spec: { a: {}, texts: [...texts.slice(0, -1), last] } });
    expect(printed()).toBe(`${JSON.stringify(withLast('{"a":[1]}'), undefined, 2)}\n`);
    expect(printed("indented")).toBe(
      `${JSON.stringify(withLast('{\n  "a": [\n    1\n  ]\n}'), undefined, 2)}\n`,
    );
    expect(printArgoWorkflow({ kind: undefined, spec: { a: {} } } as never)).toBe("spec:\n  a: {}\n");
  });

  test("is refused when it is none", () => {
    expect(() => printArgoWorkflow(undefined as never)).toThrow(
      "printArgoWorkflow takes an object as its workflow",
    );
    expect(() => printArgoWorkflow(workflowWith({}), { text: "indented" } as never)).toThrow(
      'has no option "text"',
    );
  });
});

/** A text of JSON without the blanks between its tokens. */
function withoutBlanks(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, kept: string | undefined) => kept ?? "");
}

test("names of tasks are escaped as values are", () => {
  const result = toArgoWorkflow(pipelineOf({ tasks: { "a<&>b": to("leaf") } }));
  const { parameters } = result.ok ? result.workflow.spec.arguments : expect.unreachable();
  const { value = "" } = parameters.find(({ name }) => name === "components-root") ?? {};
  expect(value).toContain('"tasks":{"a\\u003c\\u0026\\u003eb":{');
});
