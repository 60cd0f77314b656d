import { describe, expect, test } from "vitest";
import * as api from "./index.js";
import { type ArgumentKind, checkArguments, checkPipeline } from "./index.js";

/** Values of every kind, and which of them an argument may be. */
const values = {
  object: {},
  list: [] as unknown,
  text: "",
  function: () => 5,
  null: null,
  undefined,
  number: 5,
  map: new Map(),
} as const;

describe("an argument", () => {
  const taken: Readonly<Record<ArgumentKind, readonly (keyof typeof values)[]>> = {
    object: ["object", "map"],
    list: ["list"],
    text: ["text"],
    function: ["function"],
    iterable: ["list", "map"],
  };
  test.each(Object.keys(taken) as ArgumentKind[])(
    "that is to be of the kind %s may be nothing else",
    (kind) => {
      const isTaken = (value: unknown): boolean => {
        try {
          checkArguments("anyone", kind, {
            good: kind === "text" ? "a" : values[kind === "iterable" ? "list" : kind],
            value,
          });
          return true;
        } catch (error) {
          return !(error instanceof TypeError);
        }
      };
      const names = Object.keys(values) as (keyof typeof values)[];
      expect(names.filter((name) => isTaken(values[name]))).toEqual(taken[kind]);
    },
  );

  test.each<[kind: ArgumentKind, told: string]>([
    ["object", "anyone takes an object as its a.b, not null"],
    ["list", "anyone takes a list as its a.b, not null"],
    ["text", "anyone takes a text as its a.b, not null"],
    ["function", "anyone takes a function as its a.b, not null"],
    ["iterable", "anyone takes an iterable as its a.b, not null"],
  ])("that is no %s is told by its name", (kind, told) => {
    expect(() => checkArguments("anyone", kind, { "a.b": null })).toThrow(new TypeError(told));
  });

  test("of a kind that there is not is a mistake of the caller", () => {
    for (const kind of ["number", "constructor", ""]) {
      expect(() => checkArguments("anyone", kind as never, {})).toThrow(/^checkArguments knows no /);
    }
  });
});

test("a pipeline has its specification", () => {
  const told = "anyone takes a pipeline with its `spec`: the `pipeline` of what parsePipeline gives";
  for (const pipeline of [{}, { spec: undefined }, { spec: [] }, { spec: "a" }, { pipeline: { spec: {} } }]) {
    expect(() => checkPipeline("anyone", pipeline)).toThrow(new TypeError(told));
  }
  expect(() => checkPipeline("anyone", [])).toThrow("anyone takes an object as its pipeline, not a list");
  expect(() => checkPipeline("anyone", { spec: {} })).not.toThrow();
});

describe("every function refuses what it does not take, by its own name:", () => {
  const node = {};
  const rows: readonly (readonly [
    name: string,
    call: (value: never) => unknown,
    kind: string,
    argument: string,
  ])[] = [
    ["commentOffsets", (value) => api.commentOffsets(value), "a text", "text"],
    ["durationMs", (value) => api.durationMs(value), "a text", "duration"],
    ["findCycles", (value) => api.findCycles(value, () => []), "an iterable", "nodes"],
    ["findCycles", (value) => api.findCycles([], value), "a function", "edgesOf"],
    ["findCycles", (value) => api.findCycles([node], () => value), "a list", "list of edges"],
    ["inexactIntegers", (value) => api.inexactIntegers(value), "a text", "text"],
    ["LineTable", (value) => new api.LineTable(value), "a text", "text"],
    ["locate", (value) => api.locate({} as never, value), "a text", "path"],
    ["pathFromPointer", (value) => api.pathFromPointer(value), "a text", "pointer"],
    ["plainValue", (value) => api.plainValue(value), "an object", "typed"],
    ["rewritePipeline", (value) => api.rewritePipeline(value, () => {}), "a text", "text"],
    ["rewritePipeline", (value) => api.rewritePipeline("", value), "a function", "change"],
    ["settingProblems", (value) => api.settingProblems(value), "an object", "settings"],
    ["sha256", (value) => api.sha256(value), "a text", "text"],
    ["Sha256Prefix", (value) => new api.Sha256Prefix(value), "a text", "prefix"],
    ["sortedMembers", (value) => api.sortedMembers(value), "an object", "members"],
    ["reachableComponents", (value) => api.reachableComponents(value), "an object", "graph"],
    ["loopedComponents", (value) => api.loopedComponents(value), "an object", "graph"],
    ["configFromFile", (value) => api.configFromFile(value), "an object", "pipeline"],
    ["printPipeline", (value) => api.printPipeline(value), "an object", "pipeline"],
    ["buildGraph", (value) => api.buildGraph(value), "an object", "pipeline"],
    [
      "buildGraph",
      (value) => api.buildGraph({ spec: api.PipelineSpec.create(), platform: undefined, deployment: value }),
      "an object",
      "pipeline.deployment",
    ],
  ];
  test.each(rows)("%s(%s)", (name, call, kind, argument) => {
    for (const [value, described] of [
      [5, "the number 5"],
      [undefined, "a value of type undefined"],
    ] as const) {
      const told = `${name} takes ${kind} as its ${argument}, not ${described}`;
      expect(() => call(value as never)).toThrow(new TypeError(told));
    }
  });

  test("pointers begin with a slash", () => {
    const told = (name: string) => `${name} takes a JSON pointer, which begins with /, not "root"`;
    expect(() => api.locate({} as never, "root")).toThrow(new TypeError(told("locate")));
    expect(() => api.pathFromPointer("root")).toThrow(new TypeError(told("pathFromPointer")));
    expect([api.pathFromPointer(""), api.pathFromPointer("/"), api.pathFromPointer("/a~1b/~01/0")]).toEqual([
      [],
      [""],
      ["a/b", "~1", "0"],
    ]);
    expect(api.locate({} as never, "")).toBeUndefined();
  });

  test("names that may have been meant are a list of texts", () => {
    const told = new TypeError("didYouMean takes a name and the names that may have been meant");
    const meant = (...args: readonly unknown[]) => Reflect.apply(api.didYouMean, undefined, args);
    for (const args of [
      [5, []],
      ["a", 5],
      ["a", undefined],
      ["a", [], 5],
      ["a", [], null],
    ]) {
      expect(() => meant(...args)).toThrow(told);
    }
    expect(api.didYouMean("nmae", new Set(["name"]))).toBe("name");
  });
});
