import { pointer } from "@wye/pipeline-spec";
import { containers } from "../containers.js";
import { parseQuantity } from "../quantity.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const executorEmpty: Rule = {
  id: "executor-empty",
  summary: "An executor is a container, an importer, a resolver or a custom job.",
  reason: "An executor without any of them cannot run.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: null}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check({ executors }) {
    for (const { spec, path, label } of executors) {
      if (spec.spec !== undefined) continue;
      const message = `the executor ${quote(label)} has nothing to run`;
      yield {
        at: path,
        part: "key",
        message,
        hint: "add container, importer or resolver",
        sought: [`${path}/*`],
      };
    }
  },
};

const imageMissing: Rule = {
  id: "image-missing",
  summary: "A container has an image.",
  reason: "Kubernetes cannot start a container without image.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {image: ''}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.image !== "") continue;
      yield {
        at: path,
        part: "key",
        message: `the container of ${quote(executor.label)} has no image`,
        hint: "add image",
        sought: [`${path}/image`],
      };
    }
  },
};

const commandMissing: Rule = {
  id: "command-missing",
  summary: "A container has a command or arguments.",
  reason:
    "The launcher of the back end replaces the entry point of the image, and fails with `command and arguments are empty`.",
  severity: underKfp("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {command: []}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {command: [], args: [hello]}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.command.length > 0 || spec.args.length > 0 || isPseudoImage(spec.image)) continue;
      const message = `the container of ${quote(executor.label)} has neither command nor arguments`;
      const sought = [`${path}/command/*`, `${path}/args/*`];
      yield { at: path, part: "key", message, hint: "add the entry point of the image as command", sought };
    }
  },
};

/** Images that the driver acts upon instead of running them. */
const isPseudoImage = (image: string): boolean => /^argostub\/(?:createpvc|deletepvc)$/.test(image);

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
        if (name === "" || /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
        const message = `${quote(name)} cannot be the name of a variable`;
        const hint = "use letters, digits and underscores, not beginning with a digit";
        yield { at: pointer(path, "env", position, "name"), message, hint };
      }
    }
  },
};

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
          const message = `${reference} is not expanded: the variable is defined later`;
          yield { at: pointer(path, "env", position, "value"), span, message, hint: "define it before" };
        }
      }
    }
  },
};

const quantityFields = [
  "resourceCpuLimit",
  "resourceCpuRequest",
  "resourceMemoryLimit",
  "resourceMemoryRequest",
] as const;

const isPlaceholder = (text: string): boolean => text.includes("{{");

const quantityInvalid: Rule = {
  id: "resource-invalid",
  summary: "An amount of processors or memory is a Kubernetes quantity.",
  reason: "Kubernetes refuses the pod, when everything before it has already run.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {resources: {resourceMemoryLimit: 2GB}}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {resources: {resourceMemoryLimit: 2Gi}}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const field of quantityFields) {
        const text = spec.resources?.[field] ?? "";
        if (text === "" || isPlaceholder(text) || (parseQuantity(text) ?? -1) >= 0) continue;
        const hint = field.includes("Memory") ? "write 512Mi, 2Gi or 1G" : "write 2, 0.5 or 500m";
        yield { at: `${path}/resources/${field}`, message: `${quote(text)} is not an amount`, hint };
      }
      for (const field of ["cpuLimit", "cpuRequest", "memoryLimit", "memoryRequest"] as const) {
        if ((spec.resources?.[field] ?? 0) >= 0) continue;
        yield { at: `${path}/resources/${field}`, message: "an amount cannot be negative" };
      }
    }
  },
};

const requestAboveLimit: Rule = {
  id: "resource-request-above-limit",
  summary: "A container requests no more than its limit.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {resourceCpuRequest: '2', resourceCpuLimit: 500m}}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {resourceCpuRequest: 500m, resourceCpuLimit: '2'}}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.resources === undefined) continue;
      for (const what of ["Cpu", "Memory"] as const) {
        const [requested, most] = [
          spec.resources[`resource${what}Request`],
          spec.resources[`resource${what}Limit`],
        ];
        const [request, limit] = [parseQuantity(requested), parseQuantity(most)];
        if (request === undefined || limit === undefined || request <= limit) continue;
        const related = [{ at: `${path}/resources/resource${what}Limit`, message: "the limit" }];
        const message = `the request ${requested} is above the limit ${most}`;
        yield { at: `${path}/resources/resource${what}Request`, message, related };
      }
    }
  },
};

const acceleratorInvalid: Rule = {
  id: "accelerator-invalid",
  summary: "The number of accelerators is a whole number.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: one}}}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: '1'}}}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const accelerator = spec.resources?.accelerator;
      if (accelerator === undefined) continue;
      const at = `${path}/resources/accelerator`;
      const { count, resourceCount } = accelerator;
      if (resourceCount !== "" && !isPlaceholder(resourceCount) && !/^\d{1,9}$/.test(resourceCount)) {
        yield {
          at: `${at}/resourceCount`,
          message: `${quote(resourceCount)} is not a whole number`,
          hint: "write a number such as '1'",
        };
      } else if (Number(count) < 0) {
        yield { at: `${at}/count`, message: "a count cannot be negative" };
      }
    }
  },
};

const acceleratorIncomplete: Rule = {
  id: "accelerator-incomplete",
  summary: "An accelerator has a type and a count.",
  reason: "Without both, the driver requests none, and the program runs without.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {accelerator: {resourceCount: '1'}}}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: '1'}}}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const accelerator = spec.resources?.accelerator;
      if (accelerator === undefined) continue;
      const at = `${path}/resources/accelerator`;
      const { type, count, resourceType, resourceCount } = accelerator;
      if (type === "" && resourceType === "") {
        const sought = [`${at}/resourceType`, `${at}/type`];
        yield { at, part: "key", message: "the accelerator has no type", hint: "add resourceType", sought };
      } else if (count === "0" && resourceCount === "") {
        const sought = [`${at}/resourceCount`, `${at}/count`];
        yield { at, part: "key", message: "the accelerator has no count", hint: "add resourceCount", sought };
      }
    }
  },
};

/** What the old numbers count, in units of the texts: compilers write memory in gigabytes. */
const units = { CpuLimit: 1, CpuRequest: 1, MemoryLimit: 1e9, MemoryRequest: 1e9 } as const;

/** Numbers lose a little on the way from bytes to gigabytes. */
const isSameAmount = (one: number, other = Number.NaN): boolean => Math.abs(one - other) <= 1e-6 * other;

const resourceTwice: Rule = {
  id: "resource-overridden",
  summary: "An amount is given once: as a text or, in old files, as a number.",
  reason: "The text wins, and the number does nothing.",
  severity: always("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {resources: {cpuLimit: 1, resourceCpuLimit: '2'}}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {resources: {resourceCpuLimit: '2'}}}}}",
    besides: ["deprecated-field"],
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.resources === undefined) continue;
      for (const what of ["CpuLimit", "CpuRequest", "MemoryLimit", "MemoryRequest"] as const) {
        const old = `${what.charAt(0).toLowerCase()}${what.slice(1)}` as Uncapitalize<typeof what>;
        const [number, text] = [spec.resources[old], spec.resources[`resource${what}`]];
        if (number === 0 || text === "" || isSameAmount(number * units[what], parseQuantity(text))) continue;
        yield {
          at: `${path}/resources/${old}`,
          part: "key",
          message: `${number} does nothing: resource${what} says ${text}`,
        };
      }
    }
  },
};

const lifecycle: Rule = {
  id: "lifecycle-unsupported",
  summary: "A container has no lifecycle.",
  reason: "The open-source back end and the local runner ignore the check before the cache.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {lifecycle: {preCacheCheck: {command: [check]}}}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {lifecycle: null}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.lifecycle?.preCacheCheck === undefined) continue;
      const at = `${path}/lifecycle/preCacheCheck`;
      yield { at, part: "key", message: "the open-source back end ignores preCacheCheck" };
    }
  },
};

/** Rules about containers. */
export const containerRules: RuleFamily = {
  title: "Executors and containers",
  rules: [
    executorEmpty,
    imageMissing,
    commandMissing,
    environmentNameMissing,
    environmentName,
    environmentTwice,
    environmentOrder,
    quantityInvalid,
    requestAboveLimit,
    acceleratorInvalid,
    acceleratorIncomplete,
    resourceTwice,
    lifecycle,
  ],
};
