import { LineTable, type Pipeline, type Range } from "@wye/pipeline-spec";
import { NameHints } from "./name-hint.js";
import type { Finding, Place } from "./rule.js";
import { ScalarOffsets } from "./scalar-offsets.js";
import type { RelatedPlace, ValidationProblem } from "./validation-report.js";
import { valueAt } from "./value-at.js";

/** What is needed to find a place in a file. */
export type PlacedPipeline = Pick<Pipeline, "spec" | "deployment" | "specPath" | "platformPath"> & {
  /** Finds nothing when the pipeline did not come from a text. */
  readonly locate: (path: string, part: "key" | "value") => Range | undefined;
};

interface Placed {
  readonly path: string;
  readonly range?: Range;
}

/** Turns the places of findings into pointers and ranges of the file. */
export class Places {
  private readonly pipeline: PlacedPipeline;
  private readonly text: string;
  private readonly lines: LineTable;
  private readonly hints = new NameHints();
  /** The text that was last looked into: findings about one come in a row. */
  private last: { readonly at: string; readonly offsets: ScalarOffsets } | undefined;

  constructor(pipeline: PlacedPipeline, text: string) {
    this.pipeline = pipeline;
    this.text = text;
    this.lines = new LineTable(text);
  }

  /** The problem that a finding is, but for its code and severity. */
  problem({
    message,
    hint,
    related,
    sought: _,
    ...place
  }: Finding): Omit<ValidationProblem, "code" | "severity"> {
    const places = related?.map((one): RelatedPlace => ({ message: one.message, ...this.place(one) }));
    const help = typeof hint === "object" ? this.hints.textOf(hint) : hint;
    return {
      ...this.place(place),
      message,
      ...(help === undefined ? {} : { hint: help }),
      ...(places === undefined || places.length === 0 ? {} : { related: places }),
    };
  }

  /** The pointer of a place in its document, and where that is in the text. */
  place({ at, part = "value", span }: Place): Placed {
    const { locate } = this.pipeline;
    const path = `${this.base(at)}${at}`;
    const range = locate(path, part);
    if (range === undefined) return { path };
    // What is said of the whole specification is said at its beginning.
    if (at === "") return { path, range: { start: range.start, end: range.start } };
    return { path, range: span === undefined ? range : this.inside(range, at, span) };
  }

  /** The pointer of what a pointer goes out from: the platform specification, the specification, or what is around it. */
  private base(at: string): string {
    const { specPath, platformPath } = this.pipeline;
    if (at.startsWith("/platforms")) return platformPath;
    // The specification of a job or run is one of its fields, and its configuration another one.
    return /^\/runtime(?:C|_c)onfig(?:\/|$)/.test(at) ? "" : specPath;
  }

  private inside(range: Range, at: string, span: NonNullable<Place["span"]>): Range {
    const start = range.start.offset;
    if (this.last?.at !== at) {
      const decoded = valueAt(this.pipeline, at);
      if (typeof decoded !== "string") return range;
      this.last = { at, offsets: new ScalarOffsets(this.text.slice(start, range.end.offset), decoded) };
    }
    const found = this.last.offsets.spanOf(span);
    return found === undefined ? range : this.lines.range([start + found.start, start + found.end]);
  }
}
