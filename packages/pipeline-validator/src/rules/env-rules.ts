import { type PipelineGraph, pointer } from "@wye/pipeline-spec";
import { containers } from "../containers.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { isVariableName } from "../kubernetes-values.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily } from "../rule.js";

const environmentNameMissing: Rule = {
  id: "env-name-missing",
  summary: "An environment variable has a name.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {env: [{value: debug}]}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {env: [{name: LEVEL, value: debug}]}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const [position, { name }] of spec.env.entries()) {
        if (name !== "") continue;
        const at = pointer(path, "env", position);
        yield { at, message: "the variable has no name", hint: "add name", sought: [`${at}/name`] };
      }
    }
  },
};

const environmentNameRefused: Rule = {
  id: "env-name-refused",
  summary: "The name of an environment variable is of printable ASCII characters, without `=`.",
  reason: "No version of Kubernetes takes a pod with another name.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {env: [{name: A=B, value: c}]}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {env: [{name: A, value: B=c}]}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const [position, { name }] of spec.env.entries()) {
        if (!isRefused(name)) continue;
        const at = pointer(path, "env", position, "name");
        const message = `${quote(name)} cannot be the name of an environment variable`;
        yield { at, message, hint: name.includes("=") ? "write what is behind the = as value" : nameHint };
      }
    }
  },
};

const isRefused = (name: string): boolean => /[^ -<>-~]/.test(name);

const environmentName: Rule = {
  id: "env-name-invalid",
  summary:
    "The name of an environment variable consists of letters, digits and underscores, and begins with no digit.",
  reason:
    "Programs and shells cannot read other variables; older versions of Kubernetes refuse some of them.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: LOG-LEVEL, value: debug}]}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: LOG_LEVEL, value: debug}]}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const [position, { name }] of spec.env.entries()) {
        if (name === "" || !isOdd(name) || isRefused(name)) continue;
        const at = pointer(path, "env", position, "name");
        yield { at, message: `programs and shells cannot read the variable ${quote(name)}`, hint: nameHint };
      }
    }
    for (const { at, name } of index.once(platformVariables)) {
      // Names that Kubernetes refuses are a matter of another rule.
      if (!isVariableName(name) || !isOdd(name)) continue;
      yield { at, message: `programs and shells cannot read the variable ${quote(name)}`, hint: nameHint };
    }
  },
};

/** The variables that settings of the platform make of secrets, config maps and fields, and those of init containers. */
function platformVariables(index: PipelineGraph): readonly { readonly at: string; readonly name: string }[] {
  return index.once(kubernetesSettings).messages.flatMap(({ name: type, message, path }) => {
    if (type === "SecretKeyToEnvMap" || type === "ConfigMapKeyToEnvMap") {
      return [{ at: `${path}/envVar`, name: message.envVar }];
    }
    if (type !== "FieldPathAsEnv" && type !== "InitContainerEnvVar") return [];
    return [{ at: `${path}/name`, name: message.name }];
  });
}

const isOdd = (name: string): boolean => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
const nameHint = "use letters, digits and underscores, not beginning with a digit";

const environmentTwice: Rule = {
  id: "env-name-repeated",
  summary: "An environment variable is set once.",
  reason: "The later value wins without a word.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: A, value: x}, {name: A, value: y}]}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: A, value: x}, {name: B, value: y}]}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const seen = new Map<string, number>();
      for (const [position, { name }] of spec.env.entries()) {
        const before = seen.get(name);
        seen.set(name, position);
        if (before === undefined || name === "") continue;
        const related = [{ at: pointer(path, "env", before, "name"), message: "set here before" }];
        yield {
          at: pointer(path, "env", position, "name"),
          message: `the variable ${quote(name)} is set twice`,
          related,
        };
      }
    }
  },
};

const environmentOrder: Rule = {
  id: "env-reference-early",
  summary: "A `$(VAR)` reference comes after the variable that it names.",
  reason: "Only variables defined before are expanded; the text stays as it is.",
  severity: always("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: A, value: $(B)/x}, {name: B, value: y}]}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {env: [{name: B, value: y}, {name: A, value: $(B)/x}]}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const last = new Map(spec.env.map(({ name }, position) => [name, position]));
      for (const [position, { value }] of spec.env.entries()) {
        for (const match of value.matchAll(/\$(\$?)\(([A-Za-z_][A-Za-z0-9_]{0,200})\)/g)) {
          const [reference, dollar, name = ""] = match;
          if (dollar !== "" || (last.get(name) ?? -1) < position) continue;
          const span = { start: match.index, end: match.index + reference.length };
          const isItself = spec.env[position]?.name === name;
          const why = isItself
            ? "it is the variable itself, whose value in the image is not known"
            : "the variable is defined later";
          const hint = isItself ? "write the whole value, or set it in the command" : "define it before";
          const message = `${reference} is not expanded: ${why}`;
          yield { at: pointer(path, "env", position, "value"), span, message, hint };
        }
      }
    }
  },
};

/** Rules about the environment of containers. */
export const envRules: RuleFamily = {
  title: "Environment variables",
  appliesTo: (index) =>
    index.once(containers).some(({ spec }) => spec.env.length > 0) ||
    index.once(platformVariables).length > 0,
  rules: [
    environmentNameMissing,
    environmentNameRefused,
    environmentName,
    environmentTwice,
    environmentOrder,
  ],
};
