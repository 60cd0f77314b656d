import { readFileSync } from "node:fs";
import { formatProblems, validatePipeline } from "@wye/pipeline-validator";

const source = readFileSync("pipeline.yaml", "utf8");
const report = validatePipeline(source);
if (!report.ok) console.error(formatProblems(report, { source, file: "pipeline.yaml" }));
