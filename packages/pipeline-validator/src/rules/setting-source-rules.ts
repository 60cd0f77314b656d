import {
  describeValue,
  type InputParameterSpec,
  type InputSource,
  inputParameter,
  outputParameter,
  type TaskNode,
} from "@wye/pipeline-spec";
import { labelKey, labelValue } from "../kubernetes-names.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { kindOf, kindOfValue, type ParameterKind } from "../parameter-kind.js";
import { executor, hasPlatform } from "../platform-part.js";
import { quote, quoteList } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";

/** The types that a setting takes from elsewhere, by its field. */
const takes: Readonly<Record<string, readonly ParameterKind[]>> = {
  secretNameParameter: ["STRING"],
  configMapNameParameter: ["STRING"],
  pvcNameParameter: ["STRING"],
  tolerationJson: ["STRUCT", "LIST"],
  nodeSelectorJson: ["STRUCT"],
  nodeAffinityJson: ["STRUCT"],
};

const fieldOf = (at: string): string => at.slice(at.lastIndexOf("/") + 1);

const sourceMissing: Rule = {
  id: "platform-source-missing",
  summary: "A Kubernetes setting that takes its value from elsewhere says from where.",
  reason: "The driver finds nothing to resolve, and the task fails.",
  severity: underKfp("error"),
  examples: {
    wrong: executor("{imagePullSecret: [{secretNameParameter: {}}]}"),
    right: executor("{imagePullSecret: [{secretNameParameter: {runtimeValue: {constant: registry}}}]}"),
  },
  *check(index) {
    for (const { name, message, path } of index.once(kubernetesSettings).messages) {
      if (name !== "InputParameterSpec" || isGiven(message)) continue;
      const fields = ["runtimeValue", "componentInputParameter", "taskOutputParameter"];
      yield {
        at: path,
        message: "nothing says where the value comes from",
        hint: "add runtimeValue.constant, componentInputParameter or taskOutputParameter",
        sought: [...fields, "runtimeValue/constant"].map((field) => `${path}/${field}`),
      };
    }
  },
};

function isGiven({ kind }: InputParameterSpec): boolean {
  return kind?.$case === "runtimeValue" ? kind.value.value !== undefined : kind !== undefined;
}

const sourceType: Rule = {
  id: "platform-source-type",
  summary:
    "What a Kubernetes setting takes from a constant, an input or a task is of the type that it needs.",
  reason:
    "The driver converts nothing: a name is a text, tolerations are an object or a list, node selectors and affinities are objects.",
  severity: underKfp("error"),
  examples: {
    wrong: executor("{tolerations: [{tolerationJson: {runtimeValue: {constant: 'key: gpu'}}}]}"),
    right: executor(
      "{tolerations: [{tolerationJson: {runtimeValue: {constant: {key: gpu, operator: Exists}}}}]}",
    ),
  },
  *check(index) {
    for (const { name, message, path } of index.once(kubernetesSettings).messages) {
      if (name !== "InputParameterSpec") continue;
      const value = message.kind?.$case === "runtimeValue" ? message.kind.value.value : undefined;
      if (value?.$case === "constant") yield* wrongConstant(value.value, path);
    }
    const told = new Set<string>();
    for (const task of index.tasks) {
      for (const { at, source } of task.platformInputs) {
        const wanted = takes[at.includes("/pvcMount/") ? "pvcNameParameter" : fieldOf(at)];
        if (wanted === undefined || source === undefined || told.has(at)) continue;
        // Several declarations may be meant; what fits one of them is not certainly wrong.
        const kinds = kindsOf(source, task);
        const [kind] = kinds;
        if (kind === undefined || kinds.some((one) => wanted.includes(one))) continue;
        told.add(at);
        const message = `the value is of type ${kind}, and ${wanted.join(" or ")} is needed here`;
        const hint = `make it a ${wanted.join(" or ")}`;
        const isJson = kind === "STRING";
        yield { at: source.at, message, hint: isJson ? `${hint}: a text with JSON in it is not read` : hint };
      }
    }
  },
};

/** The declared types of what a setting takes, if all are known. */
function kindsOf(source: InputSource, { parent, component }: TaskNode): readonly ParameterKind[] {
  if (source.kind === "input") {
    const declared = [parent, component].flatMap((one) => (one && inputParameter(one, source.name)) ?? []);
    const kinds = declared.flatMap((one) => kindOf(one) ?? []);
    return kinds.length === declared.length ? kinds : [];
  }
  // What comes out of a loop is a list, whatever is declared.
  if (source.kind !== "output" || source.task?.component === undefined) return [];
  if (source.task.spec.iterator !== undefined) return [];
  const kind = kindOf(outputParameter(source.task.component, source.key));
  return kind === undefined ? [] : [kind];
}

/** Names of other kinds are found with the names that are no names. */
function* wrongConstant(value: unknown, path: string): Generator<Finding> {
  const field = fieldOf(path);
  const wanted = takes[field];
  const at = `${path}/runtimeValue/constant`;
  if (wanted === undefined || value === null) return;
  if (typeof value === "string" && value.includes("{{")) return;
  if (wanted.includes("STRING")) {
    if (value === "") yield { at, message: "the name is empty", hint: "write the name of the object" };
    return;
  }
  const kind = kindOfValue(value);
  if (kind === undefined || !wanted.includes(kind)) {
    const what = wanted.length === 1 ? "an object" : "an object or a list";
    yield { at, message: `${field} is ${what}, not ${describeValue(value)}` };
  } else if (field === "nodeSelectorJson") yield* wrongSelector(Object.entries(value ?? {}), at);
}

function* wrongSelector(
  labels: readonly (readonly [name: string, value: unknown])[],
  at: string,
): Generator<Finding> {
  for (const [name, value] of labels) {
    if (value === null) continue;
    if (typeof value !== "string") {
      const message = `the label ${quote(name)} is a text, not ${describeValue(value)}`;
      yield { at, message, hint: "put it in quotes" };
    } else if (!labelKey.test(name) || !labelValue.test(value)) {
      const message = `${quoteList([name, value])} cannot be a label`;
      yield { at, message, hint: "use letters, digits, -, _ and ." };
    }
  }
}

/** Rules about what settings take from elsewhere. */
export const settingSourceRules: RuleFamily = {
  title: "Values of Kubernetes settings",
  appliesTo: hasPlatform,
  rules: [sourceMissing, sourceType],
};
