#!/usr/bin/env node
import { processHost } from "./process-host.js";
import { run } from "./program.js";

const code = await run(process.argv.slice(2), processHost());
// An output that fails has its say before, or after.
process.exitCode ??= code;
