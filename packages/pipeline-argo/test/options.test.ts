import { describe, expect, test } from "vitest";
import { type ArgoOptions, toArgoWorkflow } from "../src/index.js";
import { pipelineOf, to } from "./small-pipelines.js";

const pipeline = pipelineOf({ tasks: { a: to("leaf") } });
const of = (name: string, value: unknown) => () => toArgoWorkflow(pipeline, { [name]: value } as ArgoOptions);

const choice = "is true or false";
const limit = "is a number, zero or more";
/** What each option is in words, values that it takes, and values that it does not. */
const options: readonly (readonly [
  names: readonly string[],
  what: string,
  good: unknown[],
  wrong: unknown[],
])[] = [
  [["target"], 'is "main" or "2.17" or "2.16"', ["main", "2.17", "2.16"], ["2.15", "", 2.17, null]],
  [
    [
      ...[
        "driverImage",
        "launcherImage",
        "pipelineRoot",
        "displayName",
        "httpProxy",
        "httpsProxy",
        "noProxy",
      ],
      ...[
        "namespace",
        "clusterDomain",
        "mlPipelineServiceName",
        "metadataServiceName",
        "logLevel",
        "publishLogs",
      ],
      "serviceAccountName",
    ],
    "is a text",
    ["a"],
    [5, null, true, ["a"]],
  ],
  [
    [
      ...["cacheDisabled", "mlPipelineTlsEnabled", "metadataTlsEnabled", "defaultRunAsNonRoot"],
      "defaultHostUsers",
    ],
    choice,
    [true, false],
    ["true", 0, null],
  ],
  [["maxSize", "maxProblems"], limit, [100_000, Number.POSITIVE_INFINITY], [-1, "5", Number.NaN, null]],
  [
    ["runAsUser", "defaultRunAsUser", "defaultRunAsGroup"],
    "is a whole number",
    [0, 1000],
    ["0", 0.5, Number.NaN, 2 ** 53, null],
  ],
  [
    ["driverCommand", "launcherCommand"],
    "is a list of texts",
    [[], ["a", "b"]],
    ["a", [1], ["a", null], {}, null],
  ],
  [["runtimeConfig", "defaultWorkspace", "specPatch"], "is an object", [{}], ["a", 5, [], null]],
  [
    ["driverPodLabels", "driverPodAnnotations"],
    "is an object whose values are texts",
    [{}, { a: "b" }],
    ["a", { a: 1 }, { a: "b", c: null }, [], null],
  ],
];

describe.each(options.flatMap(([names, ...row]) => names.map((name) => [name, ...row] as const)))(
  "the option %s",
  (name, what, good, wrong) => {
    test("takes what it is", () => {
      for (const value of good) expect(of(name, value)()).toMatchObject({ ok: true });
    });
    test("may be undefined", () => expect(of(name, undefined)()).toMatchObject({ ok: true, problems: [] }));
    test("refuses anything else", () => {
      for (const value of wrong) {
        expect(of(name, value)).toThrow(TypeError);
        expect(of(name, value)).toThrow(`the option "${name}" of toArgoWorkflow ${what}`);
      }
    });
  },
);

test("the bundle of certificates has its own options", () => {
  for (const value of [{}, { secretName: "a" }, { configMapName: "a" }, { secretName: "a", key: "k" }])
    expect(of("caBundle", value)()).toMatchObject({ ok: true });
  for (const name of ["secretName", "configMapName", "key"])
    expect(of("caBundle", { [name]: 5 })).toThrow(`the option "${name}" of the option caBundle is a text`);
  expect(of("caBundle", "a")).toThrow("the option caBundle");
});

test.each([
  [{ values: {} }, 'at /values: RuntimeConfig has no field "values"'],
  [{ parameterValues: 5 }, "at /parameterValues: "],
  [{ parameterValues: {}, gcsOutputDirectory: 5 }, "at /gcsOutputDirectory: "],
])("a configuration %j is refused at its place", (runtimeConfig, message) => {
  expect(of("runtimeConfig", runtimeConfig)).toThrow(message);
});

test("an option is refused also where others before it are as they have to be", () => {
  const given = { runAsUser: 5, defaultRunAsUser: undefined, cacheDisabled: true, specPatch: ["a"] };
  expect(() => toArgoWorkflow(pipeline, given as never)).toThrow(
    new TypeError('the option "specPatch" of toArgoWorkflow is an object, not a list'),
  );
  expect(of("launcherCommand", "a b")).toThrow(
    new TypeError('the option "launcherCommand" of toArgoWorkflow is a list of texts, not the text "a b"'),
  );
});

test("an empty text is none that was left out", () => {
  const texts = { driverImage: "", launcherImage: "", serviceAccountName: "", noProxy: "", httpProxy: "p" };
  const result = toArgoWorkflow(pipeline, texts);
  const { templates = [], serviceAccountName } = result.ok ? result.workflow.spec : expect.unreachable();
  const named = (name: string) => templates.find((one) => one.name === name);
  expect([
    serviceAccountName,
    named("system-dag-driver")?.container?.image,
    named("system-container-impl")?.initContainers?.[0]?.image,
    named("system-dag-driver")?.container?.env?.map(({ name }) => name),
  ]).toEqual(["", "", "", ["http_proxy", "HTTP_PROXY"]]);
});
