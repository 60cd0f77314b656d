import { type Dispatcher, Pool } from "undici";
import { figures } from "../../../scripts/bench-harness.js";
import { type ServerProcess, startServer } from "./child.js";

/** What is asked the n-th time. */
export type Request = (index: number) => Dispatcher.RequestOptions;

/** A server that takes part in a comparison: one of this file by name, or started in another way. */
export interface Contender {
  readonly server: string | (() => Promise<ServerProcess>);
  readonly request: Request;
}

const runs = 3;
const rounds = 7;
const connections = 32;

/** CPU microseconds of the server for each request, best round, contenders in turns. */
export async function measureServers<Name extends string>(
  contenders: Record<Name, Contender>,
  perRound: number,
): Promise<Record<Name, number>> {
  const running = await Promise.all(
    Object.entries<Contender>(contenders).map(async ([name, { server, request }]) => {
      const child = await (typeof server === "string" ? startServer(server) : server());
      const pool = new Pool(`http://127.0.0.1:${child.port}`, { connections });
      return { name, child, pool, request, best: Number.POSITIVE_INFINITY };
    }),
  );
  for (let round = -1; round < rounds; round++) {
    for (const one of running) {
      const cpu = await cpuFor(one, perRound);
      // The first round warms up.
      if (round >= 0) one.best = Math.min(one.best, cpu);
    }
  }
  for (const { child, pool } of running) {
    await pool.destroy();
    await child.stop();
  }
  // Names went in as keys of the same record.
  return Object.fromEntries(running.map(({ name, best }) => [name, best])) as Record<Name, number>;
}

/** Publishes a comparison: the median of three runs, each with processes of its own, and what they spread over. */
export async function compareServers<Name extends string>(
  title: string,
  contenders: Record<Name, Contender>,
  { perRound, baseline }: { readonly perRound: number; readonly baseline: NoInfer<Name> },
): Promise<void> {
  const measured: Record<Name, number>[] = [];
  for (let run = 0; run < runs; run++) measured.push(await measureServers(contenders, perRound));
  const names = Object.keys(contenders) as Name[];
  const sorted = (name: Name) => measured.map((one) => one[name]).sort((a, b) => a - b);
  const medians = names.map((name) => [name, sorted(name)[runs >> 1] ?? Number.NaN] as const);
  const spread = names.map(
    (name) => `${name} ${sorted(name)[0]?.toFixed(1)}–${sorted(name).at(-1)?.toFixed(1)}`,
  );
  figures(title, Object.fromEntries(medians) as Record<Name, number>, {
    unit: "µs CPU",
    baseline,
    note: `Median of ${runs} runs; they spread over: ${spread.join(", ")}.`,
  });
}

/** Publishes what the first two thousand requests of a process take beside later ones, which Node itself has to learn as well. */
export async function compareEarlyRequests(title: string, relay: Contender, bare: Contender): Promise<void> {
  const ofRelay = await earlyAndLater(relay);
  const ofBare = await earlyAndLater(bare);
  figures(
    title,
    {
      "relay, the first 2,000": ofRelay.early,
      "relay, after 6,000": ofRelay.later,
      "bare node:http, the first 2,000": ofBare.early,
      "bare node:http, after 6,000": ofBare.later,
    },
    { unit: "µs CPU", baseline: "bare node:http, after 6,000", note: `Median of ${runs} processes.` },
  );
}

async function earlyAndLater({ server, request }: Contender) {
  const measured: { readonly early: number; readonly later: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const child = await (typeof server === "string" ? startServer(server) : server());
    const pool = new Pool(`http://127.0.0.1:${child.port}`, { connections });
    const early = await cpuFor({ child, pool, request }, 2000);
    await cpuFor({ child, pool, request }, 4000);
    measured.push({ early, later: await cpuFor({ child, pool, request }, 2000) });
    await pool.destroy();
    await child.stop();
  }
  const median = (of: "early" | "later") =>
    measured.map((one) => one[of]).sort((a, b) => a - b)[runs >> 1] ?? Number.NaN;
  return { early: median("early"), later: median("later") };
}

/** CPU microseconds for each of so many requests. */
async function cpuFor(
  { child, pool, request }: { readonly child: ServerProcess; readonly pool: Pool; readonly request: Request },
  count: number,
): Promise<number> {
  const before = await child.cpu();
  await load(pool, request, count);
  return ((await child.cpu()) - before) / count;
}

async function load(pool: Pool, request: Request, count: number): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) {
      const { body } = await pool.request(request(next++));
      await body.dump({ limit: 100_000_000 });
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
}
