import { isFields } from "../fields.js";
import { messageOf } from "../message-of.js";
import { jsonMembers } from "../sources/json-members.js";

/** What a text in JSON or YAML says, and where. */
export interface LocatedText {
  readonly value: unknown;
  /** The line of a place, or of the nearest one around it that is known. */
  lineOf(path: readonly string[]): number;
  /** What can be read, and is not what its author meant. */
  readonly problems: readonly LocatedProblem[];
}

/** A sentence about a line. */
export interface LocatedProblem {
  readonly line: number;
  readonly message: string;
}

/** Reads JSON, or else YAML, whose reader is loaded when it is needed. */
export async function readLocatedText(text: string): Promise<LocatedText> {
  const json = readJson(text);
  if (json !== undefined) return json;
  try {
    return await readYaml(text);
  } catch (error) {
    const message = error instanceof RangeError ? "it is nested too deep" : messageOf(error);
    return { value: undefined, lineOf: () => 1, problems: [{ line: 1, message }] };
  }
}

function readJson(text: string): LocatedText | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It may be YAML, whose reader knows the line of what is wrong.
    return undefined;
  }
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const problems: LocatedProblem[] = [];
  const repeated = (name: string, at: number) =>
    problems.push({ line: lineAt(at), message: `${JSON.stringify(name)} is there twice` });
  findRepeated(text, 0, value, deepestNames, repeated);
  const lineOf = (path: readonly string[]) => lineAt(offsetInJson(text, value, path));
  return { value, lineOf, problems };
}

/** Environments, their flags, and the members of each: no deeper, for a flag may be large. */
const deepestNames = 5;

function findRepeated(
  text: string,
  offset: number,
  value: unknown,
  depth: number,
  repeated: (name: string, at: number) => void,
): void {
  if (!isFields(value) || depth === 0) return;
  for (const [name, { start }] of jsonMembers(text, offset, repeated))
    findRepeated(text, start, Object.getOwnPropertyDescriptor(value, name)?.value, depth - 1, repeated);
}

/** Where the innermost known place of a path begins. */
function offsetInJson(text: string, root: unknown, path: readonly string[]): number {
  let offset = 0;
  let value = root;
  for (const name of path) {
    if (!isFields(value)) break;
    const span = jsonMembers(text, offset).get(name);
    if (span === undefined) break;
    offset = span.start;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return offset;
}

async function readYaml(text: string): Promise<LocatedText> {
  const { isPair, isScalar, LineCounter, parseDocument, visit } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const broken = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  if (broken.length > 0) return { value: undefined, lineOf: () => 1, problems: broken };
  const problems: LocatedProblem[] = [];
  visit(document, {
    Scalar(role, { type, value, range }) {
      if (
        role === "key" ||
        type !== "PLAIN" ||
        typeof value !== "string" ||
        !/^(?:yes|no|on|off)$/i.test(value)
      )
        return;
      const message = `${value} is text in YAML 1.2; write true or false, or put it in quotes`;
      problems.push({ line: lineAt(range?.[0] ?? 0), message });
    },
  });
  const lineOf = (path: readonly string[]) => {
    for (let length = path.length; length > 0; length--) {
      const steps = path.slice(0, length);
      const parent = document.getIn(steps.slice(0, -1), true);
      const last = steps.at(-1);
      const pair =
        typeof parent === "object" && parent !== null && "items" in parent && Array.isArray(parent.items)
          ? parent.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === last)
          : undefined;
      const node: unknown = pair?.key ?? document.getIn(steps, true);
      const offset = rangeStart(node);
      if (offset !== undefined) return lineAt(offset);
    }
    return 1;
  };
  return { value: document.toJS({ maxAliasCount: 1000 }), lineOf, problems };
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range))
    return undefined;
  const [start]: readonly unknown[] = node.range;
  return typeof start === "number" ? start : undefined;
}
