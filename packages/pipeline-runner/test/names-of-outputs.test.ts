import { basename } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

/** The names of the files that outputs of these names go to, artifacts first. */
async function filesOf(artifacts: readonly string[], parameters: readonly string[]) {
  const each = <T>(names: readonly string[], value: T) =>
    Object.fromEntries(names.map((name) => [name, value]));
  const outputDefinitions = {
    artifacts: each(artifacts, { artifactType: { schemaTitle: "system.Dataset" } }),
    parameters: each(parameters, { parameterType: "STRING" }),
  };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "names" },
      schemaVersion: "2.1.0",
      root: { dag: { tasks: { make: { componentRef: { name: "comp-make" } } } } },
      components: { "comp-make": { executorLabel: "make", outputDefinitions } },
      deploymentSpec: { executors: { make: { container: { image: "alpine", command: ["true"] } } } },
    }),
  );
  if (!parsed.ok) return expect.unreachable(parsed.problems[0]?.message ?? "");
  const files: string[] = [];
  const { state } = await runPipeline(parsed.pipeline, {
    pipelineRoot: makeFolder(),
    validate: false,
    executor: {
      execute: async ({ executorInput: { outputs } }) => {
        for (const name of artifacts) files.push(outputs?.artifacts[name]?.artifacts[0]?.uri ?? "");
        for (const name of parameters) files.push(outputs?.parameters[name]?.outputFile ?? "");
        return { ok: true, outputs: { parameters: each(parameters, "") } };
      },
    },
  });
  expect(state).toBe("SUCCEEDED");
  return files.map((file) => basename(file));
}

// File systems of macOS, FAT and shared folders take `output` and `Output` for one file.
test.each([
  ["an artifact and what a function returns", ["output"], ["Output"], ["output", "%4futput"]],
  ["three artifacts", ["ab", "Ab", "AB"], [], ["ab", "%41b", "%2541B"]],
  ["an artifact and two parameters", ["a"], ["a", "A"], ["a", "%61", "%41"]],
  [
    "an artifact and a parameter, and a file of the runner",
    ["log-1.txt"],
    ["log-1.txt"],
    ["%6cog-1.txt", "%256cog-1.txt"],
  ],
  [
    "an artifact and a file of the runner",
    ["LOG-1.txt"],
    ["Executor_output.json"],
    ["%4cOG-1.txt", "%45xecutor_output.json"],
  ],
  ["nothing else", ["Model", "data"], ["Output"], ["Model", "data", "Output"]],
])(
  "outputs have files of their own, called as they are unless %s are called the same but for capitals",
  async (_, artifacts, parameters, files) => {
    expect(await filesOf(artifacts, parameters)).toEqual(files);
  },
);
