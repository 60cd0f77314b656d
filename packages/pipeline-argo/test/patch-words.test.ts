import { describe, expect, test } from "vitest";
import { patchSpec } from "../src/patch/patch-spec.js";
import { scalars } from "../src/patch/scalars.js";
import type { Json, JsonObject } from "../src/text/json.js";

const driver = "system-dag-driver";
const made = { inputs: {}, outputs: {}, metadata: {} };
const container = {
  name: "",
  image: "a",
  resources: {},
  env: [
    { name: "A", value: "1" },
    { name: "B", value: "2" },
  ],
  envFrom: [{ configMapRef: { name: "x", optional: true } }],
  command: ["a", "b"],
};
const spec: JsonObject = {
  entrypoint: "e",
  templates: [
    { name: "root", ...made },
    { name: driver, ...made, container },
    { name: "system-container-driver", ...made, container },
  ],
  arguments: {},
};
const inDriver = (more: JsonObject): JsonObject => ({ templates: [{ name: driver, container: more }] });
const templates = (...names: Json[]): JsonObject => ({ templates: names.map((name) => ({ name })) });
const at = "/templates/0/container";

const kind = (what: string, given: string) =>
  `the back end takes ${what} there, and no workflow with ${given}`;
const none = (name: string, of: string) =>
  `there is none with the name "${name}", and the back end mixes up ${of} when one is added`;
const nameless = (of: string) => `the items of ${of} have a name, by which they are found`;
const order = (of: string) =>
  `it stands before the one above it, and the back end mixes up ${of} in another order`;
const resources =
  "in the back end the resources of one driver are those of the other, and of later workflows";
const absent = "there is no such field there, and the back end leaves it out";
const written = (name: string) =>
  `the field is written ${name}: the back end reads this one in its place, or not at all`;
const directive = (name: string) => `the back end does not keep to the directive ${name}`;
const nothing = "null in a patch changes nothing";

/** A patch, a place in it, and what is said of that. */
const refused: readonly (readonly [patch: JsonObject, at: string, message: string])[] = [
  [{ entrypoint: 5 }, "/entrypoint", kind("a text", "the number 5")],
  [{ parallelism: "2" }, "/parallelism", kind("a whole number", 'the text "2"')],
  [{ hostNetwork: "yes" }, "/hostNetwork", kind("true or false", 'the text "yes"')],
  [{ arguments: "x" }, "/arguments", kind("an object", 'the text "x"')],
  [{ arguments: [] }, "/arguments", kind("an object", "a list")],
  [{ nodeSelector: "x" }, "/nodeSelector", kind("an object", 'the text "x"')],
  [{ nodeSelector: { a: 1 } }, "/nodeSelector/a", kind("a text", "the number 1")],
  [{ volumes: {} }, "/volumes", kind("a list", "an object")],
  [{ volumes: ["x"] }, "/volumes/0", kind("an object", 'the text "x"')],
  [inDriver({ command: ["a", 1] }), `${at}/command/1`, kind("a text", "the number 1")],
  [{ $patch: "delete" }, "/$patch", directive("$patch")],
  [{ arguments: { $retainKeys: [] } }, "/arguments/$retainKeys", directive("$retainKeys")],
  [{ templateDefaults: { plugin: { a: [{ $x: 1 }] } } }, "/templateDefaults/plugin/a/0/$x", directive("$x")],
  [{ entryPoint: "x" }, "/entryPoint", written("entrypoint")],
  [
    { ttlStrategy: { SecondsAfterCompletion: 1 } },
    "/ttlStrategy/SecondsAfterCompletion",
    written("secondsAfterCompletion"),
  ],
  [templates("none"), "/templates/0", none("none", "templates")],
  [{ templates: [{}] }, "/templates/0", nameless("templates")],
  [templates(null), "/templates/0", nameless("templates")],
  [{ templates: ["root"] }, "/templates/0", nameless("templates")],
  [templates(driver, "root"), "/templates/1", order("templates")],
  [inDriver({ env: [{ name: "C" }] }), `${at}/env/0`, none("C", "env")],
  [inDriver({ env: [{ value: "x" }] }), `${at}/env/0`, nameless("env")],
  [inDriver({ env: [{ name: "B" }, { name: "A" }] }), `${at}/env/1`, order("env")],
  [
    inDriver({ envFrom: [{ secretRef: { name: "s" } }] }),
    `${at}/envFrom/0`,
    "in the back end this keeps configMapRef of what stood there",
  ],
  [templates("system-container-driver", "root", driver), "/templates/1", order("templates")],
  [inDriver({ resources: {} }), `${at}/resources`, resources],
  [
    { templates: [{ name: "system-container-driver", container: { resources: {} } }] },
    `${at}/resources`,
    resources,
  ],
];

/** The same of what has no effect. */
const told: readonly (readonly [patch: JsonObject, code: string, at: string, message: string])[] = [
  [{ entrypoint: null }, "ignored-null", "/entrypoint", nothing],
  [{ nodeSelector: { a: null } }, "ignored-null", "/nodeSelector/a", nothing],
  [
    { templateDefaults: { plugin: { a: { b: null } } } },
    "ignored-null",
    "/templateDefaults/plugin/a/b",
    nothing,
  ],
  [{ zzz: 1 }, "unknown-patch-field", "/zzz", absent],
  [{ nodeSelectr: {} }, "unknown-patch-field", "/nodeSelectr", `${absent}; did you mean "nodeSelector"?`],
  [inDriver({ imagee: "x" }), "unknown-patch-field", `${at}/imagee`, `${absent}; did you mean "image"?`],
];

describe("what the back end does not take of a patch is said in words, and changes nothing:", () => {
  test.each(refused)("%j", (patch, place, message) => {
    expect(patchSpec(spec, patch).findings).toEqual([{ code: "invalid-spec-patch", at: place, message }]);
  });

  test.each(told)("%j", (patch, code, place, message) => {
    const { findings } = patchSpec(spec, patch);
    expect(findings).toEqual([{ code, at: place, message }]);
  });

  test("each of several, in the order of the patch", () => {
    const { findings } = patchSpec(spec, { entrypoint: 5, priority: "x", zzz: 1, hostNetwork: null });
    expect(findings.map((finding) => finding.at)).toEqual([
      "/entrypoint",
      "/priority",
      "/zzz",
      "/hostNetwork",
    ]);
  });
});

describe("what it takes is not remarked upon:", () => {
  test.each<JsonObject>([
    templates("root", driver, "system-container-driver"),
    templates("root", "root"),
    inDriver({ env: [{ name: "A", value: "x" }, { name: "B" }] }),
    inDriver({ env: [{ name: "B", value: "x" }] }),
    inDriver({ envFrom: [{ configMapRef: { name: "y" }, prefix: "p" }] }),
    inDriver({ command: ["x"] }),
    inDriver({ command: ["x", "y", "z"] }),
    inDriver({ image: "b" }),
    { templates: [{ name: "root", container: { resources: {} } }] },
    { templateDefaults: { plugin: { a: { $x: undefined, y: [0, ["z"]] } } } },
    { entrypoint: undefined },
    {},
  ])("%j", (patch) => expect(patchSpec(spec, patch).findings).toEqual([]));

  test("and lies over what was there, whose other members stay", () => {
    const { spec: patched } = patchSpec(spec, inDriver({ image: "b", env: [{ name: "B", value: "x" }] }));
    const env = [
      { name: "A", value: "1" },
      { name: "B", value: "x" },
    ];
    expect(patched).toEqual({
      ...spec,
      templates: [
        { name: "root", ...made },
        { name: driver, ...made, container: { ...container, image: "b", env } },
        { name: "system-container-driver", ...made, container },
      ],
    });
  });
});

describe("patches are nested up to a bound,", () => {
  const wrapped = (levels: number, wrap: (value: Json) => Json): Json =>
    Array.from({ length: levels }).reduce<Json>(wrap, "x");
  const dag = (inline: Json): Json => ({ dag: { tasks: [{ name: "x", inline }] } });
  const message = "the patch is nested deeper than 100 levels";
  test.each<[what: string, most: number, patch: (levels: number) => JsonObject]>([
    [
      "in lists of anything",
      99,
      (levels) => ({ templateDefaults: { plugin: { a: wrapped(levels, (one) => [one]) } } }),
    ],
    [
      "in objects of anything",
      98,
      (levels) => ({ templateDefaults: { plugin: { a: wrapped(levels, (a) => ({ a })) } } }),
    ],
    [
      "in templates",
      25,
      (levels) => ({ templateDefaults: wrapped(levels, (one) => (one === "x" ? {} : dag(one))) }),
    ],
  ])("%s", (_, most, patch) => {
    expect(patchSpec({}, patch(most)).findings).toEqual([]);
    const { findings } = patchSpec({}, patch(most + 1));
    expect(findings.map((one) => [one.code, one.message])).toEqual([["invalid-spec-patch", message]]);
  });
});

describe("values without fields are read as the back end prints them:", () => {
  const none = undefined;
  test.each<readonly [kind: string, value: Json, read: Json | undefined]>([
    ["text", "", ""],
    ["text", 5, none],
    ["bool", false, false],
    ["bool", "true", none],
    ["int", 2 ** 31 - 1, 2 ** 31 - 1],
    ["int", 2 ** 31, none],
    ["int", -(2 ** 31), -(2 ** 31)],
    ["int", -(2 ** 31) - 1, none],
    ["int", 1.5, none],
    ["int", "1", none],
    ["long", 2 ** 53, 2 ** 53],
    ["long", 2 ** 63, none],
    ["long", -(2 ** 63), -(2 ** 63)],
    ["long", -(2 ** 63) * 2, none],
    ["ulong", 0, 0],
    ["ulong", -1, none],
    ["ulong", 2 ** 63, 2 ** 63],
    ["ulong", 2 ** 64, none],
    ["any-text", "a", "a"],
    ["any-text", 1e21, "1000000000000000000000"],
    ["any-text", true, "true"],
    ["any-text", false, "false"],
    ["any-text", null, none],
    ["any-text", [], none],
    ["int-or-text", "50%", "50%"],
    ["int-or-text", 5, 5],
    ["int-or-text", 2 ** 31, none],
    ["int-or-text", true, none],
    ["quantity", "2048Mi", "2Gi"],
    ["quantity", " 1Gi ", "1Gi"],
    ["quantity", 0.5, "500m"],
    ["quantity", "x", none],
    ["quantity", true, none],
    ["time", "2026-01-02T15:04:05Z", "2026-01-02T15:04:05Z"],
    ["time", "2026-01-02T15:04:05.999+01:00", "2026-01-02T14:04:05Z"],
    ["time", "2026-01-02T15:04:05-00:30", "2026-01-02T15:34:05Z"],
    ["time", "2026-13-02T15:04:05Z", none],
    ["time", "2026-01-02 15:04:05Z", none],
    ["time", "x2026-01-02T15:04:05Z", none],
    ["time", "2026-01-02T15:04:05Zx", none],
    ["time", 5, none],
    ["base64", "", ""],
    ["base64", "YWJj", "YWJj"],
    ["base64", "YQ==", "YQ=="],
    ["base64", "YWI=", "YWI="],
    ["base64", "+/Az", "+/Az"],
    ["base64", "YWJ", none],
    ["base64", "YQ=", none],
    ["base64", "Y===", none],
    ["base64", "YQ==YQ==", none],
    ["base64", "-_Az", none],
    ["base64", 5, none],
    ["plugin", { a: 1 }, { a: 1 }],
    ["plugin", {}, none],
    ["plugin", { a: 1, b: 2 }, none],
    ["plugin", "a", none],
    ["json", null, null],
    ["json", [1], [1]],
  ])("%s of %j", (name, value, read) => expect(scalars[name]?.read(value)).toEqual(read));

  test("and each says what it takes, and what stands where nothing was given", () => {
    expect(
      Object.entries(scalars).map(([name, { what, zero, isEmpty }]) => [name, what, zero, isEmpty]),
    ).toEqual([
      ["text", "a text", "", true],
      ["bool", "true or false", false, true],
      ["int", "a whole number of 32 bits", 0, true],
      ["long", "a whole number", 0, true],
      ["ulong", "a whole number from 0", 0, true],
      ["any-text", "a text, a number, or true or false", "", true],
      ["int-or-text", "a text, or a whole number of 32 bits", 0, none],
      ["quantity", "an amount of Kubernetes, such as 500m or 2Gi", "0", none],
      ["time", "a time such as 2026-01-02T15:04:05Z", null, none],
      ["base64", "bytes as base64", "", true],
      ["plugin", "an object with one member", null, none],
      ["json", "JSON", null, none],
    ]);
  });
});

test("of a list that is replaced each item is told with all that it keeps, and nothing is no item", () => {
  const map = { configMapRef: { name: "a" }, prefix: "p" };
  const base = { templates: [{ name: "root", ...made, container: { ...container, envFrom: [map, map] } }] };
  const of = (...envFrom: Json[]) =>
    patchSpec(base, { templates: [{ name: "root", container: { envFrom } }] }).findings.map(
      ({ at, message }) => [at, message],
    );
  const keeps = (names: string) => `in the back end this keeps ${names} of what stood there`;
  expect(of({ secretRef: { name: "x" } }, map)).toEqual([[`${at}/envFrom/0`, keeps("configMapRef, prefix")]]);
  expect(of(map, { configMapRef: { name: "x" } }, {})).toEqual([[`${at}/envFrom/1`, keeps("prefix")]]);
  expect(of(null)).toEqual([[`${at}/envFrom/0`, kind("an object", "null")]]);
});

test("an empty text is one where a number or a text may stand", () => {
  const { spec: patched, findings } = patchSpec(spec, { templateDefaults: { retryStrategy: { limit: "" } } });
  expect(findings).toEqual([]);
  expect(patched.templateDefaults).toMatchObject({ retryStrategy: { limit: "" } });
});

test("a template for a workflow without any is refused as one for others", () => {
  expect(patchSpec({ entrypoint: "e" }, templates("new")).findings).toEqual([
    { code: "invalid-spec-patch", at: "/templates/0", message: none("new", "templates") },
  ]);
});
