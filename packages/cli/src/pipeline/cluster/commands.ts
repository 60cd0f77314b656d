import type { Command } from "commander";
import type { ExitCode } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { collect, named, runStates, serverAddress, wholeNumber } from "../option-values.js";

/** Adds what `wye pipeline …` does on a server of Kubeflow Pipelines. */
export function addClusterCommands(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  addSubmit(pipeline, host, end);
  addRuns(pipeline, host, end);
  addWait(pipeline, host, end);
  addLogs(pipeline, host, end);
  addCancel(pipeline, host, end);
}

/** The options that say which server. */
function onCluster(command: Command): Command {
  return command
    .option(
      "--host <url>",
      "the server; by default where kfp finds it: KF_PIPELINES_ENDPOINT, the pod, kubeconfig",
      serverAddress,
    )
    .option("--namespace <name>", "the namespace of the user, on a server with several")
    .option("--kube-context <name>", "the context of the kubeconfig file", named)
    .option("--token-file <file>", "a file with a token, read again whenever it is needed", named);
}

const run = "the id of a run, or its name where only one has it";

function addSubmit(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  onCluster(pipeline.command("submit"))
    .summary("run a pipeline on a server of Kubeflow Pipelines")
    .description(
      "Checks a pipeline and its parameters, starts a run of it on a server and prints the id of the run. With --wait it ends as the run does: with 1 when the run fails. Ends with 1 when the pipeline has errors; then nothing is sent.",
    )
    .argument("<file>", "a file or an archive; - is the standard input")
    .option(
      "-p, --parameter <name=value>",
      "a parameter of the pipeline; JSON unless its type is STRING; may be repeated",
      collect,
      [],
    )
    .option("--name <name>", "what people call the run", named)
    .option(
      "--experiment <name>",
      "the experiment that the run belongs to, by name or id; made if it is not there",
      named,
    )
    .option("--root <uri>", "where artifacts go, such as gs://bucket/folder", named)
    .option("--service-account <name>", "the service account of its pods", named)
    .option("--no-cache", "take no results of earlier runs")
    .option("--wait", "follow the run to its end")
    .option("--json", "print lines of JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline submit pipeline.yaml -p epochs=3 --experiment nightly --wait\n  id=$(wye pipeline submit pipeline.yaml --host http://localhost:8888)\n",
    )
    .action(async (file: string, options) => {
      const { submitPipeline } = await import("./submit.js");
      end(await submitPipeline(file, options, host));
    });
}

function addRuns(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  onCluster(pipeline.command("runs"))
    .summary("list runs on a server")
    .description("Lists runs on a server, the latest first: id, state, when it was made, name.")
    .option("--experiment <name>", "only runs of this experiment, by name or id", named)
    .option("--state <state>", "only runs in this state, such as FAILED; may be repeated", runStates, [])
    .option("--limit <n>", "how many at most", wholeNumber, 20)
    .option("--json", "print each as a line of JSON, with all that the server tells")
    .addHelpText("after", "\nExample:\n  wye pipeline runs --experiment nightly --state failed\n")
    .action(async (options) => {
      const { listRuns } = await import("./list-runs.js");
      end(await listRuns(options, host));
    });
}

function addWait(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  onCluster(pipeline.command("wait"))
    .summary("follow a run on a server to its end")
    .description(
      "Shows what becomes of a run until it has ended. Ends with 1 when the run fails; when it is interrupted, the run goes on.",
    )
    .argument("<run>", run, named)
    .option("--json", "print changes as lines of JSON")
    .addHelpText("after", "\nExample:\n  wye pipeline wait 0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61\n")
    .action(async (name: string, options) => {
      const { waitForRun } = await import("./run-actions.js");
      end(await waitForRun(name, options, host));
    });
}

function addLogs(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  onCluster(pipeline.command("logs"))
    .summary("print what a run on a server has printed")
    .description(
      "Prints the logs of all steps of a run, or of one, where the server still has them. Ends with 1 when some are gone.",
    )
    .argument("<run>", run, named)
    .argument("[step]", "the name of a step")
    .option("--json", "print each log as a line of JSON")
    .addHelpText("after", "\nExample:\n  wye pipeline logs nightly-42 train\n")
    .action(async (name: string, step: string | undefined, options) => {
      const { readLogs } = await import("./read-logs.js");
      end(await readLogs(name, step, options, host));
    });
}

function addCancel(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  onCluster(pipeline.command("cancel"))
    .summary("end a run on a server")
    .description("Asks a server to end a run. With --wait it follows the run until it has ended.")
    .argument("<run>", run, named)
    .option("--wait", "follow the run to its end")
    .option("--json", "print changes as lines of JSON")
    .addHelpText("after", "\nExample:\n  wye pipeline cancel nightly-42 --wait\n")
    .action(async (name: string, options) => {
      const { cancelRun } = await import("./run-actions.js");
      end(await cancelRun(name, options, host));
    });
}
