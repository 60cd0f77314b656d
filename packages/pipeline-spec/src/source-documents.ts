import { DocumentProblems } from "./document-problems.js";
import type { YamlLimits } from "./parse-yaml.js";
import type { SourceDocument } from "./source-document.js";
import { parseDocuments } from "./source-text.js";

/**
 * The documents of a text, which take many times the memory of the text: they are kept as long as memory allows, and
 * read again when they are needed after that.
 */
export class SourceDocuments {
  private readonly text: string;
  private readonly limits: YamlLimits;
  private kept: WeakRef<readonly SourceDocument[]>;

  /** @param documents  what parsing `text` has given */
  constructor(text: string, limits: YamlLimits, documents: readonly SourceDocument[]) {
    this.text = text;
    this.limits = limits;
    this.kept = new WeakRef(documents);
  }

  /** The document at an index, which must be one of those that there were. */
  get(index: number): SourceDocument {
    const document = this.documents()[index];
    if (document === undefined) throw new TypeError(`there is no document ${index}`);
    return document;
  }

  private documents(): readonly SourceDocument[] {
    const kept = this.kept.deref();
    if (kept !== undefined) return kept;
    // Its problems are known already.
    const documents = parseDocuments(this.text, this.limits, new DocumentProblems(this.text, 0));
    this.kept = new WeakRef(documents);
    return documents;
  }
}
