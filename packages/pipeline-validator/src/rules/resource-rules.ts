import type { PipelineGraph, ResourceSpec } from "@wye/pipeline-spec";
import { containers } from "../containers.js";
import { filledTexts } from "../filled-texts.js";
import { largerUnit, parseQuantity } from "../quantity.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";

const container = (fields: string) => `deploymentSpec: {executors: {exec-report: {container: {${fields}}}}}`;

const accelerator = (fields: string) => container(`resources: {accelerator: {${fields}}}`);

/** The accelerators that containers ask for, each with its place. */
function* accelerators(graph: PipelineGraph) {
  for (const { spec, path } of graph.once(containers)) {
    const { accelerator: wanted } = spec.resources ?? {};
    if (wanted !== undefined) yield { ...wanted, at: `${path}/resources/accelerator` };
  }
}

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
        if (!isPlaceholder(text) && !isAmount(text))
          yield { at: `${path}/resources/${field}`, ...noAmount(field, text) };
      }
      for (const field of ["cpuLimit", "cpuRequest", "memoryLimit", "memoryRequest"] as const) {
        const amount = spec.resources?.[field] ?? 0;
        if (amount >= 0 && amount < Number.POSITIVE_INFINITY) continue;
        const message = amount < 0 ? "an amount cannot be negative" : `${amount} is not an amount`;
        yield { at: `${path}/resources/${field}`, message };
      }
    }
    for (const { field, value, at } of index.once(filledTexts)) {
      if (isQuantityField(field) && !isAmount(value)) yield { at, ...noAmount(field, value) };
    }
  },
};

const isQuantityField = (field: string): boolean => quantityFields.some((one) => one === field);

/** An empty text asks for nothing. */
const isAmount = (text: string): boolean => text === "" || (parseQuantity(text) ?? -1) >= 0;

function noAmount(field: string, text: string): Pick<Finding, "message" | "hint"> {
  const hint = field.includes("Memory") ? "write 512Mi, 2Gi or 1G" : "write 2, 0.5 or 500m";
  return { message: `${quote(text)} is not an amount`, hint };
}

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
        const request = amountOf(spec.resources, `resource${what}Request`);
        const limit = amountOf(spec.resources, `resource${what}Limit`);
        // Old numbers lose a little on the way from bytes to gigabytes.
        if (request === undefined || limit === undefined || request.value <= limit.value * (1 + 1e-6))
          continue;
        const related = [{ at: `${path}/resources/${limit.field}`, message: "the limit" }];
        const message = `the request ${request.text} is above the limit ${limit.text}`;
        yield { at: `${path}/resources/${request.field}`, message, related };
      }
    }
  },
};

interface Amount {
  readonly field: string;
  readonly text: string;
  readonly value: number;
}

/** What the driver takes for an amount: the text, or in its absence the number of old files. Undefined for what nobody can compare. */
function amountOf(resources: ResourceSpec, field: (typeof quantityFields)[number]): Amount | undefined {
  const text = resources[field];
  if (text !== "") {
    const value = parseQuantity(text);
    return value === undefined ? undefined : { field, text, value };
  }
  const [old, , unit] = amounts.find(([, one]) => one === field) ?? [];
  const number = old === undefined ? 0 : resources[old];
  if (old === undefined || number <= 0) return undefined;
  return { field: old, text: `${number}${unit === 1 ? "" : "G"}`, value: number * (unit ?? 1) };
}

const acceleratorInvalid: Rule = {
  id: "accelerator-invalid",
  summary: "The number of accelerators is a whole number.",
  reason: "Kubernetes refuses the pod.",
  severity: always("error"),
  examples: {
    wrong: accelerator("resourceType: nvidia.com/gpu, resourceCount: one"),
    right: accelerator("resourceType: nvidia.com/gpu, resourceCount: '1'"),
  },
  *check(index) {
    for (const { at, count, resourceCount } of accelerators(index)) {
      if (!isPlaceholder(resourceCount) && !isCount(resourceCount)) {
        yield { at: `${at}/resourceCount`, ...noCount(resourceCount) };
      } else if (Number(count) < 0) {
        yield { at: `${at}/count`, message: "a count cannot be negative" };
      }
    }
    for (const { field, value, at } of index.once(filledTexts)) {
      if (field === "resourceCount" && !isCount(value)) yield { at, ...noCount(value) };
    }
  },
};

/** Without a count there is no accelerator, which is told of by itself. */
const isCount = (text: string): boolean => text === "" || /^\d{1,9}$/.test(text);

const noCount = (text: string): Pick<Finding, "message" | "hint"> => ({
  message: `${quote(text)} is not a whole number`,
  hint: "write a number such as '1'",
});

const acceleratorIncomplete: Rule = {
  id: "accelerator-incomplete",
  summary: "An accelerator has a type and a count.",
  reason: "Without both, the driver requests none, and the program runs without.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: accelerator("resourceCount: '1'"),
    right: accelerator("resourceType: nvidia.com/gpu, resourceCount: '1'"),
  },
  *check(index) {
    for (const { at, type, count, resourceType, resourceCount } of accelerators(index)) {
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

/** The old numbers, the texts that replace them, and what a number counts: compilers write memory in gigabytes. */
const amounts = [
  ["cpuLimit", "resourceCpuLimit", 1],
  ["cpuRequest", "resourceCpuRequest", 1],
  ["memoryLimit", "resourceMemoryLimit", 1e9],
  ["memoryRequest", "resourceMemoryRequest", 1e9],
] as const;

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
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.resources === undefined) continue;
      for (const [old, field, unit] of amounts) {
        const [number, text] = [spec.resources[old], spec.resources[field]];
        if (number === 0 || text === "" || isSameAmount(number * unit, parseQuantity(text))) continue;
        // What is no amount is a mistake of its own, and the number may well say what was meant.
        if (parseQuantity(text) === undefined && !isPlaceholder(text)) continue;
        const message = `${number} does nothing: ${field} says ${quote(text)}`;
        yield { at: `${path}/resources/${old}`, part: "key", message };
      }
    }
  },
};

const acceleratorType: Rule = {
  id: "accelerator-type-invalid",
  summary: "The type of an accelerator is the name of a resource of the cluster, such as `nvidia.com/gpu`.",
  reason: "Kubernetes refuses a pod that asks for a resource without domain.",
  severity: underKfp("warning"),
  examples: {
    wrong: accelerator("resourceType: gpu, resourceCount: '1'"),
    right: accelerator("resourceType: nvidia.com/gpu, resourceCount: '1'"),
  },
  *check(index) {
    for (const { at, type: old, resourceType } of accelerators(index)) {
      const type = resourceType === "" ? old : resourceType;
      if (type === "" || isPlaceholder(type) || resourceName.test(type)) continue;
      yield {
        at: `${at}/${resourceType === "" ? "type" : "resourceType"}`,
        message: `${quote(type)} is no resource of Kubernetes`,
        hint: "write nvidia.com/gpu or the like",
      };
    }
  },
};

/** The name of a resource with its domain. */
const resourceName = /^[a-z0-9][-a-z0-9.]{0,251}\/[A-Za-z0-9][-A-Za-z0-9_.]{0,62}$/;

const memoryTiny: Rule = {
  id: "memory-tiny",
  summary: "An amount of memory is at least a megabyte.",
  reason: "A plain number is bytes and `m` is thousandths of one, so that the container cannot start.",
  severity: underKfp("warning"),
  examples: {
    wrong: container("resources: {resourceMemoryLimit: '4'}"),
    right: container("resources: {resourceMemoryLimit: 4Gi}"),
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const field of ["resourceMemoryLimit", "resourceMemoryRequest"] as const) {
        const text = spec.resources?.[field] ?? "";
        const bytes = text === "" ? undefined : parseQuantity(text);
        if (bytes === undefined || bytes <= 0 || bytes >= 1e6) continue;
        yield {
          at: `${path}/resources/${field}`,
          message: `${quote(text)} is less than a megabyte of memory`,
          hint: largerUnit(text),
        };
      }
    }
  },
};

const processorsMany: Rule = {
  id: "processors-many",
  summary: "A container asks for less than a thousand processors.",
  reason: "No machine has so many, and the pod waits for ever; thousandths of a processor end in `m`.",
  severity: underKfp("warning"),
  examples: {
    wrong: container("resources: {resourceCpuLimit: '2000'}"),
    right: container("resources: {resourceCpuLimit: 2000m}"),
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const field of ["resourceCpuLimit", "resourceCpuRequest"] as const) {
        const text = spec.resources?.[field] ?? "";
        if ((parseQuantity(text) ?? 0) < 1000) continue;
        const message = `${quote(text)} are more processors than any machine has`;
        yield { at: `${path}/resources/${field}`, message, hint: "end thousandths with m, such as 2000m" };
      }
    }
  },
};

/** Rules about what containers ask of a machine. */
export const resourceRules: RuleFamily = {
  title: "Resources",
  appliesTo: (index) => index.once(containers).some(({ spec }) => spec.resources !== undefined),
  rules: [
    quantityInvalid,
    requestAboveLimit,
    processorsMany,
    memoryTiny,
    acceleratorInvalid,
    acceleratorIncomplete,
    acceleratorType,
    resourceTwice,
  ],
};
