import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runPipeline, subprocessExecutor, terminalProgress, writeRunReport } from "@wye/pipeline-runner/node";
import { parsePipeline } from "@wye/pipeline-spec";

const [file, root = "local_outputs", ...assignments] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: run-a-pipeline FILE [FOLDER] [NAME=JSON …]");
  process.exitCode = 2;
} else {
  const parsed = parsePipeline(readFileSync(file));
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  // Ctrl+C stops what runs; a second one ends this program at once.
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const { onEvent, onLog, end } = terminalProgress();
  try {
    const result = await runPipeline(parsed.pipeline, {
      parameters: Object.fromEntries(assignments.map(parseAssignment)),
      pipelineRoot: root,
      // The commands of the sample need nothing but a shell.
      executor: subprocessExecutor({ images: { alpine: {} } }),
      signal: stop.signal,
      onEvent,
      onLog,
    });
    const report = join(result.folder, "report.html");
    await writeRunReport(result, report);
    end(result);
    console.log(report);
    process.exitCode = { SUCCEEDED: 0, FAILED: 1, CANCELLED: 130 }[result.state];
  } finally {
    end();
  }
}

function parseAssignment(text: string): [name: string, value: unknown] {
  const at = text.indexOf("=");
  if (at < 0) throw new Error(`${text}: a parameter is given as NAME=JSON`);
  return [text.slice(0, at), JSON.parse(text.slice(at + 1))];
}
