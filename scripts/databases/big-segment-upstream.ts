import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A step of a big segment as upstream writes it. */
export interface UpstreamPatch {
  readonly environmentId: string;
  readonly segmentId: string;
  readonly version: string;
  readonly previousVersion: string;
  readonly changes: {
    readonly included?: { readonly add?: readonly string[]; readonly remove?: readonly string[] };
    readonly excluded?: { readonly add?: readonly string[]; readonly remove?: readonly string[] };
  };
}

/** The big-segment half of upstream: a history of patches, answered in pages and streamed. */
export interface BigSegmentUpstream {
  readonly url: string;
  /** All patches so far; what is added here is found by whoever asks. */
  readonly history: UpstreamPatch[];
  /** Sends anything on the open streams, without its becoming part of the history. */
  stream(data: unknown): void;
  /** Ends the open streams. */
  drop(): void;
  /** Answers the next requests with a status instead, and a page that never ends if it may have one. */
  fail(status: number, times: number): void;
  /** How many of these pages are still waited for. */
  readonly openFailures: number;
  /** Does not answer the next requests. */
  hang(times: number): void;
  /** The requests so far, with what they carried. */
  readonly requests: readonly string[];
  readonly streams: number;
  close(): Promise<void>;
}

/** Starts it; at most `pageSize` patches are given at a time. */
export async function startBigSegmentUpstream(pageSize = 3): Promise<BigSegmentUpstream> {
  const history: UpstreamPatch[] = [];
  const requests: string[] = [];
  const open = new Set<ServerResponse>();
  let failures = 0;
  let failure = 500;
  let hanging = 0;
  const pages = new Set<ServerResponse>();

  const server = createServer((req, res) => {
    requests.push(`${req.url} ${req.headers.authorization}`);
    if (failures > 0) {
      failures--;
      pages.add(res);
      res.on("close", () => pages.delete(res));
      res.writeHead(failure);
      if (failure === 204) res.end();
      else res.write("an error page");
      return;
    }
    if (hanging > 0) {
      hanging--;
      return;
    }
    const url = new URL(req.url ?? "/", "http://upstream");
    if (url.pathname === "/big-segments") {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write(":\n\n");
      open.add(res);
      res.on("close", () => open.delete(res));
      return;
    }
    const after = url.searchParams.get("after") ?? "";
    const start = after === "" ? 0 : history.findIndex(({ version }) => version === after) + 1;
    res.end(JSON.stringify(history.slice(start, start + pageSize)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const drop = () => {
    for (const res of open) res.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    history,
    stream(data) {
      for (const res of open) res.write(`event: patch\ndata: ${JSON.stringify(data)}\n\n`);
    },
    drop,
    fail(status, times) {
      failure = status;
      failures = times;
    },
    get openFailures() {
      return pages.size;
    },
    hang(times) {
      hanging = times;
    },
    requests,
    get streams() {
      return open.size;
    },
    async close() {
      drop();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
