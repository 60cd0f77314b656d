import type { NodeAffinityTerm, PodAffinityTerm, SelectorRequirement } from "@wye/pipeline-spec";
import { labelKey } from "./kubernetes-names.js";
import { notOneOf } from "./not-one-of.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** What is wrong with what a pod wants of its node; a term as JSON stands for all of it. */
export function* wrongNodeAffinity(term: NodeAffinityTerm, path: string): Generator<Finding> {
  if (term.nodeAffinityJson !== undefined) return;
  yield* requirements(term.matchExpressions, `${path}/matchExpressions`, wrongLabels);
  yield* requirements(term.matchFields, `${path}/matchFields`, wrongField);
}

/** What is wrong with what a pod wants of the pods beside it. */
export function* wrongPodAffinity(term: PodAffinityTerm, path: string): Generator<Finding> {
  if (term.topologyKey === "") {
    const message = "nothing says what the pods are to have in common";
    const hint = "add topologyKey, such as kubernetes.io/hostname";
    yield { at: path, message, hint, sought: [`${path}/topologyKey`] };
  }
  yield* requirements(term.matchPodExpressions, `${path}/matchPodExpressions`, wrongLabels);
  yield* requirements(term.matchNamespaceExpressions, `${path}/matchNamespaceExpressions`, wrongLabels);
}

type Check = (one: SelectorRequirement, path: string) => Generator<Finding>;

function* requirements(list: readonly SelectorRequirement[], path: string, check: Check): Generator<Finding> {
  for (const [position, one] of list.entries()) {
    const at = `${path}/${position}`;
    if (one.operator === "") {
      const hint = "add operator, such as In";
      yield { at, message: "nothing says how the values are compared", hint, sought: [`${at}/operator`] };
    }
    yield* check(one, at);
  }
}

const operators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

function* wrongLabels({ key, operator, values }: SelectorRequirement, path: string): Generator<Finding> {
  yield* notOneOf(`${path}/operator`, operator, operators);
  if (key === "") {
    const hint = "add key";
    yield { at: path, message: "nothing says which label is meant", hint, sought: [`${path}/key`] };
  } else if (!labelKey.test(key)) {
    yield { at: `${path}/key`, message: `${quote(key)} cannot be the name of a label` };
  }
  const at = `${path}/values`;
  if ((operator === "In" || operator === "NotIn") && values.length === 0) {
    const message = `${operator} needs at least one value`;
    yield { at, part: "key", message, hint: "add values", sought: [at] };
  } else if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    yield { at, part: "key", message: `${operator} takes no values`, hint: "use In, or remove values" };
  } else if ((operator === "Gt" || operator === "Lt") && !isOneNumber(values)) {
    const message = `${operator} takes one whole number`;
    yield { at, part: "key", message, hint: "write values: ['4']", sought: [at, `${at}/*`] };
  }
}

const isOneNumber = (values: readonly string[]): boolean =>
  values.length === 1 && /^-?\d+$/.test(values[0] ?? "");

/** Of the fields of a node only its name can be asked for, and that by one value. */
function* wrongField({ key, operator, values }: SelectorRequirement, path: string): Generator<Finding> {
  if (key !== "metadata.name") {
    const message = `${quote(key)} is no field of a node that can be asked for`;
    const sought = key === "" ? [`${path}/key`] : [];
    yield { at: `${path}/key`, message, hint: "use metadata.name, or matchExpressions for labels", sought };
  }
  yield* notOneOf(`${path}/operator`, operator, ["In", "NotIn"]);
  if ((operator !== "In" && operator !== "NotIn") || values.length === 1) return;
  const at = `${path}/values`;
  const message = `a field is compared with one value, not ${values.length}`;
  yield { at, part: "key", message, hint: "write one term for each value", sought: [at] };
}
