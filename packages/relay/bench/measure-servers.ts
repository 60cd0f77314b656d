import { type Dispatcher, Pool } from "undici";
import { startServer } from "./child.js";

/** What is asked the n-th time. */
export type Request = (index: number) => Dispatcher.RequestOptions;

const rounds = 7;
const connections = 32;

/** CPU microseconds of the server for each request, best round, contenders in turns. */
export async function measureServers<Name extends string>(
  contenders: Record<Name, { server: string; request: Request }>,
  perRound: number,
): Promise<Record<Name, number>> {
  const running = await Promise.all(
    Object.entries<{ server: string; request: Request }>(contenders).map(
      async ([name, { server, request }]) => {
        const child = await startServer(server);
        const pool = new Pool(`http://127.0.0.1:${child.port}`, { connections });
        return { name, child, pool, request, best: Number.POSITIVE_INFINITY };
      },
    ),
  );
  for (let round = -1; round < rounds; round++) {
    for (const one of running) {
      const before = await one.child.cpu();
      await load(one.pool, one.request, perRound);
      const cpu = ((await one.child.cpu()) - before) / perRound;
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
