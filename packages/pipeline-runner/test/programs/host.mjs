// A host that is killed: runs a pipeline from a file, with options from the command line, and says when it begins and how it ended.
import { readFileSync } from "node:fs";
import { parsePipeline } from "@wye/pipeline-spec";
import { dockerExecutor, runPipeline, subprocessExecutor } from "../../dist/node/index.js";

const [file = "", options = "{}"] = process.argv.slice(2);
const parsed = parsePipeline(readFileSync(file));
if (!parsed.ok) throw new Error("the pipeline of the test is wrong");
const { graceMs, docker, ...given } = JSON.parse(options);
process.stdout.write("begins\n");
try {
  const { state, error, folder } = await runPipeline(parsed.pipeline, {
    ...given,
    executor: docker ? dockerExecutor(docker) : subprocessExecutor({ graceMs }),
  });
  process.stdout.write(`${JSON.stringify({ state, error, folder })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ name: error.name, code: error.code, message: error.message })}\n`);
}
