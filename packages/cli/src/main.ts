#!/usr/bin/env node
import { processHost } from "./process-host.js";
import { run } from "./program.js";

const host = processHost();
host.end(await run(process.argv.slice(2), host));
