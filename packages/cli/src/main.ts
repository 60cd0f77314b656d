#!/usr/bin/env node
import { processHost } from "./process-host.js";
import { run } from "./program.js";

process.exitCode = await run(process.argv.slice(2), processHost());
