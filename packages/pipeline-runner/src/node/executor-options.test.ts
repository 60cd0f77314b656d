import { describe, expect, test } from "vitest";
import type { ReadyContainer } from "../ready-task.js";
import { dockerExecutor } from "./docker-executor.js";
import type { Work } from "./executor.js";
import { functionExecutor } from "./function-executor.js";
import { subprocessExecutor } from "./subprocess-executor.js";

// Programs without types hand in anything.
const docker = (options: object) => () => dockerExecutor(options);
const subprocess = (options: object) => () => subprocessExecutor(options);
const functions = (options: object) => () => functionExecutor({}, options);
const execute = async () => ({ ok: true }) as const;

test.each<readonly [string, object, (options: object) => () => unknown]>([
  ...[{}, { pull: "always" }, { pull: "missing" }, { pull: "never" }, { args: [] }, { args: ["--rm"] }].map(
    (options) => ["dockerExecutor", options, docker] as const,
  ),
  ["dockerExecutor", { program: "podman", user: "0:0", timeoutMs: 1, graceMs: 0 }, docker],
  ...[
    {},
    { unknownImages: "run" },
    { unknownImages: "refuse" },
    { images: {} },
    { images: { a: {}, b: { entrypoint: ["x"], environment: { A: "b" }, path: ["/bin"] } } },
    { environment: {}, timeoutMs: 1, graceMs: 0 },
  ].map((options) => ["subprocessExecutor", options, subprocess] as const),
  ["functionExecutor", {}, functions],
  ["functionExecutor", { otherwise: { execute } }, functions],
])("%s takes %j", (_, options, make) => {
  expect(make(options)).not.toThrow();
});

describe("executors refuse, by name,", () => {
  const image = (name: string) => `the image ${JSON.stringify(name)} of subprocessExecutor`;
  test.each<[object, (options: object) => () => unknown, string]>([
    [{ pull: "sometimes" }, docker, '"pull"'],
    [{ pulls: "always" }, docker, '"pulls"'],
    [{ args: "--rm" }, docker, 'the option "args" of dockerExecutor is a list of texts, not the text "--rm"'],
    [{ args: ["--rm", 5] }, docker, 'the option "args" of dockerExecutor is a list of texts, not a list'],
    [{ unknownImages: "take" }, subprocess, '"unknownImages"'],
    [{ image: {} }, subprocess, '"image"'],
    [{ images: [] }, subprocess, '"images"'],
    [{ images: { a: { entry: [] } } }, subprocess, image("a")],
    [
      { images: { a: {}, b: { entrypoint: "python" } } },
      subprocess,
      `the option "entrypoint" of ${image("b")} is a list of texts, not the text "python"`,
    ],
    [
      { images: { a: { path: ["/bin", null] } } },
      subprocess,
      `the option "path" of ${image("a")} is a list of texts, not a list`,
    ],
    [{ images: { a: { environment: "A=b" } } }, subprocess, '"environment"'],
    [{ otherwise: {} }, functions, 'the option "otherwise" of functionExecutor is an object with a function'],
    [
      { otherwise: null },
      functions,
      'the option "otherwise" of functionExecutor is an object with a function',
    ],
    [{ other: { execute } }, functions, '"other"'],
  ])("%j", (options, make, message) => {
    expect(make(options)).toThrow(TypeError);
    expect(make(options)).toThrow(message);
  });
});

test.each([
  ["docker", dockerExecutor({ graceMs: 1000 }), 46_000],
  ["docker by default", dockerExecutor(), 50_000],
  ["docker at most", dockerExecutor({ graceMs: 2 ** 31 - 1 }), 2 ** 31 - 1],
  ["processes", subprocessExecutor({ graceMs: 1000 }), 11_000],
  ["processes by default", subprocessExecutor(), 15_000],
  ["functions", functionExecutor({}), 5000],
  [
    "functions beside what is soon over",
    functionExecutor({}, { otherwise: { execute, endsWithinMs: 1 } }),
    5000,
  ],
  [
    "functions beside what takes long",
    functionExecutor({}, { otherwise: { execute, endsWithinMs: 9000 } }),
    9000,
  ],
  ["functions beside what does not say", functionExecutor({}, { otherwise: { execute } }), 30_000],
])("an attempt of %s is given up after a time that is known", (_, { endsWithinMs }, ms) => {
  expect(endsWithinMs).toBe(ms);
});

test("an image whose name is filled in later may be any that this machine knows", () => {
  const images = { a: { path: ["/a"] }, b: { path: ["/b"] } };
  const keyOf = (image: string) => {
    // Of the task only the image is asked for.
    const task = { container: { image } } as ReadyContainer;
    return subprocessExecutor({ images }).cacheKey?.(task);
  };
  const of = (path: readonly string[]) => ({ entrypoint: undefined, environment: [], path });
  expect(keyOf("a")).toEqual(["subprocess", of(["/a"])]);
  expect(keyOf("c")).toEqual(["subprocess", of([])]);
  for (const name of ["{{$.image}}", "host/{{$.image}}:3"])
    expect(keyOf(name)).toEqual([
      "subprocess",
      [
        ["a", of(["/a"])],
        ["b", of(["/b"])],
      ],
    ]);
});

test.each([
  ["comp-train", "whole"],
  ["train", "short"],
  ["comp-other", "other"],
  ["comp-comp-last", "last"],
  ["my-comp-other", undefined],
  ["comp-", undefined],
  ["toString", undefined],
])(
  "the component %s is done by the function of its name, or of that without `comp-`: %j",
  async (component, by) => {
    const makes = (name: string) => () => ({ by: name });
    const { execute } = functionExecutor({
      "comp-train": makes("whole"),
      train: makes("short"),
      other: makes("other"),
      "comp-last": makes("last"),
      "my-other": makes("mine"),
    });
    // Of the work only what the function is found by, and given, is asked for.
    const work = { task: { component, inputs: { parameters: {} } } } as unknown as Work;
    const context = { signal: new AbortController().signal, log() {}, warn() {} };
    const result = await execute(work, context);
    const made = result.ok ? result.outputs?.parameters?.by : undefined;
    expect([result.ok, made]).toEqual([by !== undefined, by]);
  },
);

describe("an executor of functions", () => {
  const functions = {
    "comp-a": () => ({ x: 1 }),
    a: () => ({ x: 2 }),
    "my-comp-b": () => ({ x: 3 }),
    three: () => 3,
    none: () => undefined,
  };
  const refused = (message: string) => ({ ok: false, message, retry: false });
  const well = (parameters: object) => ({ ok: true, outputs: { parameters } });

  test.each<[component: string, result: object]>([
    ["comp-a", well({ x: 1 })],
    ["a", well({ x: 2 })],
    ["comp-none", well({})],
    ["comp-three", refused("the function of comp-three returns its outputs by name, as an object")],
    ["thre", refused('there is no function for the component "thre"; did you mean "three"?')],
    ["my-b", refused('there is no function for the component "my-b"')],
    ["comp-my-b", refused('there is no function for the component "comp-my-b"')],
    ["toString", refused('there is no function for the component "toString"')],
  ])("does the work of %s, or says why not", async (component, result) => {
    // Of its work only the component and its inputs are asked for.
    const work = { task: { component, inputs: { parameters: {} } } } as unknown as Work;
    const context = { signal: new AbortController().signal, log() {}, warn() {} };
    expect(await functionExecutor(functions).execute(work, context)).toEqual(result);
  });

  test("takes nothing else for one", () => {
    expect(() => functionExecutor({ a: 5 as never })).toThrow(TypeError);
    expect(() => functionExecutor(5 as never)).toThrow(TypeError);
  });
});
