import { type Command, Option } from "commander";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { addClusterCommands } from "./cluster/commands.js";
import { collect, localPath, named, positiveNumber, wholeNumber } from "./option-values.js";

/** Adds `wye pipeline …`. */
export function addPipelineCommands(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const pipeline = program.command("pipeline").description("Kubeflow and Vertex pipeline specifications");
  addCheck(pipeline, host, end);
  addPrint(pipeline, host, end);
  addGraph(pipeline, host, end);
  addExplain(pipeline, host, end);
  addRun(pipeline, host, end);
  addExport(pipeline, host, end);
  addClusterCommands(pipeline, host, end);
}

const files = "files, globs or archives; - is the standard input";
const profile = () =>
  new Option(
    "--profile <name>",
    "whose rules hold: the open-source back end, or the document to the letter",
  ).choices(["kfp", "spec"]);

function addCheck(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("check")
    .summary("find every mistake, with line and column")
    .description(
      "Finds every mistake of pipeline files. Ends with 1 when there are errors, with 2 when a file cannot be read.",
    )
    .argument("<files...>", files)
    .addOption(
      new Option("--format <name>", "how problems are printed")
        .choices(["text", "json", "sarif", "github"])
        .default("text"),
    )
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .addOption(profile())
    .option(
      "--rule <id=severity>",
      "change a rule: off, info, warning or error; may be repeated",
      collect,
      [],
    )
    .option("--max-problems <n>", "how many problems of a file are listed", wholeNumber)
    .option("--quiet", "errors only")
    .option("--watch", "check again whenever a file changes")
    .option("--no-config", "do not look for wye.config.json or wye.config.mjs")
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline check pipelines/*.yaml\n  wye pipeline check 'build/**/*.yaml' --format sarif > wye.sarif\n  kfp dsl compile … && wye pipeline check out.yaml --rule task-name-style=off\n",
    )
    .action(async (names: string[], options) => {
      const { checkPipelines } = await import("./check.js");
      end(await checkPipelines(names, options, host));
    });
}

function addPrint(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("print")
    .summary("print a pipeline in its canonical form")
    .description(
      "Prints a pipeline in its canonical form: the same names, order and defaults whatever wrote it.",
    )
    .argument("<file>", "a file or an archive; - is the standard input")
    .addOption(new Option("--format <name>", "how it is written").choices(["yaml", "json"]).default("yaml"))
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .addHelpText(
      "after",
      "\nExample:\n  diff <(wye pipeline print old.yaml) <(wye pipeline print new.json)\n",
    )
    .action(async (file: string, options) => {
      const { printPipelineFile } = await import("./print.js");
      end(await printPipelineFile(file, options, host));
    });
}

function addGraph(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("graph")
    .summary("draw the tasks of a pipeline")
    .description(
      "Prints the tasks of a pipeline and what they wait for: as an SVG picture, as a drawing for Mermaid or Graphviz, or as JSON, with each task once however often its component is used.",
    )
    .argument("<file>", "a file or an archive; - is the standard input")
    .addOption(
      new Option("--format <name>", "as a picture, for which program, or as data")
        .choices(["mermaid", "dot", "svg", "json"])
        .default("mermaid"),
    )
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline graph pipeline.yaml --format svg > pipeline.svg\n  wye pipeline graph pipeline.yaml --format dot | dot -Tpdf > pipeline.pdf\n  wye pipeline graph pipeline.yaml --json | jq -r '.tasks[] | select(.after == []) | .path'\n",
    )
    .action(async (file: string, options) => {
      const { graphPipelineFile } = await import("./graph.js");
      end(await graphPipelineFile(file, options, host));
    });
}

function addExplain(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("explain")
    .summary("say what a rule is about, or list all rules")
    .description(
      "Says what a rule is about, with a wrong and a right example. Without an id it lists all rules.",
    )
    .argument("[rule]", "the id of the rule, as `check` prints it")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  wye pipeline explain task-cycle\n")
    .action(async (rule: string | undefined, options) => {
      const { explainRule } = await import("./explain.js");
      end(explainRule(rule, options, host));
    });
}

function addRun(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("run")
    .summary("run a pipeline on this machine")
    .description(
      "Runs a pipeline on this machine: the command of each container as a process. Ends with 1 when the run fails, with 130 when it is interrupted, with 2 when there is no run or no report of it.",
    )
    .argument("<file>", "a file or an archive")
    .option(
      "-p, --parameter <name=value>",
      "a parameter of the pipeline; JSON unless its type is STRING; may be repeated",
      collect,
      [],
    )
    .option("--root <folder>", "where folders of runs are made", localPath, "local_outputs")
    .option("--concurrency <n>", "how many tasks run at once", wholeNumber)
    .option("--cache", "take results of earlier runs, for tasks that allow it")
    .option("--timeout <seconds>", "cancel the run after so long", positiveNumber)
    .option(
      "--resume [folder]",
      "go on with a run that was interrupted: the last one, or that in a folder",
      localPath,
    )
    .option("--report <file>", "write what happened as an HTML page", localPath)
    .option("--json", "print events and the result as lines of JSON")
    .addOption(profile())
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline run pipeline.yaml -p epochs=3 -p name=trial\n  wye pipeline run pipeline.yaml --resume\n  wye pipeline run pipeline.yaml --resume local_outputs/train-2026-01-31-13-05-59-123\n",
    )
    .action(async (file: string, options) => {
      const { runPipelineFile } = await import("./run.js");
      end(await runPipelineFile(file, options, host));
    });
}

function addExport(pipeline: Command, host: Host, end: (code: ExitCode) => void): void {
  pipeline
    .command("export")
    .summary("print the Argo workflow that the back end makes of a pipeline")
    .description(
      "Prints the Argo workflow that the back end of Kubeflow Pipelines makes of a pipeline. Ends with 1 when the back end would refuse it.",
    )
    .argument("<file>", "a file or an archive; - is the standard input")
    .addOption(new Option("--to <engine>", "for which engine").choices(["argo"]).makeOptionMandatory())
    .addOption(new Option("--target <version>", "whose images will run").choices(["main", "2.17", "2.16"]))
    .option(
      "-p, --parameter <name=value>",
      "a parameter of the pipeline; JSON unless its type is STRING; may be repeated",
      collect,
      [],
    )
    .option("--pipeline-root <uri>", "where artifacts go", named)
    .option("--display-name <name>", "name of the run for people", named)
    .option("--cache-disabled", "no task uses the cache: for workflows that are submitted by hand")
    .option("--driver-image <image>", "image of the drivers", named)
    .option("--launcher-image <image>", "image of the launcher", named)
    .option("--namespace <name>", "namespace of Kubeflow Pipelines", named)
    .option("--service-account <name>", "service account of the pods", named)
    .option("--options <file>", "all other options of `toArgoWorkflow`, as JSON", named)
    .addOption(new Option("--format <name>", "how it is written").choices(["yaml", "json"]).default("yaml"))
    .addOption(new Option("--json", "the same as --format json").conflicts("format"))
    .option("--indent", "a line for each member of the specifications inside, for reviews")
    .option("--sources <file>", "write where each template and task comes from, as JSON", named)
    .option("--quiet", "no warnings")
    .addHelpText(
      "after",
      "\nExamples:\n  wye pipeline export pipeline.yaml --to argo --cache-disabled > workflow.yaml\n  diff <(wye pipeline export old.yaml --to argo --indent) <(wye pipeline export new.yaml --to argo --indent)\n",
    )
    .action(async (file: string, options) => {
      const { exportPipelineFile } = await import("./export.js");
      end(await exportPipelineFile(file, options, host));
    });
}
