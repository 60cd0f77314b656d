import { readFileSync } from "node:fs";
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { describe, expect, test } from "vitest";
import { type CelResult, isProgram, parseCel } from "./cel-engine.js";
import { checkNames } from "./expression-checks.js";
import type { ExpressionLanguage } from "./expression-language.js";
import { defaultExpressionLimits } from "./expression-problem.js";

// The official tests of CEL, through everything of ours that surrounds the engine. A test is expected to pass unless it
// stands in the list of known failures; one that stands there must fail, for the list to stay true.

// biome-ignore lint/suspicious/noExplicitAny: test data of another project, in the JSON of protobuf
type Json = any;
interface OfficialTest {
  readonly name: string;
  readonly expr: string;
  readonly value?: Json;
  readonly evalError?: Json;
  readonly typedResult?: { readonly result?: Json; readonly deducedType?: Json };
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: Json } }[];
  readonly bindings?: Readonly<Record<string, { readonly value: Json }>>;
  readonly checkOnly?: boolean;
}
interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: unknown }[];
}

const core = [
  ...["basic", "comparisons", "conversions", "fields", "fp_math", "integer_math", "lists", "logic", "macros"],
  ...["namespace", "parse", "plumbing", "string", "timestamps", "type_deductions"],
];
const known: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("../../testdata/cel-known-failures.json", import.meta.url), "utf8"),
);
const knownFailures = new Map(
  Object.entries(known).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
);

const primitives: Readonly<Record<string, string>> = {
  BOOL: "bool",
  INT64: "int",
  UINT64: "uint",
  DOUBLE: "double",
  STRING: "string",
  BYTES: "bytes",
};
const wellKnown: Readonly<Record<string, string>> = {
  TIMESTAMP: "google.protobuf.Timestamp",
  DURATION: "google.protobuf.Duration",
  ANY: "dyn",
};

function typeFrom(type: Json): string {
  if (type.primitive) return primitives[type.primitive]!;
  if (type.wellKnown) return wellKnown[type.wellKnown]!;
  if (type.listType) return `list<${type.listType.elemType ? typeFrom(type.listType.elemType) : "dyn"}>`;
  if (type.mapType) return `map<${typeFrom(type.mapType.keyType!)}, ${typeFrom(type.mapType.valueType!)}>`;
  if ("null" in type) return "null";
  if ("type" in type) return "type";
  return "dyn";
}

/** A value of a test in the engine's form. */
function valueFrom(value: Json): unknown {
  const [kind, content] = Object.entries(value)[0] as [string, Json];
  switch (kind) {
    case "int64Value":
      return BigInt(content);
    case "uint64Value":
      return new UnsignedInt(BigInt(content));
    case "doubleValue":
      return Number(content);
    case "bytesValue":
      return Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    case "nullValue":
      return null;
    case "listValue":
      return (content.values ?? []).map(valueFrom);
    case "mapValue":
      return new Map(
        (content.entries ?? []).map((entry: Json) => [valueFrom(entry.key), valueFrom(entry.value)]),
      );
    case "objectValue":
      if (content["@type"]!.endsWith("Timestamp")) return new Date(content.value!);
      return new Duration(BigInt(String(content.value).replace(/[.s].*$/, "")));
    default:
      return content;
  }
}

/** A value as a text that tells kinds apart: `int 1` is not `double 1`. */
function canonical(value: unknown): string {
  if (value instanceof UnsignedInt) return `uint ${value}`;
  if (value instanceof Uint8Array) return `bytes ${Array.from(value)}`;
  if (value instanceof Date) return `timestamp ${value.toISOString()}`;
  if (value instanceof Duration) return `duration ${value}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(", ")}]`;
  if (typeof value === "bigint") return `int ${value}`;
  if (typeof value === "number") return `double ${Object.is(value, -0) ? "-0" : value}`;
  if (typeof value !== "object" || value === null) return `${typeof value} ${JSON.stringify(value)}`;
  if (String(value).startsWith("Type<")) return `string ${JSON.stringify(String(value).slice(5, -1))}`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries
    .map(([key, one]) => `${canonical(key)}: ${canonical(one)}`)
    .sort()
    .join(", ")}}`;
}

function outcome(one: OfficialTest): { readonly type: string; readonly result: CelResult | string } {
  const variables = Object.fromEntries(
    (one.typeEnv ?? []).flatMap(({ name, ident }) => (ident ? [[name, typeFrom(ident.type)]] : [])),
  );
  for (const name of Object.keys(one.bindings ?? {})) variables[name] ??= "dyn";
  const language: ExpressionLanguage = { kind: "selector", variables, messages: {} };
  const program = parseCel(one.expr, language, defaultExpressionLimits);
  if (!isProgram(program)) return { type: "", result: `${program.code}: ${program.message}` };
  const [problem] = checkNames(one.expr, program.root, language, defaultExpressionLimits);
  if (problem) return { type: "", result: `${problem.code}: ${problem.message}` };
  const type = program.check();
  if (typeof type !== "string") return { type: "", result: `type: ${type.message}` };
  const bindings = Object.entries(one.bindings ?? {}).map(
    ([name, { value }]) => [name, valueFrom(value)] as const,
  );
  return { type, result: one.checkOnly ? "" : program.run(() => new Map(bindings)) };
}

/** Why a test fails; undefined when it passes. */
function failure(one: OfficialTest): string | undefined {
  const { type, result } = outcome(one);
  const deduced = one.typedResult?.deducedType;
  if (deduced && type !== typeFrom(deduced).replace("list<dyn>", "list").replace("map<dyn, dyn>", "map")) {
    return `type ${type}, ${typeof result === "string" ? result : ""}`;
  }
  if (one.checkOnly) return undefined;
  if (typeof result === "string" || !result.ok) {
    const said = typeof result === "string" ? result : `${result.problem.code}: ${result.problem.message}`;
    // Failing because it cannot be read, or because a function is unknown, is no proof of failing rightly.
    const hollow =
      /^(?:syntax|unknown-function|unknown-name)/.test(said) &&
      !/unknown|undeclared|unbound|no_such|no such|no_matching/i.test(JSON.stringify(one.evalError));
    return one.evalError && !hollow ? undefined : said;
  }
  if (one.evalError) return `gives ${canonical(result.value)}`;
  const wanted = canonical(valueFrom(one.value ?? one.typedResult?.result ?? { boolValue: true }));
  const given = canonical(result.value);
  return given === wanted ? undefined : `gives ${given}, not ${wanted}`;
}

/** Tests about protobuf messages and namespaces say nothing about pipelines, whose values are JSON. */
const needsMessages = (one: OfficialTest): boolean =>
  /TestAllTypes|NestedTestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|"messageType"|"wrapper"|"abstractType"|"typeParam"|"function"/.test(
    JSON.stringify(one),
  );

function* testsOf(suite: Suite, path: string): Generator<readonly [id: string, one: OfficialTest]> {
  for (const { original } of suite.tests ?? []) {
    const one = original as OfficialTest;
    if (!needsMessages(one)) yield [`${path}/${one.name}`, one];
  }
  for (const inner of suite.suites ?? []) yield* testsOf(inner, `${path}/${inner.name}`);
}

let passed = 0;
let total = 0;
const seen = new Set<string>();
for (const section of (tests as Suite).suites ?? []) {
  if (!core.includes(section.name)) continue;
  describe(`conformance/${section.name}`, () => {
    for (const [id, one] of testsOf(section, section.name)) {
      const reason = knownFailures.get(id);
      total++;
      seen.add(id);
      if (reason === undefined) {
        passed++;
        test(id, () => expect(failure(one)).toBeUndefined());
      } else {
        test(`${id} fails: ${reason}`, () => expect(failure(one)).toBeDefined());
      }
    }
  });
}

test("the known failures are tests of the suite", () => {
  expect([...knownFailures.keys()].filter((id) => !seen.has(id))).toEqual([]);
});

test("at least as many core tests pass as when the engine was chosen (88 %)", () => {
  expect(passed / total).toBeGreaterThan(0.91);
});
