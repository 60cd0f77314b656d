import { readFileSync } from "node:fs";
import { formatProblems, validatePipeline } from "@wye/pipeline-validator";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: check-a-pipeline FILE");
  process.exitCode = 2;
} else {
  const source = readFileSync(file);
  const report = validatePipeline(source);
  const { isTTY = false, columns = 100 } = process.stdout;
  process.stdout.write(
    formatProblems(report, { source: source.toString(), file, color: isTTY, width: columns }),
  );
  process.exitCode = report.ok ? 0 : 1;
}
