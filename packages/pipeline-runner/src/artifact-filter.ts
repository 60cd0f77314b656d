import { didYouMean } from "@wye/pipeline-spec";

/** What an artifact has to be: one condition of a filter. */
export interface ArtifactCondition {
  readonly kind: "in_context" | "artifact_type" | "uri" | "state" | "name";
  readonly value: string;
}

/** A filter that was read, or where it cannot be: the column counts from 1. */
export type ParsedFilter =
  | { readonly ok: true; readonly conditions: readonly ArtifactCondition[] }
  | { readonly ok: false; readonly column: number; readonly message: string };

const kinds = ["in_context", "artifact_type", "uri", "state", "name"] as const;
const text = String.raw`"((?:[^"\\]|\\.)*)"`;
const forms: { readonly [Kind in ArtifactCondition["kind"]]: readonly [form: RegExp, example: string] } = {
  in_context: [new RegExp(String.raw`\s*\(\s*${text}\s*\)`, "y"), 'in_context("the name")'],
  artifact_type: [new RegExp(String.raw`\s*=\s*${text}`, "y"), 'artifact_type="system.Model"'],
  uri: [new RegExp(String.raw`\s*=\s*${text}`, "y"), 'uri="gs://bucket/model"'],
  state: [/\s*=\s*"?([A-Za-z_]+)"?/y, "state=LIVE"],
  name: [new RegExp(String.raw`\s*=\s*${text}`, "y"), 'name="the name"'],
};

/** Reads the filter of an artifact query: conditions with AND between them; an empty one has none. */
export function parseArtifactFilter(filter: string): ParsedFilter {
  const conditions: ArtifactCondition[] = [];
  const reader = new FilterReader(filter);
  for (let isFirst = true; !reader.atEnd(); isFirst = false) {
    if (!isFirst && reader.take(/AND\b/y) === undefined) return reader.problem("expected AND");
    if (reader.atEnd()) return reader.problem("expected a condition after AND");
    const word = reader.take(/\w+/y)?.[0];
    const kind = kinds.find((one) => one === word);
    if (kind === undefined) return reader.problem(unknownMessage(word), word?.length);
    const [form, example] = forms[kind];
    const found = reader.take(form);
    if (found === undefined) return reader.problem(`expected a condition like ${example}`);
    conditions.push({ kind, value: (found[1] ?? "").replaceAll(/\\(.)/g, "$1") });
  }
  return { ok: true, conditions };
}

function unknownMessage(word: string | undefined): string {
  const near = word === undefined ? undefined : didYouMean(word, kinds);
  const help = near === undefined ? "" : `; did you mean ${near}?`;
  return `expected one of ${kinds.join(", ")}${help}`;
}

class FilterReader {
  readonly #text: string;
  #at = 0;

  constructor(filter: string) {
    this.#text = filter;
  }

  atEnd(): boolean {
    this.take(/\s*/y);
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  /** A problem here, or so many characters before. */
  problem(message: string, before = 0): ParsedFilter {
    return { ok: false, column: this.#at - before + 1, message };
  }
}
