import { cp } from "node:fs/promises";
import { library } from "../../tsup.base.ts";

export default {
  ...library("src/index.ts"),
  // Plain SQL, read when it is applied: whoever runs a database wants to read it, too.
  onSuccess: () => cp("src/migrations", "dist/migrations", { recursive: true }),
};
