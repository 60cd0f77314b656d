import { describe, expect, test } from "vitest";
import { checkCall, type KnownCall } from "../http/known-call.js";
import * as known from "./known-calls.js";

/** The options of a call, by what they take. */
interface Options {
  readonly text?: readonly string[];
  readonly object?: readonly string[];
  readonly flag?: readonly string[];
  readonly limit?: readonly string[];
  readonly any?: readonly string[];
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

const labels = ["name", "displayName", "description"];
const run: Options = {
  text: ["pipelineRoot", "serviceAccount", "description"],
  object: ["parameters", "pluginsInput"],
  flag: ["caching", "validate"],
  any: ["pipeline", "version", "file", "experiment"],
};

const calls: readonly (readonly [
  call: Pick<KnownCall<object>, "caller" | "options">,
  caller: string,
  options: Options,
])[] = [
  [
    known.uploadPipeline,
    "pipelines.upload",
    {
      text: [...labels, "namespace", "versionName", "codeSourceUrl"],
      ...{ object: ["tags"], flag: ["validate"], words: { ifExists: ["fail", "version"] } },
    },
  ],
  [known.createPipeline, "pipelines.create", { text: [...labels, "namespace"], object: ["tags"] }],
  [
    known.pipelineFromUrl,
    "pipelines.createFromUrl",
    { text: [...labels, "namespace", "url"], object: ["tags"] },
  ],
  [known.update, "update", { text: ["displayName"], object: ["tags"] }],
  [known.deletePipeline, "pipelines.delete", { flag: ["cascade"] }],
  [
    known.uploadVersion,
    "versions.upload",
    { text: [...labels, "codeSourceUrl"], object: ["tags"], flag: ["validate"] },
  ],
  [known.versionFromUrl, "versions.createFromUrl", { text: [...labels, "codeSourceUrl", "url"] }],
  [known.makeExperiment, "experiments.create", { text: ["description", "namespace"] }],
  [known.createRun, "runs.create", { ...run, text: [...(run.text ?? []), "name", "runId"] }],
  [
    known.createRecurringRun,
    "recurringRuns.create",
    {
      ...run,
      text: [...(run.text ?? []), "name", "cron"],
      flag: [...(run.flag ?? []), "isEnabled", "catchUp"],
      limit: ["intervalSeconds", "maxConcurrency"],
      any: [...(run.any ?? []), "startTime", "endTime"],
    },
  ],
  [
    known.deleteRecurringRun,
    "recurringRuns.delete",
    { words: { propagation: ["foreground", "background", "orphan"] } },
  ],
];

describe.each(calls.map(([call, caller, options]) => [caller, call, options] as const))(
  "%s",
  (caller, call, options) => {
    const { text = [], object = [], flag = [], limit = [], any = [], words = {} } = options;
    const check = (given: object) => () => checkCall(given, call);
    const wrong: readonly (readonly [option: string, value: unknown, taken: string])[] = [
      ...text.map((one) => [one, 5, "a text"] as const),
      ...object.map((one) => [one, "x", "an object"] as const),
      ...flag.map((one) => [one, "true", "true or false"] as const),
      ...[...limit, "timeoutMs", "deadlineMs"].map((one) => [one, -1, "a number, zero or more"] as const),
      ...Object.entries(words).map(
        ([one, all]) => [one, "other", all.map((word) => JSON.stringify(word)).join(" or ")] as const,
      ),
    ];

    test("takes its options and those of every call", () => {
      const each = (names: readonly string[], value: unknown) => names.map((one) => [one, value] as const);
      const right = [
        ...[...each(text, ""), ...each(object, {}), ...each(flag, false), ...each(flag, true)],
        ...[...each(limit, 0), ...each(any, Symbol.iterator), ...each(["timeoutMs", "deadlineMs"], 0)],
        ...Object.entries(words).flatMap(([one, all]) => all.map((word) => [one, word] as const)),
        ["signal", new AbortController().signal] as const,
      ];
      for (const [option, value] of right) expect(check({ [option]: value })).not.toThrow();
      const names = [...text, ...object, ...flag, ...limit, ...any, ...Object.keys(words)];
      expect(Object.keys(call.options).toSorted()).toEqual(names.toSorted());
    });

    test.each(wrong)("takes for %s not %o, but %s", (option, value, taken) => {
      expect(check({ [option]: value })).toThrow(TypeError);
      expect(check({ [option]: value })).toThrow(`the option "${option}" of ${caller} is ${taken}, not `);
    });

    test("takes nothing else, and says who", () => {
      expect(check({ other: 1 })).toThrow(`${caller} has no option "other"`);
    });
  },
);

test("all calls that take more than every call are here", () => {
  expect(new Set(calls.map(([call]) => call))).toEqual(new Set(Object.values(known)));
});
