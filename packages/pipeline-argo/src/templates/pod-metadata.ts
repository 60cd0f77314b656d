import { isObject, type KubernetesExecutorConfig } from "@wye/pipeline-spec";
import type { ArgoMetadata } from "../argo-workflow.js";
import { sortedEntries } from "../text/byte-order.js";
import { input } from "./references.js";

/** A label or annotation that a task gives to its pod: the inputs that carry it, and what it is. */
interface CarriedEntry {
  readonly kind: "annotation" | "label";
  readonly keyInput: string;
  readonly valueInput: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Labels and annotations of the pods of a component. Argo patches no metadata: they travel through inputs, and there is a
 * template for each number of them.
 */
export interface CarriedMetadata {
  /** What the names of the templates begin with. */
  readonly prefix: string;
  readonly entries: readonly CarriedEntry[];
}

/** What the settings of an executor say of its pods; undefined when they say nothing, not even that there is nothing. */
export function carriedMetadata(config: KubernetesExecutorConfig | undefined): CarriedMetadata | undefined {
  const metadata = config?.podMetadata;
  if (!isObject(metadata)) return undefined;
  const annotations = carried("annotation", metadata.annotations);
  const labels = carried("label", metadata.labels);
  return {
    prefix: `metadata-${annotations.length}-${labels.length}-`,
    entries: [...annotations, ...labels],
  };
}

function carried(kind: CarriedEntry["kind"], values: Readonly<Record<string, string>>): CarriedEntry[] {
  const entries = sortedEntries(values);
  return entries.map(([key, value], index) => {
    const name = (part: string) => {
      const base = `pod-metadata-${kind}-${part}`;
      return entries.length === 1 ? base : `${base}-${index + 1}`;
    };
    return { kind, keyInput: name("key"), valueInput: name("val"), key, value };
  });
}

/** The inputs of the templates, with what a task gives them. */
export function metadataInputs(carried: CarriedMetadata | undefined): [name: string, value: string][] {
  return (carried?.entries ?? []).flatMap(({ keyInput, valueInput, key, value }) => [
    [keyInput, key] as [string, string],
    [valueInput, value] as [string, string],
  ]);
}

/** Metadata of the pods, made of the inputs of their template. */
export function metadataFromInputs(own: ArgoMetadata, carried: CarriedMetadata | undefined): ArgoMetadata {
  const all = (kind: CarriedEntry["kind"]) =>
    (carried?.entries ?? [])
      .filter((entry) => entry.kind === kind)
      .map(({ keyInput, valueInput }) => [input(keyInput), input(valueInput)] as const);
  const annotations = { ...own.annotations, ...Object.fromEntries(all("annotation")) };
  const labels = Object.fromEntries(all("label"));
  return {
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
}
