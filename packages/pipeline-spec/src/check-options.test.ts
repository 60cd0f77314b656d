import { expect, test } from "vitest";
import { checkOptions, type KnownOptions } from "./check-options.js";
import { parsePipeline, printPipeline, readBinary, readJson, unpackPipeline } from "./index.js";
import { PipelineSpec } from "./messages.js";

interface Options {
  readonly maxProblems?: number;
  readonly profile?: "kfp" | "spec";
}
const known: KnownOptions<Options> = { maxProblems: "any", profile: ["kfp", "spec"] };
/** As a caller without types has it. */
const check = (options: object) => () => checkOptions<Options>("check", options, known);

test("known options are taken, also when they are undefined", () => {
  for (const options of [{}, { maxProblems: 3, profile: "spec" }, { profile: undefined }]) {
    expect(check(options)).not.toThrow();
  }
});

const refused: readonly (readonly [object, string])[] = [
  [{ maxProblem: 3 }, 'check has no option "maxProblem": did you mean "maxProblems"?'],
  [{ zzz: 3 }, 'check has no option "zzz": it has maxProblems, profile'],
  [{ constructor: 3 }, 'check has no option "constructor": it has maxProblems, profile'],
  [{ profile: "kpf" }, 'the option "profile" of check is "kfp" or "spec", not the text "kpf"'],
  [[], "the options of check are an object, not a list"],
];
for (const [options, message] of refused) {
  test(message, () => expect(check(options)).toThrow(new TypeError(message)));
}

test("every function that takes options refuses what it does not know", async () => {
  const spec = PipelineSpec.create();
  const odd: object = { maxProblemz: 1, formt: "json" };
  for (const call of [
    () => parsePipeline("", odd),
    () => readJson("PipelineSpec", {}, odd),
    () => readBinary("PipelineSpec", new Uint8Array(), odd),
    () => printPipeline({ spec }, odd),
  ]) {
    expect(call).toThrow(TypeError);
  }
  await expect(unpackPipeline(new Uint8Array(), odd)).rejects.toThrow(TypeError);
});
