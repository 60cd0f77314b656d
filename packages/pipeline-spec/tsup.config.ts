import { library } from "../../tsup.base.ts";

// Only the first is a door. The others make files of their own, so that a bundler can leave out what is not used: the
// YAML parser above all, which does not tell bundlers that it has no side effects.
export default library(
  "src/index.ts",
  "src/messages.ts",
  "src/parse-options.ts",
  "src/parse-pipeline.ts",
  "src/read-json.ts",
  "src/write-json.ts",
  "src/check-arguments.ts",
  "src/form-hints.ts",
  "src/print-pipeline.ts",
  "src/line-table.ts",
  "src/locate.ts",
  "src/rewrite/rewrite-pipeline.ts",
);
