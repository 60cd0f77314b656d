import { createPipelineClient, type PipelineClient, type PipelineClientOptions } from "../src/index.js";
import { SkippingClock } from "./skipping-clock.js";

/** One of everything, whatever is asked for. */
export const everything: Readonly<Record<string, string>> = {
  ...{ pipeline_id: "p", pipeline_version_id: "v", experiment_id: "e", run_id: "r", recurring_run_id: "rr" },
  ...{ name: "n", display_name: "n" },
};

/** What was sent for a call, answered with these in turn, and with one of everything after that. */
export async function sentFor(
  call: (client: PipelineClient) => unknown,
  options: Partial<PipelineClientOptions> = {},
  ...answers: readonly unknown[]
): Promise<readonly (readonly [request: string, body?: unknown])[]> {
  const sent: (readonly [request: string, body?: unknown])[] = [];
  const left = [...answers];
  const client = createPipelineClient({
    host: "http://kfp.example",
    clock: new SkippingClock(),
    fetch: async (url, { method, body }) => {
      const request = `${method} ${decodeURIComponent(url.replace("http://kfp.example", ""))}`;
      sent.push(typeof body === "string" ? [request, JSON.parse(body)] : [request]);
      return Response.json(left.length > 0 ? left.shift() : everything);
    },
    ...options,
  });
  await call(client);
  return sent;
}

/** The first of a list; undefined of an empty one. */
export async function first(items: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of items) return item;
  return undefined;
}
