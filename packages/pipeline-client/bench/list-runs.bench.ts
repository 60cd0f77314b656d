import { bench, figures } from "../../../scripts/bench-harness.js";
import { createPipelineClient, type Run } from "../src/index.js";

// Lists of runs, each with a specification of 10 KB, as a server sends them: what is held while they are read, and what reading costs.

const spec = { pipelineInfo: { name: "p" }, root: { dag: { tasks: {} } }, padding: "x".repeat(10_000) };

/** The body of one page of a list, made when it is asked for. */
function pageOf(url: string, count: number): string {
  const query = new URL(url).searchParams;
  const from = Number(query.get("page_token") ?? 0);
  const to = Math.min(count, from + Number(query.get("page_size")));
  const runs = Array.from({ length: to - from }, (_, i) => ({
    run_id: `run-${from + i}`,
    display_name: `run ${from + i}`,
    state: "SUCCEEDED",
    created_at: "2026-11-21T09:00:00Z",
    pipeline_spec: spec,
    runtime_config: { parameters: { number: from + i } },
  }));
  return JSON.stringify({ runs, total_size: count, ...(to < count && { next_page_token: `${to}` }) });
}

const clientOf = (count: number) =>
  createPipelineClient({ host: "http://any", fetch: async (url) => new Response(pageOf(url, count)) });

/** The most that is held while a list is read, in bytes of the heap. */
async function heldWhileReading(count: number): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  let number = 0;
  for await (const _ of clientOf(count).runs.list({ pageSize: 100 })) {
    // In the middle of every page, and at its end.
    if (++number % 50 !== 0) continue;
    globalThis.gc?.();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  if (number !== count) throw new Error(`${number} runs instead of ${count}`);
  return most;
}

await heldWhileReading(1000);
figures(
  "memory held while a list of runs is read",
  { "10,000 runs": await heldWhileReading(10_000), "1,000 runs": await heldWhileReading(1000) },
  {
    unit: "bytes",
    baseline: "1,000 runs",
    note: "1.0: a list of any length takes the room of two pages, of 1 MB here",
  },
);

await bench(
  "reading 1,000 runs",
  {
    "the client": async () => {
      const all: Run[] = [];
      for await (const run of clientOf(1000).runs.list({ pageSize: 100 })) all.push(run);
    },
    "JSON.parse of the same pages": async () => {
      for (let from = 0; from < 1000; from += 100) {
        JSON.parse(pageOf(`http://any/?page_size=100&page_token=${from}`, 1000));
      }
    },
  },
  { rounds: 7 },
);
