import { appendFileSync } from "node:fs";

/** What one measurement says of one contender. Times are of one iteration, in milliseconds. */
export interface BenchRow {
  readonly title: string;
  /** The contender. */
  readonly name: string;
  readonly baseline: boolean;
  /** Time on the processor, of all threads of the process. */
  readonly cpu?: { readonly best: number; readonly median: number };
  readonly wall?: { readonly best: number; readonly median: number };
  /** To the baseline, round by round: the median and the quartiles. */
  readonly ratio?: { readonly median: number; readonly low: number; readonly high: number };
  /** A figure that is not a time, and its unit. */
  readonly value?: number;
  readonly unit?: string;
  readonly note?: string;
}

/** Settings of one side-by-side measurement. */
export interface BenchOptions<Name extends string> {
  /** The contender to which the others are put in relation; the last one by default. */
  readonly baseline?: Name;
  /** How often the contenders take turns; 15 by default. */
  readonly rounds?: number;
  /** How long one turn lasts at least: enough iterations are run to fill it; 40 by default. */
  readonly turnMs?: number;
  /** A sentence that the reader of the table needs. */
  readonly note?: string;
}

type Contender = () => unknown;

interface Turn {
  readonly cpu: number;
  readonly wall: number;
}

/**
 * Measures contenders for the same work in turns, A B C, B C A, …, so that a machine that slows down slows down all of
 * them, and puts each in relation to the baseline round by round. Waits for contenders that return a promise.
 */
export async function bench<Name extends string>(
  title: string,
  contenders: Readonly<Record<Name, Contender>>,
  { baseline, rounds = 15, turnMs = 40, note }: BenchOptions<NoInfer<Name>> = {},
): Promise<void> {
  const entries = Object.entries<Contender>(contenders);
  const reference = baseline ?? entries.at(-1)?.[0];
  const turns = new Map<string, Turn[]>(entries.map(([name]) => [name, []]));
  const iterations = new Map<string, number>();
  for (const [name, run] of entries) iterations.set(name, await iterationsFor(run, turnMs));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < entries.length; i++) {
      const [name, run] = entries[(round + i) % entries.length]!;
      turns.get(name)!.push(await takeTurn(run, iterations.get(name)!));
    }
  }
  const base = turns.get(reference ?? "") ?? [];
  publish(
    entries.map(([name]) => {
      const own = turns.get(name)!;
      return {
        title,
        name,
        cpu: summary(own.map(({ cpu }) => cpu)),
        wall: summary(own.map(({ wall }) => wall)),
        ratio: quartiles(own.map(({ cpu }, i) => cpu / base[i]!.cpu)),
        baseline: name === reference,
        ...(note === undefined ? {} : { note }),
      };
    }),
  );
}

/** Puts figures that were measured in another way (bytes, requests per CPU-second, a share) into the same table. */
export function figures<Name extends string>(
  title: string,
  values: Readonly<Record<Name, number>>,
  { unit = "", baseline, note }: { unit?: string; baseline?: NoInfer<Name>; note?: string } = {},
): void {
  const base = baseline === undefined ? undefined : values[baseline];
  publish(
    Object.entries<number>(values).map(([name, value]) => {
      const ratio = base === undefined ? undefined : value / base;
      return {
        title,
        name,
        value,
        unit,
        baseline: name === baseline,
        ...(ratio === undefined ? {} : { ratio: { median: ratio, low: ratio, high: ratio } }),
        ...(note === undefined ? {} : { note }),
      };
    }),
  );
}

/** Warms the contender up while finding how many iterations fill a turn. */
async function iterationsFor(run: Contender, turnMs: number): Promise<number> {
  for (let iterations = 1; ; ) {
    const { wall } = await takeTurn(run, iterations);
    const spent = wall * iterations;
    if (spent >= turnMs / 2) return Math.max(1, Math.round((iterations * turnMs) / spent));
    iterations *= spent < turnMs / 20 ? 10 : 2;
  }
}

async function takeTurn(run: Contender, iterations: number): Promise<Turn> {
  // A call without a type also throws away what the engine has learnt: what comes after it takes twice as long for a second.
  globalThis.gc?.({ type: "major" });
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  for (let i = 0; i < iterations; i++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  const wall = performance.now() - wallBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (user + system) / 1000 / iterations, wall: wall / iterations };
}

/** Hands the rows to `scripts/bench.mjs`, which makes the tables; a file that was started by itself prints them raw. */
function publish(rows: readonly BenchRow[]): void {
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  const file = process.env.WYE_BENCH_FILE;
  if (file === undefined) console.log(lines);
  else appendFileSync(file, `${lines}\n`);
}

const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);
const at = (numbers: readonly number[], share: number): number =>
  numbers[Math.floor((numbers.length - 1) * share)] ?? 0;

function summary(numbers: readonly number[]): { best: number; median: number } {
  const ordered = sorted(numbers);
  return { best: at(ordered, 0), median: at(ordered, 0.5) };
}

function quartiles(numbers: readonly number[]): { median: number; low: number; high: number } {
  const ordered = sorted(numbers);
  return { median: at(ordered, 0.5), low: at(ordered, 0.25), high: at(ordered, 0.75) };
}
