import { library } from "../../tsup.base.ts";

export default library(
  "src/index.ts",
  "src/client/index.ts",
  "src/server/index.ts",
  "src/open-ev-data/index.ts",
  "src/testing/index.ts",
);
