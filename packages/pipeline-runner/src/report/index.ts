export { drawPipeline } from "./draw-pipeline.js";
export { type DrawRunOptions, drawRun } from "./draw-run.js";
export { type GraphNote, graphNotes, type NotedTask } from "./graph-notes.js";
export { type ReportedRun, type RunReportOptions, renderRunReport } from "./render-run-report.js";
export { graphStyle } from "./report-style.js";
export { type TrackedTasks, trackTasks } from "./track-tasks.js";
