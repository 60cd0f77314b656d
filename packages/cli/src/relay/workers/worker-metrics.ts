import type { Member } from "./crew.js";
import type { Answer } from "./messages.js";
import { sumMetrics } from "./sum-metrics.js";

/**
 * The metrics of all workers as those of one relay, whose counters only rise: a worker that does not answer counts with what it said
 * last, and what one that is gone has counted stays counted.
 */
export class WorkerMetrics {
  readonly #last = new Map<Member, string>();
  #gone = "";

  /** Takes what the workers that there are say now, and gives the sum. */
  sum(answers: ReadonlyMap<Member, Answer | undefined>): string {
    for (const [member, text] of this.#last) {
      if (answers.has(member)) continue;
      this.#last.delete(member);
      this.#gone = sumMetrics([this.#gone, withoutGauges(text)]);
    }
    for (const [member, answer] of answers) if (answer?.status === 200) this.#last.set(member, answer.body);
    return sumMetrics([...this.#last.values(), this.#gone]);
  }
}

/** What a worker that is gone holds is nothing any more. */
function withoutGauges(text: string): string {
  const gauges = new Set(Array.from(text.matchAll(/^# TYPE (\S+) gauge$/gm), ([, name = ""]) => name));
  const isGauge = (line: string) =>
    gauges.has((line.startsWith("#") ? line.split(" ")[2] : line.split(/[{ ]/, 1)[0]) ?? "");
  return text
    .split("\n")
    .filter((line) => !isGauge(line))
    .join("\n");
}
