import { expect, test } from "vitest";
import { type LocalImage, runPipeline, subprocessExecutor } from "../src/node/index.js";
import { pipelineOf } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

// Containers without a command, which run what their image says.

const component = { outputDefinitions: { parameters: { o: { parameterType: "STRING" } } } };
const file = "{{$.outputs.parameters['o'].output_file}}";

async function runWith(image: LocalImage | undefined, container: object) {
  const executor = subprocessExecutor({ images: image === undefined ? {} : { own: image } });
  const parts = { say: { component, executor: { container: { image: "own", ...container } } } };
  const options = { pipelineRoot: makeFolder(), validate: false, executor };
  const { tasks, error } = await runPipeline(pipelineOf("entry", parts), options);
  return error?.message ?? tasks[0]?.outputs?.parameters.o;
}

const entrypoint = ["sh", "-c", 'printf "%s" "entry $1" > "$0"'];
const command = ["sh", "-c", 'printf "%s" "command $1" > "$0"'];
const args = [file, "a"];

test("a container without a command runs what its image says, with its own arguments", async () => {
  expect(await runWith({ entrypoint }, { args })).toBe("entry a");
  expect(await runWith({ entrypoint }, { command, args })).toBe("command a");
});

test.each<[string, LocalImage | undefined]>([
  ["nothing is known of its image", undefined],
  ["its image says something else", { environment: { A: "b" } }],
])("a container without a command is refused where %s", async (_, image) => {
  const help =
    'what the image own runs is not known here; give its entrypoint: images: { "own": { entrypoint: [ … ] } }';
  expect(await runWith(image, { args })).toBe(`the component has no command, and ${help}`);
});

test("a container that has nothing to run is refused also where its image says so", async () => {
  expect(await runWith({ entrypoint: [] }, {})).toContain("the component has no command");
});
