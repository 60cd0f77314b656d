import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../testdata/pipelines", import.meta.url));

export interface CorpusFile {
  /** Path below `valid` or `invalid`. */
  readonly name: string;
  readonly text: string;
}

/** The pipeline files of Kubeflow Pipelines; see ATTRIBUTION.md beside them. */
export function corpus(kind: "valid" | "invalid"): CorpusFile[] {
  const root = join(folder, kind);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: relative(root, path).replaceAll("\\", "/"), text: readFileSync(path, "utf8") }));
}

export interface Expected {
  readonly cases: Readonly<Record<string, { readonly validate: string }>>;
  readonly invalid: Readonly<Record<string, { readonly validate: string; readonly why: string }>>;
}

/** What a validator must say of each file. */
export function expected(): Expected {
  return JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
}
