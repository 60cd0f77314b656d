import type { Placeholder } from "@wye/pipeline-resolver";
import { type ComponentNode, type ExecutorNode, type PipelineGraph, pointer } from "@wye/pipeline-spec";
import { type ContainerNode, containers, isGiven } from "../containers.js";
import { filledTexts } from "../filled-texts.js";
import { isImage } from "../image-reference.js";
import { suppliedParameters } from "../parameter-source.js";
import { placeholderTexts } from "../placeholder-uses.js";
import { quote, shorten } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";

const container = (fields: string) => `deploymentSpec: {executors: {exec-report: {container: {${fields}}}}}`;

const imageInvalid: Rule = {
  id: "image-invalid",
  summary: "An image is a reference that a registry knows: lower-case, without blanks and without a scheme.",
  reason: "Kubernetes cannot pull it: the pod stays with InvalidImageName.",
  severity: underKfp("error"),
  examples: {
    wrong: container("image: 'https://registry.example/Report'"),
    right: container("image: 'registry.example/report:1'"),
  },
  *check(graph) {
    for (const { spec, path } of graph.once(containers)) {
      if (spec.image === "" || spec.image.includes("{{") || isImage(spec.image)) continue;
      yield { at: `${path}/image`, ...noImage(spec.image) };
    }
    for (const { field, value, at } of graph.once(filledTexts)) {
      if (field === "image" && !isImage(value)) yield { at, ...noImage(value) };
    }
  },
};

function noImage(text: string): Pick<Finding, "message" | "hint"> {
  const hint = text.includes("://")
    ? "leave out the scheme"
    : text.includes("@")
      ? "write the whole digest, such as sha256: and 64 digits"
      : "use lower case, no blanks, and a tag after the colon";
  return { message: `${quote(text)} is no reference of an image`, hint };
}

const version1: Rule = {
  id: "placeholder-version-1",
  summary: "Placeholders are those of version 2: `{{$.inputs.parameters['x']}}`.",
  reason:
    "Those of version 1 are no longer filled in: the program receives the braces. Tags of Argo mean nothing elsewhere.",
  severity: underKfp("warning"),
  examples: {
    wrong: container('args: ["{{inputs.parameters.message}}"]'),
    right: container("args: [\"{{$.inputs.parameters['message']}}\"]"),
  },
  *check(graph) {
    for (const { spec, path } of graph.once(containers)) {
      for (const [list, texts] of [
        ["command", spec.command],
        ["args", spec.args],
      ] as const) {
        for (const [position, text] of texts.entries()) {
          const tag = tagIn(text);
          if (tag !== undefined) yield { at: `${path}/${list}/${position}`, ...tag };
        }
      }
      for (const [position, { value }] of spec.env.entries()) {
        const tag = tagIn(value);
        const hint = "pass the value to the program as an argument: variables take no placeholders";
        if (tag !== undefined) yield { at: `${path}/env/${position}/value`, ...tag, hint };
      }
    }
    for (const { source } of graph.once(suppliedParameters)) {
      if (source?.kind !== "constant" || typeof source.value !== "string") continue;
      const tag = tagIn(source.value);
      if (tag !== undefined) yield { at: source.at, ...tag };
    }
  },
};

/** The first placeholder of version 1 in a text, or tag of Argo. */
function tagIn(text: string): Omit<Finding, "at"> | undefined {
  const match = /\{\{ {0,3}(?:inputs|outputs|workflow|tasks|pod|steps)\.[^{}]{1,200}\}\}/.exec(text);
  if (match === null) return undefined;
  const span = { start: match.index, end: match.index + match[0].length };
  const tag = match[0].slice(2, -2).trim();
  const what = /^(?:workflow|pod)\./.test(tag) ? "tag of Argo, not of pipelines" : "placeholder of version 1";
  return { span, message: `${quote(match[0])} is a ${what}`, hint: insteadOf(tag) };
}

/** What Argo says of a run, and what the back end calls it. */
const facts: ReadonlyMap<string, string> = new Map([
  ["workflow.name", "pipeline_job_resource_name"],
  ["workflow.uid", "pipeline_job_uuid"],
  ["workflow.creationTimestamp", "pipeline_job_create_time_utc"],
  ["workflow.scheduledTime", "pipeline_job_schedule_time_utc"],
]);

/** The parts of version 2 that say the same, by what is left of `inputs.parameters.x` without its name. */
const parts: ReadonlyMap<string, string> = new Map([
  ["inputs.parameters", ""],
  ["workflow.parameters", ""],
  ["inputs.artifacts.path", ".path"],
  ["outputs.parameters.path", ".output_file"],
  ["outputs.artifacts.path", ".path"],
]);

/** What to write instead of a placeholder of version 1 or a tag of Argo. */
function insteadOf(tag: string): string {
  const fact = facts.get(tag);
  if (fact !== undefined)
    return `give the task an input with the constant {{$.${fact}}}, and name that input`;
  const [, list = "", name = "", part = ""] =
    /^(\w+\.\w+)(?:\.|\[['"])([-\w]+)(?:['"]\])?(\.path)?$/.exec(tag) ?? [];
  const written = parts.get(list + part);
  if (written === undefined) return "pass the value as an input, and write {{$.inputs.parameters['name']}}";
  return `write {{$.${list.replace("workflow", "inputs")}['${shorten(name)}']${written}}}`;
}

const executorInput: Rule = {
  id: "executor-input-missing",
  summary: "A Python component of the SDK is given the executor input.",
  reason: "Without `{{$}}` behind `--executor_input` the program cannot find its inputs and fails.",
  severity: underKfp("error"),
  examples: {
    wrong: container("command: [python3, -m, kfp.dsl.executor_main], args: [--function_to_execute, say]"),
    right: container(
      "command: [python3, -m, kfp.dsl.executor_main], args: [--executor_input, '{{$}}', --function_to_execute, say]",
    ),
  },
  *check(graph) {
    for (const container of graph.once(containers)) {
      const { path } = container;
      if (!isGiven(container, (text) => text.includes("kfp.dsl.executor_main"))) continue;
      if (isGiven(container, (text) => text.includes("{{$}}"))) continue;
      const message = "the program of the SDK is not given the executor input";
      const at = `${path}/args`;
      yield { at, part: "key", message, hint: "add --executor_input, '{{$}}'", sought: [at] };
    }
  },
};

const unwritten: Rule = {
  id: "output-unwritten",
  summary: "A program is told where to write each of its outputs.",
  reason:
    "Of a parameter that nobody writes the launcher says `failed to read output parameter`; an artifact stays empty.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "components: {comp-train: {outputDefinitions: {parameters: {loss: {parameterType: NUMBER_DOUBLE}}}}}",
    right: "components: {comp-train: {outputDefinitions: {artifacts: {model: {description: the model}}}}}",
  },
  *check(graph) {
    const written = graph.once(writtenOutputs);
    for (const container of graph.once(containers)) {
      const names = written.get(container.executor) ?? new Set();
      if (names.has("*") || container.spec.image.startsWith("argostub/")) continue;
      if (isGiven(container, (text) => text.includes("/tmp/kfp"))) continue;
      for (const component of container.executor.components) {
        if (component.uses.length > 0) yield* unwrittenOutputs(component, container, names);
      }
    }
  },
};

/** The outputs whose places the program of an executor is told, `*` being all; executors that are told of none are absent. */
function writtenOutputs(graph: PipelineGraph): ReadonlyMap<ExecutorNode, ReadonlySet<string>> {
  const written = new Map<ExecutorNode, Set<string>>();
  for (const { executor, placeholders } of graph.once(placeholderTexts)) {
    if (executor === undefined) continue;
    for (const { placeholder } of placeholders) {
      const name = outputOf(placeholder);
      const names = written.get(executor);
      if (name === undefined) continue;
      if (names === undefined) written.set(executor, new Set([name]));
      else names.add(name);
    }
  }
  return written;
}

function outputOf(placeholder: Placeholder): string | undefined {
  switch (placeholder.kind) {
    case "executor-input":
    // The same, escaped.
    case "json-escape":
    case "output-file":
      return "*";
    case "output-parameter":
    case "output-artifact":
      return `${placeholder.kind} ${placeholder.name}`;
    default:
      return undefined;
  }
}

function* unwrittenOutputs(
  { path, spec }: ComponentNode,
  container: ContainerNode,
  names: ReadonlySet<string>,
) {
  const sought = [`${container.path}/args/*`, `${container.path}/command/*`];
  for (const kind of ["parameter", "artifact"] as const) {
    for (const name of Object.keys(spec.outputDefinitions?.[`${kind}s`] ?? {})) {
      if (names.has(`output-${kind} ${name}`)) continue;
      const at = pointer(`${path}/outputDefinitions/${kind}s`, name);
      const message = `the program is not told where to write ${quote(name)}`;
      const part = kind === "parameter" ? "output_file" : "path";
      const hint = `give it {{$.outputs.${kind}s['${shorten(name)}'].${part}}}`;
      yield { at, part: "key", message, hint, sought } as const;
    }
  }
}

/** Rules about what programs are given. */
export const programRules: RuleFamily = {
  title: "Programs",
  rules: [imageInvalid, version1, executorInput, unwritten],
};
