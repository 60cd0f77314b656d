#!/usr/bin/env node
import { Console } from "node:console";
import { processHost } from "./process-host.js";

// The output is what the program prints: what a configuration of the user logs does not get into a report.
globalThis.console = new Console(process.stderr);
// It listens to signals: all else takes a while to be loaded.
const host = processHost();
const { run } = await import("./program.js");
host.end(await run(process.argv.slice(2), host));
