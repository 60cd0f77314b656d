import type { Problem, Severity } from "./problem.js";

/** How many problems there are of each severity. */
export type ProblemCounts = Readonly<Record<Severity, number>>;

const order: readonly Severity[] = ["error", "warning", "info"];

/**
 * Takes any number of problems, counts them all, and keeps as many as are to be listed: errors before warnings, warnings
 * before remarks. Memory and the work for a problem that is not listed are bounded by the limit.
 */
export class ProblemList<P extends Problem = Problem> {
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  private readonly kept: Readonly<Record<Severity, P[]>> = { error: [], warning: [], info: [] };
  private readonly most: number;

  constructor(most: number) {
    if (!(most >= 0)) throw new TypeError("ProblemList takes a limit");
    this.most = most;
  }

  /** Counts a problem, and makes it if it may be listed. */
  add(severity: Severity, make: () => P): void {
    if (!this.isFull(severity)) this.kept[severity].push(make());
    this.counts[severity]++;
  }

  /** Counts problems that somebody else has left out. */
  addUnlisted(counts: ProblemCounts): void {
    for (const severity of order) this.counts[severity] += counts[severity];
  }

  /** True when so many problems of this or a worse severity are kept that no other of it is listed. */
  isFull(severity: Severity): boolean {
    let before = 0;
    for (const one of order) {
      before += this.kept[one].length;
      if (one === severity) break;
    }
    return before >= this.most;
  }

  /** The problems that are listed, worst first. */
  listed(): P[] {
    return order.flatMap((severity) => this.kept[severity]).slice(0, this.most);
  }

  /** How many problems are not listed. */
  unlisted(): ProblemCounts {
    const left = { ...this.counts };
    for (const { severity } of this.listed()) left[severity]--;
    return left;
  }

  /** A remark on those that are not listed, when there are any. */
  remark(): Problem | undefined {
    const counts = this.unlisted();
    const parts = order.flatMap((severity) => {
      const count = counts[severity];
      const name = severity === "info" ? "remark" : severity;
      return count === 0 ? [] : [`${count} more ${name}${count === 1 ? "" : "s"}`];
    });
    if (parts.length === 0) return undefined;
    const message = `not listed: ${parts.join(", ")}`;
    return { code: "too-many-problems", severity: "info", path: "", message };
  }
}
