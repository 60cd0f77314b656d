import { DocumentProblems } from "./document-problems.js";
import { readBlock } from "./read-block.js";
import type { YamlLimits } from "./yaml-limits.js";
import { YamlScan } from "./yaml-scan.js";

/** So many entries of a map are kept as they are read. */
const kept = 200;

/**
 * Maps and lists behind the first entries of a large map. They are read from the text again when they are asked for: of a file of 50,000
 * tasks the values would weigh more than the messages that are made of them, and be held beside these.
 */
export class LaterEntries {
  private readonly text: string;
  private readonly limits: YamlLimits;
  private scan: YamlScan | undefined;

  constructor(text: string, limits: YamlLimits) {
    this.text = text;
    this.limits = limits;
  }

  /** True when the entry number `count` of a map need not be kept. */
  takes(count: number, value: unknown): boolean {
    return count > kept && typeof value === "object" && value !== null;
  }

  /** Adds an entry to a map whose value stands at `start`. */
  add(map: { [key: string]: unknown }, key: string, start: number): void {
    Object.defineProperty(map, key, { get: () => this.read(start), enumerable: true, configurable: true });
  }

  private read(start: number): unknown {
    // What is wrong with it was told the first time.
    this.scan ??= new YamlScan(this.text, this.limits, new DocumentProblems("", 0), undefined, 0);
    this.scan.startAgain(start);
    return readBlock(this.scan, -1, -1, -1);
  }
}
