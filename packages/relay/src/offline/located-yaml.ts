import type { Steps } from "@wye/flag-evaluator";
import type { Document, Node, Scalar, YAMLMap } from "yaml";
import { inTurns } from "../steps.js";
import type { LocatedProblem, LocatedText } from "./located-text.js";
import { numberFault } from "./number-fault.js";
import { placesIn } from "./yaml-places.js";

type Yaml = typeof import("yaml");
type Token = Parameters<InstanceType<Yaml["Composer"]>["next"]>[0];

/** How long a file may be once each alias is taken for all that it stands for, in characters. */
const mostMeant = 8 * 1024 * 1024;
/** What a value takes beside its characters. */
const perValue = 8;

/** What an anchor stands for. */
interface Anchored {
  readonly value: unknown;
  /** How long it is when all that it stands for is written out. */
  readonly length: number;
}

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
  if (broken.length > 0) return { value: undefined, lineOf: () => 1, problems: broken };
  const { value, problems } = meaningOf(yaml, document, lineAt);
  const offsetOf = placesIn(yaml, document.contents);
  return {
    value,
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

/** The value of a document, and everything in it that means something else than it seems to. */
interface YamlMeaning {
  readonly value: unknown;
  readonly problems: readonly LocatedProblem[];
}

/** Finds out what a document means. What several aliases stand for is one value, which nobody may change. */
function meaningOf(yaml: Yaml, document: Document.Parsed, lineAt: (offset: number) => number): YamlMeaning {
  const reader = new YamlReader(yaml, lineAt);
  const value = reader.read(document.contents);
  const warnings = document.warnings.map(({ pos, message }) => ({ line: lineAt(pos[0]), message }));
  return { value, problems: [...warnings, ...reader.problems] };
}

/** One way through a document. */
class YamlReader {
  readonly problems: LocatedProblem[] = [];
  readonly #yaml: Yaml;
  readonly #lineAt: (offset: number) => number;
  /** By name; the last one counts. Nothing as long as it is being read. */
  readonly #anchors = new Map<string, Anchored | undefined>();
  /** What has been read so far, written out. */
  #length = 0;

  constructor(yaml: Yaml, lineAt: (offset: number) => number) {
    this.#yaml = yaml;
    this.#lineAt = lineAt;
  }

  read(node: unknown): unknown {
    const { isAlias, isCollection, isPair, isScalar } = this.#yaml;
    if (isAlias(node)) return this.#standsFor(node, node.source);
    // In lists of types that are refused.
    if (isPair(node)) return this.read(node.value);
    if (!isScalar(node) && !isCollection(node)) return null;
    const { anchor } = node;
    const before = this.#length;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    this.#refuseForeign(node);
    const value = isScalar(node) ? this.#scalar(node) : this.#collection(node);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, length: this.#length - before });
    return value;
  }

  #standsFor(alias: Node, source: string): unknown {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined) {
      const why = this.#anchors.has(source)
        ? `*${source} stands inside of what it stands for`
        : `there is no &${source} before *${source}`;
      this.#report(alias, why);
      return null;
    }
    const isTooLong = this.#length > mostMeant;
    this.#length += anchored.length;
    if (this.#length <= mostMeant) return anchored.value;
    const most = `${mostMeant / 1024 / 1024} MiB`;
    if (!isTooLong)
      this.#report(
        alias,
        `with all that aliases such as *${source} stand for, the file has more than ${most}`,
      );
    return {};
  }

  #scalar(node: Scalar): unknown {
    const { type, value, source = "" } = node;
    this.#length += source.length + perValue;
    if (type !== "PLAIN") return value;
    if (typeof value === "number") {
      const fault = numberFault(source, value);
      if (fault !== undefined) this.#report(node, fault);
    }
    if (typeof value === "string" && /^(?:yes|no|on|off)$/i.test(value))
      this.#report(node, `${value} is text in YAML 1.2; write true or false, or put it in quotes`);
    if (source.endsWith(","))
      this.#report(
        node,
        `${source} is text with a comma at its end: take the comma away, or put it in quotes`,
      );
    return value;
  }

  #collection(node: Node): unknown {
    const { isMap, isSeq } = this.#yaml;
    this.#length += perValue;
    if (isMap(node)) return this.#object(node);
    return isSeq(node) ? node.items.map((item) => this.read(item)) : null;
  }

  #object(node: YAMLMap): unknown {
    const members = new Map<string, unknown>();
    const names = new Set<string>();
    for (const { key, value } of node.items) {
      if (this.#isMerge(key)) {
        this.#merge(members, key, this.read(value));
        continue;
      }
      const name = this.#name(key);
      const inside = this.read(value);
      if (name === undefined) continue;
      if (names.has(name)) this.#report(key, `${JSON.stringify(name)} is there twice`);
      names.add(name);
      members.set(name, inside);
    }
    return Object.fromEntries(members);
  }

  /** Written as `<<`, without quotes. */
  #isMerge(key: unknown): boolean {
    return this.#yaml.isScalar(key) && typeof key.value === "symbol";
  }

  /** Takes members from elsewhere that are not there yet. */
  #merge(members: Map<string, unknown>, key: unknown, value: unknown): void {
    for (const source of Array.isArray(value) ? value : [value]) {
      if (typeof source !== "object" || source === null || Array.isArray(source))
        this.#report(key, "<< takes an object, or a list of objects");
      else
        for (const [name, inside] of Object.entries(source))
          if (!members.has(name)) members.set(name, inside);
    }
  }

  /** The name of a member: what SDKs ask for is what stands there. */
  #name(key: unknown): string | undefined {
    const { isAlias, isMap, isScalar } = this.#yaml;
    if (!isScalar(key) && !isAlias(key)) {
      const what = isMap(key) ? "an object: was a template not filled in?" : "a list";
      this.#report(key, `a name must be text, not ${what}`);
      return undefined;
    }
    if (isScalar(key)) this.#length += (key.source ?? "").length + perValue;
    const value = isAlias(key) ? this.read(key) : this.#anchoredName(key);
    const name = String(value ?? "");
    const written = isScalar(key) && key.type === "PLAIN" ? (key.source ?? "") : name;
    if (name !== written && typeof value !== "string")
      this.#report(key, `the name ${written} would become ${JSON.stringify(name)}: put it into quotes`);
    return name;
  }

  #anchoredName({ anchor, value, source = "" }: Scalar): unknown {
    if (anchor !== undefined) this.#anchors.set(anchor, { value, length: source.length + perValue });
    return value;
  }

  #refuseForeign(node: Node): void {
    const name = /^tag:yaml\.org,2002:(omap|pairs|set|binary|timestamp)$/.exec(node.tag ?? "")?.[1];
    if (name !== undefined) this.#report(node, `!!${name} is nothing that flags are made of`);
  }

  #report(node: unknown, message: string): void {
    const at = this.#yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
    this.problems.push({ line: this.#lineAt(at), message });
  }
}
