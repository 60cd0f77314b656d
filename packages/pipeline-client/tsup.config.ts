import { library } from "../../tsup.base.ts";

export default library("src/index.ts", "src/testing/index.ts");
