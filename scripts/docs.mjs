// `npm run docs`: builds the site, and serves it until Ctrl+C. `PORT` asks for a port; without it the first free one from 8050 will do.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { siteServer } from "../docs/serve.mjs";
import { ensureReady } from "./ensure-ready.mjs";

const firstPort = 8050;

ensureReady();
/** @param {string} path */
const inside = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
console.log("Building …");
const build = [inside("scripts/turbo.mjs"), "docs", "--output-logs=errors-only"];
const { status } = spawnSync(process.execPath, build, { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const asked = process.env.PORT ? Number(process.env.PORT) : undefined;
const server = siteServer(inside("docs/.vitepress/dist"));
let port = asked ?? firstPort;
server.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === "EADDRINUSE" && asked === undefined && port < firstPort + 100) {
    server.listen(++port, "127.0.0.1");
    return;
  }
  console.error(`The site cannot be served: ${error.message}`);
  process.exitCode = 1;
});
server.on("listening", () => {
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  console.log(`The site is at http://127.0.0.1:${bound}/ (Ctrl+C ends it)`);
});
server.listen(port, "127.0.0.1");
