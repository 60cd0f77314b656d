import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { checkOptions, type KnownOptions } from "./check-options.js";
import {
  buildGraph,
  locate,
  parsePipeline,
  printPipeline,
  readBinary,
  readJson,
  rewritePipeline,
  unpackPipeline,
} from "./index.js";
import { PipelineSpec } from "./messages.js";

interface Options {
  readonly maxProblems?: number;
  readonly profile?: "kfp" | "spec";
  readonly values?: object;
  readonly text?: string;
  readonly any?: unknown;
}
const known: KnownOptions<Options> = {
  ...{ maxProblems: "limit", profile: ["kfp", "spec"], values: "object", text: "text", any: "any" },
};
/** As a caller without types has it. */
const check = (options: object) => () => checkOptions<Options>("check", options, known);

test("known options are taken, also when they are undefined", () => {
  for (const options of [
    {},
    { maxProblems: 3, profile: "spec" },
    { maxProblems: 0 },
    { maxProblems: Number.POSITIVE_INFINITY },
    { profile: undefined },
    { values: {} },
    { values: Object.create(null) },
    { values: runInNewContext("({ a: 1 })") },
    { text: "" },
    { text: "kfp", any: null },
    { any: 5 },
  ]) {
    expect(check(options)).not.toThrow();
  }
});

const refused: readonly (readonly [object, string])[] = [
  [{ maxProblem: 3 }, 'check has no option "maxProblem": did you mean "maxProblems"?'],
  [{ zzz: 3 }, 'check has no option "zzz": it has maxProblems, profile, values, text, any'],
  [{ constructor: 3 }, 'check has no option "constructor": it has maxProblems, profile, values, text, any'],
  [{ profile: "kpf" }, 'the option "profile" of check is "kfp" or "spec", not the text "kpf"'],
  [{ maxProblems: "3" }, 'the option "maxProblems" of check is a number, zero or more, not the text "3"'],
  [{ maxProblems: -1 }, 'the option "maxProblems" of check is a number, zero or more, not the number -1'],
  [
    { maxProblems: Number.NaN },
    'the option "maxProblems" of check is a number, zero or more, not the number NaN',
  ],
  [{ maxProblems: null }, 'the option "maxProblems" of check is a number, zero or more, not null'],
  [{ values: new Map([["a", 1]]) }, 'the option "values" of check is an object, not a Map'],
  [{ values: Promise.resolve({}) }, 'the option "values" of check is an object, not a Promise'],
  [{ values: new Error("a") }, 'the option "values" of check is an object, not an Error'],
  [{ values: /a/ }, 'the option "values" of check is an object, not a RegExp'],
  [
    { maxProblems: 3, profile: "kpf" },
    'the option "profile" of check is "kfp" or "spec", not the text "kpf"',
  ],
  [{ any: undefined, textt: "" }, 'check has no option "textt": did you mean "text"?'],
  [{ values: 5 }, 'the option "values" of check is an object, not the number 5'],
  [{ text: 5 }, 'the option "text" of check is a text, not the number 5'],
  [{ text: {} }, 'the option "text" of check is a text, not an object'],
  [{ values: [1] }, 'the option "values" of check is an object, not a list'],
  [{ values: null }, 'the option "values" of check is an object, not null'],
  [[], "the options of check are an object, not a list"],
];
for (const [options, message] of refused) {
  test(message, () => expect(check(options)).toThrow(new TypeError(message)));
}

const reading = [
  { maxDepth: Number.NaN },
  { maxProblems: "all" },
  { deprecations: "no" },
  { ignoreUnknownFields: 1 },
];
/** A call of every function that takes options, and how callers without types may be wrong about their values. */
const functions: readonly (readonly [string, (options: object) => unknown, ...(readonly object[])])[] = [
  [
    "parsePipeline",
    (options) => parsePipeline("", options),
    ...reading,
    { maxBytes: "32MB" },
    { maxTokens: -1 },
    { maxSlowBytes: "1MiB" },
    { maxAliasedValues: null },
  ],
  ["rewritePipeline", (options) => rewritePipeline("", () => {}, options), ...reading],
  ["readJson", (options) => readJson("PipelineSpec", {}, options), ...reading],
  ["readBinary", (options) => readBinary("PipelineSpec", new Uint8Array(), options), ...reading],
  ["printPipeline", (options) => printPipeline({ spec: PipelineSpec.create() }, options), { format: "yml" }],
  ["unpackPipeline", (options) => unpackPipeline(new Uint8Array(), options), { maxBytes: Number.NaN }],
];
for (const [name, call, ...wrong] of functions) {
  test(`${name} takes no options`, async () => {
    await call({});
  });

  test.each([{ zzz: 1 }, { constructor: 1 }, { maxProblemz: 1 }, ...wrong])(
    `${name} refuses %j`,
    async (options) => {
      await expect((async () => call(options))()).rejects.toThrow(TypeError);
    },
  );
}

const parsed = parsePipeline("root: {dag: {}}\npipelineInfo: {name: a}");
test.each<[() => unknown, string]>([
  [
    () => buildGraph(parsed as never),
    "buildGraph takes a pipeline with its `spec`: the `pipeline` of what parsePipeline gives",
  ],
  [
    () => buildGraph(undefined as never),
    "buildGraph takes an object as its pipeline, not a value of type undefined",
  ],
  [
    () => buildGraph({ spec: PipelineSpec.create() } as never),
    "buildGraph takes an object as its pipeline.deployment, not a value of type undefined",
  ],
  [
    () => printPipeline(parsed as never),
    "printPipeline takes a pipeline with its `spec`: the `pipeline` of what parsePipeline gives",
  ],
  [() => printPipeline([] as never), "printPipeline takes an object as its pipeline, not a list"],
  [
    () => rewritePipeline("", undefined as never),
    "rewritePipeline takes a function as its change, not a value of type undefined",
  ],
  [
    () => rewritePipeline(new Uint8Array() as never, () => {}),
    "rewritePipeline takes a text as its text, not an object",
  ],
  [() => locate({} as never, 5 as never), "locate takes a text as its path, not the number 5"],
])("%s is refused by name", (call, message) => {
  expect(call).toThrow(new TypeError(message));
});
