import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { portNumber } from "../port-number.js";
import { version } from "../version.js";
import { mostWorkers } from "./most-workers.js";
import { createReloadRequests } from "./reload-requests.js";

/** Adds `wye relay`. */
export function addRelayCommand(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("relay")
    .summary("relay feature flags to SDKs, with the configuration of ld-relay")
    .description(
      "Relays feature flags to SDKs until it is asked to end. Takes the configuration files and variables of ld-relay; without options it reads /etc/ld-relay.conf. Ends with 1 when the configuration is wrong or a port is taken.",
    )
    .option("--config <file>", "the configuration file")
    .option("--allow-missing-file", "go on without a file that is not there")
    .option("--from-env", "take variables, over those of the file if --config names one")
    .option("--check", "print what holds and where it comes from, without starting anything")
    .option("--json", "with --check: as JSON; with --health: the status of the relay, as a line of JSON")
    .option("--health", "ask the relay that runs with this configuration whether it lives")
    .option("--dev <file>", "relay the flags of a YAML or JSON file, without an account")
    .option("--port <n>", "listen on this port", portNumber)
    .option("--workers <n>", "serve with so many processes", workerCount)
    .option("--host <address>", "listen on this interface only (with --dev: 127.0.0.1)")
    .option("--version", "print the version")
    .addHelpText(
      "after",
      "\nExamples:\n  wye relay --config ld-relay.conf --from-env\n  wye relay --config ld-relay.conf --check\n  echo 'my-flag: true' > flags.yaml && wye relay --dev flags.yaml\n\nSIGTERM ends streams gently and sends what waits; SIGHUP reads configuration and certificates again.\n",
    )
    .action(async ({ version: asked, ...options }) => {
      if (asked) {
        host.out.write(`wye relay ${version()}\n`);
        end(0);
        return;
      }
      // Before anything is loaded and read, which may take seconds: until somebody listens, SIGHUP ends a process.
      const reloads = createReloadRequests(host);
      try {
        const { runRelay } = await import("./run-relay.js");
        end(await runRelay(options, host, reloads));
      } finally {
        reloads.stop();
        // What is being read may be a pipe into which nobody writes.
        if (reloads.isBusy) host.leaveBehind?.();
      }
    });
}

function workerCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= mostWorkers) return value;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${mostWorkers}.`);
}
