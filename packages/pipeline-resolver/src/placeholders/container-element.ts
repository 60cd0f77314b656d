import { checkArguments, didYouMean } from "@wye/pipeline-spec";
import type { TextSpan } from "../text-problem.js";
import { type PlaceholderProblem, parsePlaceholders, type Template } from "./parse-placeholders.js";
import type { PlaceholderSegment } from "./placeholder.js";
import {
  JsonSyntax,
  type PositionedJson,
  type PositionedMember,
  parsePositionedJson,
} from "./positioned-json.js";

/** One element of a command: a text, or a structure in the form of JSON. */
export type ContainerElement =
  | { readonly kind: "text"; readonly template: Template; readonly place: ElementPlace }
  /** `{"Concat": [parts]}`: the texts of the parts, joined. */
  | { readonly kind: "concat"; readonly parts: readonly ContainerElement[] }
  /** `{"IfPresent": {"InputName": name, "Then": …, "Else": …}}`: elements for an input that is there, and for one that is not. */
  | {
      readonly kind: "if-present";
      readonly name: string;
      readonly nameSpan: TextSpan;
      readonly present: readonly ContainerElement[];
      readonly absent: readonly ContainerElement[];
    };

/**
 * Where a text stands in its element: so many characters behind the beginning, or somewhere inside a span, where escapes of JSON
 * make places differ.
 */
export type ElementPlace = { readonly offset: number } | { readonly span: TextSpan };

/** A span of a text as a span of the element that it stands in. */
export function spanInElement({ start, end }: TextSpan, place: ElementPlace): TextSpan {
  return "span" in place ? place.span : { start: start + place.offset, end: end + place.offset };
}

/** An element of `command` or `args`, read. */
export interface ParsedElement {
  readonly text: string;
  readonly element: ContainerElement;
  /** All placeholders in it, at any depth, with their places in the text. */
  readonly placeholders: readonly PlaceholderSegment[];
  readonly problems: readonly PlaceholderProblem[];
}

const structured = /^\s{0,100}\{\s{0,100}"(?:Concat|IfPresent)"\s{0,100}:/;
/** The same in the spellings of version 1 and of slips: to everybody a text like any other. */
const misspelt = /^\s{0,100}\{\s{0,100}("(?:concat|if[-_]?present)")\s{0,100}:\s{0,100}[[{]/i;

/** Reads an element of `command` or `args`, with its placeholders. */
export function parseContainerElement(text: string): ParsedElement {
  checkArguments("parseContainerElement", "text", { text });
  const problems: PlaceholderProblem[] = [];
  const placeholders: PlaceholderSegment[] = [];
  const reading: Reading = { problems, placeholders };
  let element: ContainerElement | undefined;
  if (structured.test(text)) {
    const json = parsePositionedJson(text);
    if (json instanceof JsonSyntax) {
      const message = `the element is no JSON: ${json.message}`;
      problems.push({
        code: "structure",
        severity: "error",
        message,
        span: { start: json.at, end: text.length },
      });
    } else element = elementFrom(json, reading);
  } else noteMisspelt(text, problems);
  return { text, element: element ?? textElement(text, { offset: 0 }, reading), placeholders, problems };
}

function noteMisspelt(text: string, problems: PlaceholderProblem[]): void {
  const [, key] = misspelt.exec(text) ?? [];
  if (key === undefined) return;
  const start = text.indexOf(key);
  const hint = `did you mean ${key.toLowerCase() === '"concat"' ? "Concat" : "IfPresent"}?`;
  const message = `${key.slice(1, -1)} is no structure: the program gets this text as it is`;
  problems.push({
    code: "structure",
    severity: "warning",
    message,
    hint,
    span: { start, end: start + key.length },
  });
}

interface Reading {
  readonly problems: PlaceholderProblem[];
  readonly placeholders: PlaceholderSegment[];
}

function textElement(text: string, place: ElementPlace, reading: Reading): ContainerElement {
  const template = parsePlaceholders(text);
  for (const problem of template.problems) {
    reading.problems.push({ ...problem, span: spanInElement(problem.span, place) });
  }
  for (const segment of template.segments) {
    if (segment.kind !== "placeholder") continue;
    const nameSpan = segment.nameSpan && spanInElement(segment.nameSpan, place);
    reading.placeholders.push({ ...segment, span: spanInElement(segment.span, place), nameSpan });
  }
  return { kind: "text", template, place };
}

function elementFrom(json: PositionedJson, reading: Reading): ContainerElement | undefined {
  if (json.kind === "string") {
    const { span, value, plain } = json;
    return textElement(value, plain ? { offset: span.start + 1 } : { span }, reading);
  }
  const [member, ...more] = json.kind === "object" ? json.members : [];
  if (!member || more.length > 0) return complain(reading, json.span, "expected a text, Concat or IfPresent");
  const structure = meant(member.key, ["Concat", "IfPresent"]);
  if (structure !== member.key) {
    const message = `there is no structure ${member.key}: expected Concat or IfPresent`;
    complain(reading, member.keySpan, message, structure);
  }
  if (structure === "Concat") return concatFrom(member, reading);
  return structure === "IfPresent" ? ifPresentFrom(member, reading) : undefined;
}

/** The name that a key is or was meant to be. What was meant is read as such, so that nothing else seems to be missing. */
function meant(key: string, names: readonly string[]): string | undefined {
  return names.includes(key) ? key : didYouMean(key, names);
}

function complain(reading: Reading, span: TextSpan, message: string, name?: string): undefined {
  const hint = name === undefined ? {} : { hint: `did you mean ${name}?` };
  reading.problems.push({ code: "structure", severity: "error", message, span, ...hint });
  return undefined;
}

function concatFrom({ value }: PositionedMember, reading: Reading): ContainerElement | undefined {
  if (value.kind !== "list") return complain(reading, value.span, "Concat takes a list");
  return { kind: "concat", parts: elementsFrom(value, reading) };
}

function ifPresentFrom({ keySpan, value }: PositionedMember, reading: Reading): ContainerElement | undefined {
  if (value.kind !== "object") return complain(reading, value.span, "IfPresent takes an object");
  const members = new Map(value.members.map((member) => [member.key, member]));
  for (const member of value.members) {
    const { key, keySpan: span } = member;
    const name = meant(key, ["InputName", "Then", "Else"]);
    if (name === key) continue;
    complain(reading, span, `IfPresent has no ${key}: expected InputName, Then and Else`, name);
    if (name !== undefined && !members.has(name)) members.set(name, member);
  }
  const name = members.get("InputName")?.value;
  if (name?.kind !== "string") {
    return complain(reading, name?.span ?? keySpan, "IfPresent needs InputName, the name of an input");
  }
  const present = members.get("Then");
  if (!present) complain(reading, keySpan, "IfPresent needs Then");
  const absent = members.get("Else");
  return {
    kind: "if-present",
    name: name.value,
    nameSpan: { start: name.span.start + 1, end: name.span.end - 1 },
    present: present ? elementsFrom(present.value, reading) : [],
    absent: absent ? elementsFrom(absent.value, reading) : [],
  };
}

function elementsFrom(value: PositionedJson, reading: Reading): readonly ContainerElement[] {
  const items = value.kind === "list" ? value.items : [value];
  return items.flatMap((item) => {
    // Lists in lists are flattened and nulls dropped, as the local runner does.
    if (item.kind === "list") return elementsFrom(item, reading);
    if (item.kind === "other" && item.value === null) return [];
    const element = elementFrom(item, reading);
    return element ? [element] : [];
  });
}
