import { fileURLToPath } from "node:url";
import { createLegs } from "./create-legs.js";
import type { Leg } from "./leg.js";
import { listen } from "./listen.js";
import { portChoice } from "./port-choice.js";
import { createShowcase } from "./showcase.js";

let legs: readonly Leg[] = [];
try {
  const publicFolder = fileURLToPath(new URL("./public", import.meta.url));
  legs = await createLegs(publicFolder);
  const server = createShowcase({ legs, publicFolder });
  const port = await listen(server, portChoice(process.argv.slice(2), { PORT: process.env.PORT }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  // Last: whoever reads it may ask for the end at once.
  console.log(`The showcase is at http://127.0.0.1:${port}/ (Ctrl+C ends it)`);
} catch (error) {
  console.error(`The showcase cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  // What a leg keeps running would keep the process.
  for (const { close } of legs) void close?.();
}
