import { type Pipeline, type Problem, pointer, type Range, type Severity } from "@wye/pipeline-spec";
import { boundedPointer } from "./bounded-problem.js";
import type { UncheckedPart } from "./validation-report.js";
import { type Held, valueAt } from "./value-at.js";

/** A part that could not be read. */
interface LostPart extends UncheckedPart {
  /** Its pointer from the root of the specification; for a field with an unknown name the object that it stands in. */
  readonly at: string;
  readonly range?: Range;
  /** How bad what is said of it is. */
  readonly severity: Severity;
  hidden: number;
}

/** A problem of form, and how bad the report says it is. */
export interface ReportedProblem {
  readonly problem: Problem;
  readonly severity: Severity;
}

const badness: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

/** The lost parts in their tree: a pointer that leads to none of them leaves it early. */
interface LostNode {
  value?: LostPart;
  stray?: LostPart;
  readonly below: Map<string, LostNode>;
}

/** More than these are not told apart; nobody reads on before the first are mended. */
const mostParts = 1000;

/**
 * The parts of a file that could not be read. A finding that misses something follows from that when what it misses may
 * stand in such a part; every other finding stands by itself.
 */
export class UncheckedParts {
  private readonly pipeline: Held | undefined;
  /** Parts whose value is lost, by pointer. */
  private readonly values = new Map<string, LostPart>();
  /** Objects with a field that nobody knows, by pointer: it may be any of those that are not set. */
  private readonly strays = new Map<string, LostPart>();
  private readonly tree: LostNode = { below: new Map() };
  private readonly limits: UncheckedPart[] = [];
  /** What patterns lead to: many findings may ask by the same one. */
  private readonly patterns = new Map<string, LostPart | undefined>();
  /** The right names of fields that were read although they are misspelt, by their pointers. */
  private readonly misspelt = new Map<string, string>();

  /** @param reported  what the reader of the file has found */
  constructor(
    reported: readonly ReportedProblem[],
    pipeline: (Held & Pick<Pipeline, "specPath">) | undefined,
  ) {
    this.pipeline = pipeline;
    for (const one of reported) this.addPart(one, pipeline?.specPath ?? "");
  }

  /** True when nothing at all could be checked. */
  get isEverything(): boolean {
    return this.values.has("");
  }

  /** Notes a setting that could not be read: those of the platform specification are read after everything else. */
  addSetting(part: Omit<LostPart, "hidden" | "at">, at: string): void {
    if (this.values.size + this.strays.size >= mostParts || this.values.has(at)) return;
    this.setValue({ ...part, at, hidden: 0 });
  }

  /** Notes a part that was read, and not looked at for its size: it hides nothing. */
  addLimit(part: Omit<UncheckedPart, "hidden">): void {
    if (this.limits.length < mostParts) this.limits.push({ ...part, hidden: 0 });
  }

  /**
   * True when one of these pointers may lead to something in a lost part of which nothing less bad is said; it is then counted there.
   * `*` is any name.
   */
  hides(sought: readonly string[], severity: Severity): boolean {
    if (this.values.size + this.strays.size === 0) return false;
    for (const one of sought) {
      const part = one.includes("*") ? this.matching(one) : this.above(one);
      // A file must not pass for a good one because what is said instead of an error is none.
      if (part === undefined || badness[part.severity] < badness[severity]) continue;
      part.hidden++;
      return true;
    }
    return false;
  }

  list(): readonly UncheckedPart[] {
    const all = [...this.values.values(), ...this.strays.values(), ...this.limits];
    return all.map(({ path, range, reason, hidden }) => {
      return { path: boundedPointer(path), ...(range === undefined ? {} : { range }), reason, hidden };
    });
  }

  private addPart({ problem, severity: asReported }: ReportedProblem, specPath: string): void {
    const { code, severity, path, hint, range } = problem;
    const part = {
      path,
      ...(range === undefined ? {} : { range }),
      reason: code,
      severity: asReported,
      hidden: 0,
    };
    const written = path.startsWith(specPath) ? path.slice(specPath.length) : path;
    const owner = written.slice(0, written.lastIndexOf("/"));
    const meant = code === "unknown-field" ? /^did you mean "(.+)"\?$/.exec(hint ?? "")?.[1] : undefined;
    if (severity === "warning" && meant !== undefined && this.pipeline !== undefined) {
      // The back end reads executors without what it does not know, and so does the reader.
      const lost = pointer(owner, meant);
      if (this.isUnset(lost)) this.addSetting(part, lost);
      return;
    }
    // What executors have besides is of no account to the back end; beside all executors it is what they should be in.
    if (severity !== "error" && !(code === "unknown-field" && owner === "/deploymentSpec")) return;
    const at = this.misspelt.get(written) ?? written;
    if (this.pipeline === undefined || code === "yaml-syntax") {
      if (this.values.size === 0) this.setValue({ ...part, path: "", at: "" });
      return;
    }
    // What is said of a whole document is not about the content of the specification.
    if (at === "" || this.values.size + this.strays.size >= mostParts) return;
    if (code !== "unknown-field") {
      if (code !== "duplicate-field") this.setValue({ ...part, at });
      return;
    }
    // The reader takes a misspelt field for what was meant, so that nothing is lost unless its value is.
    if (meant !== undefined && severity === "error") {
      this.misspelt.set(at, pointer(owner, meant));
      return;
    }
    if (this.strays.has(owner)) return;
    const stray = { ...part, at: owner };
    this.strays.set(owner, stray);
    this.nodeAt(owner).stray = stray;
  }

  private setValue(part: LostPart): void {
    this.values.set(part.at, part);
    this.nodeAt(part.at).value = part;
  }

  private nodeAt(at: string): LostNode {
    let node = this.tree;
    for (const name of at.split("/").slice(1)) {
      const next: LostNode = node.below.get(name) ?? { below: new Map() };
      node.below.set(name, next);
      node = next;
    }
    return node;
  }

  /** The lost part at or above a pointer. */
  private above(pointer: string): LostPart | undefined {
    let node: LostNode | undefined = this.tree;
    for (let end = 0; node !== undefined; ) {
      if (node.value !== undefined || end === pointer.length) return node.value;
      const slash = pointer.indexOf("/", end + 1);
      const next = slash === -1 ? pointer.length : slash;
      // An object with an unknown field that does not have the one that the pointer goes on with.
      if (node.stray !== undefined && this.isUnset(pointer.slice(0, next))) return node.stray;
      node = node.below.get(pointer.slice(end + 1, next));
      end = next;
    }
    return undefined;
  }

  private isUnset(at: string): boolean {
    const value = this.pipeline && valueAt(this.pipeline, at);
    if (value === undefined || value === "" || value === 0 || value === false) return true;
    return isEmpty(value);
  }

  /** A lost part that a pattern leads to, or past. */
  private matching(pattern: string): LostPart | undefined {
    if (!this.patterns.has(pattern))
      this.patterns.set(pattern, this.matchingBelow(this.tree, pattern.split("/"), 1));
    return this.patterns.get(pattern);
  }

  /** The same for the names from a depth on. Only the names under a `*` are all looked at, so that many parts elsewhere cost nothing. */
  private matchingBelow(node: LostNode, wanted: readonly string[], depth: number): LostPart | undefined {
    const name = wanted[depth];
    if (node.value !== undefined || name === undefined) return node.value;
    if (node.stray !== undefined && (name === "*" || this.isUnset(`${node.stray.at}/${name}`)))
      return node.stray;
    const below = name === "*" ? node.below.values() : [node.below.get(name)];
    for (const next of below) {
      const part = next && this.matchingBelow(next, wanted, depth + 1);
      if (part !== undefined) return part;
    }
    return undefined;
  }
}

/** True for an object with nothing in it, at any depth. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isEmpty);
}
