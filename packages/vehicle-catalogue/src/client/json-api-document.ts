/** A resource as it came: nothing but `type` and `id` is certain. */
export interface RawResource {
  readonly type: string;
  readonly id: string;
  readonly attributes?: unknown;
  readonly relationships?: unknown;
  readonly [member: string]: unknown;
}

/** The document as it came, for all that the client itself makes no use of: links, other members, other resources. */
export interface RawDocument {
  readonly data: readonly RawResource[];
  readonly included?: readonly RawResource[] | null;
  readonly meta?: unknown;
  readonly [member: string]: unknown;
}

/** A document, and what came with it. */
export interface Answer {
  readonly document: RawDocument;
  /** `Last-Modified`, from servers that send it. */
  readonly lastModified: string | undefined;
}

/** An object of JSON; any name is data, also `__proto__`. */
type RawObject = { readonly [name: string]: unknown };

export function isObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether this is a document whose resources can be told apart. All else is tolerated: readers of JSON:API ignore what
 * they do not know.
 */
export function isDocument(value: unknown): value is RawDocument {
  return isObject(value) && isResourceList(value.data) && isResourceList(value.included ?? []);
}

function isResourceList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isResource);
}

function isResource(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && typeof value.id === "string";
}

/** `meta.overall_count`, if it is a count. */
export function overallCountOf(document: RawDocument): number | undefined {
  const count = isObject(document.meta) ? document.meta.overall_count : undefined;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** What the text means; `undefined` is what none does. */
export function parseJson(text: () => string): unknown {
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
}
