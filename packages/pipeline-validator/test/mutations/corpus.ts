import { readdirSync, readFileSync } from "node:fs";
import { parsePipeline, printPipeline } from "@wye/pipeline-spec";
import { parseAllDocuments } from "yaml";
import { type Document, isObject, type Json } from "./document.js";

const folder = new URL("../../../pipeline-spec/testdata/pipelines/valid/", import.meta.url);

/** The valid files of the corpus, as data. */
export function corpusDocuments(): { readonly name: string; readonly document: Document }[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.(?:yaml|json)$/.test(name))
    .sort()
    .map((name) => {
      const parsed = parsePipeline(readFileSync(new URL(name, folder), "utf8"));
      if (!parsed.ok) throw new Error(`${name} cannot be parsed`);
      const parts = parseAllDocuments(printPipeline(parsed.pipeline));
      const values = parts.map((part) => part.toJS() as Json).filter(isObject);
      return { name, document: Object.assign({}, ...values) as Document };
    });
}
