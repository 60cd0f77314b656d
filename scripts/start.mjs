// `npm start`: installs and builds what is missing, then becomes the showcase. `npm start -- --port 3000` asks for a port.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureReady } from "./ensure-ready.mjs";

ensureReady();
const turbo = fileURLToPath(new URL("./turbo.mjs", import.meta.url));
console.log("Building …");
// What went well is not worth hundreds of lines above the address.
const build = ["build", "--filter=@wye-examples/showcase...", "--output-logs=errors-only"];
const { status } = spawnSync(process.execPath, [turbo, ...build], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
await import(new URL("../examples/showcase/dist/main.js", import.meta.url).href);
