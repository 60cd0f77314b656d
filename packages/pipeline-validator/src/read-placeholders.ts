import {
  type ContainerElement,
  type PlaceholderSegment,
  parseContainerElement,
  parsePlaceholders,
  type TextProblem,
  type TextSpan,
} from "@wye/pipeline-resolver";

/** An input whose presence an `IfPresent` element asks for. */
export interface PresenceCheck {
  readonly name: string;
  readonly nameSpan: TextSpan;
}

/** What the placeholders of a text are, and what is wrong with them. */
export interface PlaceholderReading {
  readonly placeholders: readonly PlaceholderSegment[];
  readonly presenceChecks: readonly PresenceCheck[];
  /** True when there is a `Concat` in it. */
  readonly hasConcat: boolean;
  readonly problems: readonly TextProblem[];
}

/** Reads a text of the specification; undefined when there is nothing of a placeholder in it. */
export function readPlaceholders(text: string, isCommand: boolean): PlaceholderReading | undefined {
  // Most texts are words and programs without any.
  if (!mayHoldPlaceholder(text) && !mayBeStructure(text)) return undefined;
  if (!isCommand || !structured.test(text)) {
    const { segments, problems } = parsePlaceholders(text);
    const placeholders = segments.filter((segment) => segment.kind === "placeholder");
    return reading(text, { placeholders, presenceChecks: [], hasConcat: false, problems });
  }
  const { element, placeholders, problems: found } = parseContainerElement(text);
  const problems = singleQuoted.test(text) ? [...found, notJson(text)] : found;
  return reading(text, { placeholders, ...structuresOf(element), problems });
}

const mayHoldPlaceholder = (text: string): boolean =>
  text.includes("$") && (text.includes("$.") || text.includes("$}") || text.includes("{{$"));

const mayBeStructure = (text: string): boolean =>
  structured.test(text) &&
  (text.includes('"IfPresent"') ||
    text.includes('"Concat"') ||
    misnamed.test(text) ||
    singleQuoted.test(text));

/** Only such elements of a command can be something else than a text. */
const structured = /^\s{0,100}\{\s{0,100}["']/;

/** The names of structures as they are misspelt. */
const misnamed = /^\s{0,100}\{\s{0,100}"(?:concat|if[-_]?present)"/i;

/** What Python prints of a structure, which is no JSON. */
const singleQuoted = /^\s{0,20}\{\s{0,20}'(?:IfPresent|Concat)'/;

const notJson = (text: string): TextProblem => ({
  code: "structure",
  severity: "error",
  message: "this is no JSON: names stand in double quotes",
  hint: 'write {"IfPresent": …}',
  span: { start: 0, end: text.length },
});

function reading(text: string, read: PlaceholderReading): PlaceholderReading | undefined {
  const { placeholders, presenceChecks, hasConcat } = read;
  // Where there is nothing but placeholders there are no strays, and most texts are so.
  const isWhole = placeholders[0]?.text.length === text.length;
  const problems = isWhole ? read.problems : [...read.problems, ...strays(text, read)];
  const isEmpty = placeholders.length + presenceChecks.length + problems.length === 0 && !hasConcat;
  return isEmpty ? undefined : { placeholders, presenceChecks, hasConcat, problems };
}

function structuresOf(root: ContainerElement): Pick<PlaceholderReading, "presenceChecks" | "hasConcat"> {
  const presenceChecks: PresenceCheck[] = [];
  let hasConcat = false;
  const open = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (element.kind === "concat") {
      hasConcat = true;
      for (const part of element.parts) open.push(part);
    } else if (element.kind === "if-present") {
      presenceChecks.push({ name: element.name, nameSpan: element.nameSpan });
      for (const part of element.present) open.push(part);
      for (const part of element.absent) open.push(part);
    }
  }
  return { presenceChecks, hasConcat };
}

/** What looks like the inside of a placeholder, but does not begin with `{{`. */
function* strays(text: string, { placeholders, problems }: PlaceholderReading): Generator<TextProblem> {
  const taken = [...placeholders, ...problems].map(({ span }) => span).sort((a, b) => a.start - b.start);
  let next = 0;
  for (const match of text.matchAll(/\$\.(?:in|out)puts\.(?:parameters|artifacts)\[/g)) {
    const span = { start: match.index, end: match.index + match[0].length };
    while (next < taken.length && (taken[next]?.end ?? 0) <= span.start) next++;
    if ((taken[next]?.start ?? text.length) <= span.start) continue;
    const message = "this is no placeholder: it does not begin with {{$";
    yield { code: "malformed", severity: "error", message, hint: "write {{ directly before $", span };
  }
}
