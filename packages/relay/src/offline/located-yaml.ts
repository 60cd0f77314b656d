import type { Steps } from "@wye/flag-evaluator";
import type { Document, Node, ParsedNode } from "yaml";
import { inTurns } from "../steps.js";
import type { LocatedProblem, LocatedText } from "./located-text.js";
import { numberFault } from "./number-fault.js";

type Yaml = typeof import("yaml");
type Token = Parameters<InstanceType<Yaml["Composer"]>["next"]>[0];

/** Reads YAML. Throws what cannot be told with a line. */
export async function readYaml(text: string): Promise<LocatedText> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const tokens = await inTurns(tokensOf(yaml, text, lines.addNewLine));
  // Its own search for names that are there twice looks through all that stand before for each of them.
  const composer = new yaml.Composer({ merge: true, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error("there is no document");
  const broken = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  if (second !== undefined)
    broken.push({
      line: lineAt(second.range[0]),
      message: "a second document begins here; there may be one",
    });
  const problems = broken.length > 0 ? broken : misleadingIn(yaml, document, lineAt);
  if (broken.length > 0) return { value: undefined, lineOf: () => 1, problems };
  const offsetOf = placesIn(yaml, document.contents);
  return {
    value: document.toJS({ maxAliasCount: 1000 }),
    lineOf(path) {
      const offset = offsetOf(path);
      return offset === undefined ? 1 : lineAt(offset);
    },
    problems,
  };
}

/** About what it takes to read a lexeme, in characters of flag data. */
const perLexeme = 64;

function* tokensOf(
  { Lexer, Parser }: Yaml,
  text: string,
  onNewLine: (offset: number) => void,
): Steps<Token[]> {
  const parser = new Parser(onNewLine);
  onNewLine(0);
  const tokens: Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    yield perLexeme;
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Names that are there twice, words that meant true and false once, numbers that become others, and tags that nobody knows. */
function misleadingIn(
  { isScalar, visit }: Yaml,
  document: Document,
  lineAt: (offset: number) => number,
): LocatedProblem[] {
  const problems: LocatedProblem[] = document.warnings.map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message,
  }));
  const report = (node: Node, message: string) =>
    problems.push({ line: lineAt(node.range?.[0] ?? 0), message });
  const reportForeign = (node: Node) => {
    const name = /^tag:yaml\.org,2002:(omap|pairs|set|binary|timestamp)$/.exec(node.tag ?? "")?.[1];
    if (name !== undefined) report(node, `!!${name} is nothing that flags are made of`);
  };
  visit(document, {
    Seq: (_, node) => reportForeign(node),
    Map(_, node) {
      const { items } = node;
      reportForeign(node);
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        const name = nameOf(key.value);
        if (names.has(name)) report(key, `${JSON.stringify(name)} is there twice`);
        names.add(name);
      }
    },
    Scalar(role, node) {
      const { type, value, source = "" } = node;
      reportForeign(node);
      if (role === "key" || type !== "PLAIN") return;
      const fault = typeof value === "number" ? numberFault(source, value) : undefined;
      if (fault !== undefined) report(node, fault);
      if (typeof value !== "string") return;
      if (/^(?:yes|no|on|off)$/i.test(value))
        report(node, `${value} is text in YAML 1.2; write true or false, or put it in quotes`);
    },
  });
  return problems;
}

/** What a name becomes in an object. */
function nameOf(key: unknown): string {
  return String(key ?? "");
}

/** Something inside of a collection, and where it begins. */
interface Entry {
  readonly at: number | undefined;
  readonly value: unknown;
}

/** Finds where the innermost known place of a path begins. What stands in a collection is looked at once. */
function placesIn(yaml: Yaml, root: ParsedNode | null): (path: readonly string[]) => number | undefined {
  const known = new Map<unknown, ReadonlyMap<string, Entry>>();
  const entriesOf = (node: unknown) => {
    const entries = known.get(node) ?? new Map(entriesIn(yaml, node));
    known.set(node, entries);
    return entries;
  };
  return (path) => {
    let place: Entry = { at: undefined, value: root };
    for (const name of path) {
      const inside = entriesOf(place.value).get(name);
      if (inside === undefined) break;
      place = { at: inside.at ?? place.at, value: inside.value };
    }
    return place.at;
  };
}

function entriesIn({ isMap, isNode, isScalar, isSeq }: Yaml, node: unknown): [string, Entry][] {
  const start = (one: unknown) => (isNode(one) ? one.range?.[0] : undefined);
  if (isMap(node))
    return node.items.flatMap(({ key, value }): [string, Entry][] =>
      isScalar(key) ? [[nameOf(key.value), { at: start(key), value }]] : [],
    );
  if (isSeq(node)) return node.items.map((value, at) => [`${at}`, { at: start(value), value }]);
  return [];
}
