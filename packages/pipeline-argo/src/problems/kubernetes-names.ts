import { pointer } from "@wye/pipeline-spec";
import type { Finding } from "./problem-book.js";
import { quote } from "./quote.js";

type Texts = Readonly<Record<string, string>>;

const word = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const part = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = new RegExp(`^(?=.{1,253}$)${part}(\\.${part})*$`);
const domainLabel = new RegExp(`^(?=.{1,63}$)${part}$`);

/** What Kubernetes takes for an object such as a service account, and for a namespace. */
export const isObjectName = (name: string): boolean => subdomain.test(name);
export const isNamespace = (name: string): boolean => domainLabel.test(name);

/** The labels at a place that Kubernetes refuses: pods with them are never made. */
export function* labelFindings(labels: Texts, path: string): Generator<Finding> {
  yield* annotationFindings(labels, path);
  for (const [key, value] of Object.entries(labels)) {
    if (!isLabelValue(value))
      yield refused(pointer(path, key), "value", `${quote(value)} is no value of a label`);
  }
}

/** The annotations at a place that Kubernetes refuses: their keys are like those of labels, their values any text. */
export function* annotationFindings(annotations: Texts, path: string): Generator<Finding> {
  for (const key of Object.keys(annotations)) {
    if (!isKey(key))
      yield refused(pointer(path, key), "key", `${quote(key)} is no key of a label or an annotation`);
  }
}

/** A value as Kubernetes takes it; what Argo puts into a tag nobody knows before. */
export function isLabelValue(value: string): boolean {
  return value === "" || value.includes("{{") || word.test(value);
}

function isKey(key: string): boolean {
  if (key.includes("{{")) return true;
  const slash = key.indexOf("/");
  return word.test(key.slice(slash + 1)) && (slash < 0 || subdomain.test(key.slice(0, slash)));
}

function refused(path: string, at: "key" | "value", message: string): Finding {
  return { code: "kubernetes-label", path, part: at, message };
}
