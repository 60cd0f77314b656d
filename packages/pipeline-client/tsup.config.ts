import { library } from "../../tsup.base.ts";

export default library("src/index.ts", "src/node/index.ts", "src/vertex/index.ts", "src/testing/index.ts");
