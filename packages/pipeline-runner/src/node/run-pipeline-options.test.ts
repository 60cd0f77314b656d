import { describe, expect, test } from "vitest";
import { checkTimes, longer } from "./check-times.js";
import { checkRunPipelineOptions, type RunPipelineOptions } from "./run-pipeline-options.js";

// Programs without types hand in anything.
const check = (options: object) => () => checkRunPipelineOptions(options as RunPipelineOptions);
const longest = 2 ** 31 - 1;
const execute = async () => ({ ok: true }) as const;

describe("an option of runPipeline that cannot be meant is refused by name", () => {
  const number = 'the option "concurrency" of runPipeline is a whole number from 1, not';
  const time = 'the option "timeoutMs" of runPipeline is between 0 and 2^31 ms, not';
  const aFolder = 'the option "cache" of runPipeline is true, false, or the path of a folder, not';
  const aRun = 'the option "resumeFrom" of runPipeline is the folder of a run, or true for the last one, not';
  const stores =
    'the option "stores" of runPipeline is an object of stores by scheme, each with a function `fetch`, not';
  const executor = 'the option "executor" of runPipeline is an object with a function `execute`, not';
  const signal = 'the option "signal" of runPipeline is an AbortSignal, not';
  const ends =
    'the option "endsWithinMs" of the executor of runPipeline is a number of milliseconds from 0, less than 2^31, not';
  test.each<[object, string]>([
    [
      { pipelineRoot: 5 },
      'the option "pipelineRoot" of runPipeline is the path of a folder, not the number 5',
    ],
    [{ resumeFrom: false }, `${aRun} false`],
    [{ resumeFrom: 5 }, `${aRun} the number 5`],
    [{ cache: 5 }, `${aFolder} the number 5`],
    [{ cache: null }, `${aFolder} null`],
    [{ executor: {} }, `${executor} an object`],
    [{ executor: { execute: 5 } }, `${executor} an object`],
    [{ executor: execute }, `${executor} `],
    [{ signal: {} }, `${signal} an object`],
    [{ stores: [] }, `${stores} a list`],
    [{ stores: { s3: {} } }, `${stores} an object`],
    [{ stores: { gs: { fetch: execute }, s3: null } }, `${stores} an object`],
    ...["onEvent", "onLog", "resolve"].map((name): [object, string] => [
      { [name]: {} },
      `the option "${name}" of runPipeline is a function, not an object`,
    ]),
    [{ concurrency: 0 }, `${number} 0`],
    [{ concurrency: -1 }, `${number} -1`],
    [{ concurrency: 1.5 }, `${number} 1.5`],
    [{ concurrency: Number.NaN }, `${number} NaN`],
    [{ concurrency: "2" }, `${number} 2`],
    [{ timeoutMs: 0 }, `${time} 0`],
    [{ timeoutMs: -1 }, `${time} -1`],
    [{ timeoutMs: longest + 1 }, `${time} 2147483648`],
    [{ timeoutMs: "5" }, `${time} 5`],
    [{ executor: { execute, endsWithinMs: -1 } }, `${ends} -1`],
    [{ executor: { execute, endsWithinMs: longest + 1 } }, `${ends} 2147483648`],
    [{ executor: { execute, endsWithinMs: Number.NaN } }, `${ends} NaN`],
    [
      { resumeFrom: true, parameters: {} },
      "runPipeline resumes a run as it was started: it takes no parameters",
    ],
    [
      { resumeFrom: "a", limits: {}, runtimeConfig: {}, artifacts: {}, profile: "kfp", afterFailure: "stop" },
      "it takes no runtimeConfig, artifacts, profile, afterFailure, limits",
    ],
    [{ validate: "no" }, 'the option "validate" of runPipeline is true or false, not the text "no"'],
    [{ profile: "other" }, 'the option "profile" of runPipeline is "kfp" or "spec", not the text "other"'],
    [
      { afterFailure: "go" },
      'the option "afterFailure" of runPipeline is "continue" or "stop", not the text "go"',
    ],
    ...["runtimeConfig", "parameters", "artifacts", "limits"].map((name): [object, string] => [
      { [name]: [] },
      `the option "${name}" of runPipeline is an object, not a list`,
    ]),
    [{ concurency: 1 }, '"concurency"'],
  ])("%j", (options, message) => {
    expect(check(options)).toThrow(TypeError);
    expect(check(options)).toThrow(message);
  });
});

test.each<[object]>([
  [{}],
  [{ resumeFrom: true, validate: false, concurrency: 1, timeoutMs: 1 }],
  [{ resumeFrom: "a", cache: "b", pipelineRoot: "c", parameters: undefined }],
  [{ cache: false, timeoutMs: longest, executor: { execute, endsWithinMs: 0 }, stores: {} }],
  [{ cache: true, executor: { execute, endsWithinMs: longest }, stores: { s3: { fetch: execute } } }],
  [{ signal: new AbortController().signal, onEvent: execute, onLog: execute, resolve: execute }],
  [{ runtimeConfig: {}, parameters: {}, artifacts: {}, profile: "spec", afterFailure: "stop", limits: {} }],
  [{ profile: "kfp", afterFailure: "continue", validate: true }],
])("options of runPipeline are taken: %j", (options) => {
  expect(check(options)).not.toThrow();
});

test.each([0, 0.5, longest])("a grace of %d ms is taken", (graceMs) => {
  expect(() => checkTimes("mine", { graceMs })).not.toThrow();
});

test.each([-1, longest + 1, Number.NaN, Number.POSITIVE_INFINITY])(
  "a grace of %d ms is refused",
  (graceMs) => {
    const message = `the option "graceMs" of mine is a number of milliseconds from 0, less than 2^31, not ${graceMs}`;
    expect(() => checkTimes("mine", { graceMs })).toThrow(new TypeError(message));
  },
);

test.each([
  [1, 2, 3],
  [longest - 1, 1, longest],
  [longest, 1, longest],
])("%i ms and %i more are %i ms", (ms, more, sum) => expect(longer(ms, more)).toBe(sum));
