import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/** A key-value store that speaks as much of Consul's HTTP interface as the store of flags uses, with its limits. */
export interface ConsulStandIn {
  readonly address: string;
  /** The requests so far: method, path and token. */
  readonly requests: readonly string[];
  /** Who they came from: their `Authorization`. */
  readonly logins: readonly (string | undefined)[];
  /** Whether it has lost those who lead, as an agent that is cut off from them. */
  isLost: boolean;
  close(): Promise<void>;
}

interface Entry {
  readonly value: string;
  readonly index: number;
}

interface Step {
  readonly KV: {
    readonly Verb: string;
    readonly Key: string;
    readonly Value?: string;
    readonly Index?: number;
  };
}

const maxSteps = 64;
const maxBytes = 512 * 1024;

/** The tokens with fewer rights than others. */
export const standInTokens = { readOnlyToken: "reader", narrowToken: "narrow" } as const;

/** Starts it on loopback. */
export async function startConsulStandIn(): Promise<ConsulStandIn> {
  const entries = new Map<string, Entry>();
  const requests: string[] = [];
  const logins: (string | undefined)[] = [];
  let index = 10;

  const raw = (key: string, { value, index: modified }: Entry) => ({
    Key: key,
    Value: value === "" ? null : Buffer.from(value).toString("base64"),
    CreateIndex: modified,
    ModifyIndex: modified,
    LockIndex: 0,
    Flags: 0,
  });

  function transaction(steps: readonly Step[]): { status: number; body: unknown } {
    const before = new Map(entries);
    const results: unknown[] = [];
    const errors: unknown[] = [];
    index++;
    for (const [place, { KV: step }] of steps.entries()) {
      const kept = entries.get(step.Key);
      const fail = (What: string) => errors.push({ OpIndex: place, What });
      if (step.Verb === "get") {
        if (kept === undefined) fail(`key "${step.Key}" doesn't exist`);
        else results.push({ KV: raw(step.Key, kept) });
      } else if (step.Verb === "delete") {
        entries.delete(step.Key);
      } else if (step.Verb === "cas" && (kept?.index ?? 0) !== step.Index) {
        fail(`failed to set key "${step.Key}", index is stale`);
      } else {
        const entry = { value: Buffer.from(step.Value ?? "", "base64").toString(), index };
        entries.set(step.Key, entry);
        results.push({ KV: { ...raw(step.Key, entry), Value: null } });
      }
    }
    if (errors.length === 0) return { status: 200, body: { Results: results, Errors: null } };
    entries.clear();
    for (const [key, entry] of before) entries.set(key, entry);
    return { status: 409, body: { Results: null, Errors: errors } };
  }

  function read(url: URL, isHidden: (key: string) => boolean): { status: number; body: unknown } {
    const prefix = decodeURIComponent(url.pathname.slice("/v1/kv/".length));
    const found = [...entries]
      .filter(([key]) => key.startsWith(prefix) && !isHidden(key))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (found.length === 0) return { status: 404, body: undefined };
    if (url.searchParams.has("keys")) {
      const separator = url.searchParams.get("separator");
      const nameOf = (key: string) => {
        const end = separator === null ? -1 : key.indexOf(separator, prefix.length);
        return end < 0 ? key : key.slice(0, end + 1);
      };
      return { status: 200, body: [...new Set(found.map(([key]) => nameOf(key)))] };
    }
    return { status: 200, body: found.map(([key, entry]) => raw(key, entry)) };
  }

  async function answer(
    req: IncomingMessage,
  ): Promise<{ status: number; body: unknown; isFiltered?: boolean }> {
    const url = new URL(req.url ?? "/", "http://consul");
    const text = Buffer.concat(await req.toArray()).toString();
    logins.push(req.headers.authorization);
    requests.push(`${req.method} ${req.url} ${req.headers["x-consul-token"] ?? "-"}`);
    const token = req.headers["x-consul-token"];
    if (standIn.isLost) return { status: 500, body: "No cluster leader" };
    if (token === "wrong") return { status: 403, body: "ACL not found" };
    // Consul leads paths to what Go's library makes of them.
    if (/\/\/|\/\.{1,2}(\/|$)/.test(url.pathname)) return { status: 301, body: "Moved Permanently" };
    if (req.method === "GET") {
      const isHidden = (key: string) =>
        token === standInTokens.narrowToken && key.startsWith("narrow/segments/");
      return { ...read(url, isHidden), isFiltered: [...entries.keys()].some(isHidden) };
    }
    if (req.method === "DELETE") {
      const folder = decodeURIComponent(url.pathname.slice("/v1/kv/".length));
      for (const key of [...entries.keys()]) if (key.startsWith(folder)) entries.delete(key);
      return { status: 200, body: true };
    }
    if (url.pathname !== "/v1/txn") {
      entries.set(decodeURIComponent(url.pathname.slice("/v1/kv/".length)), { value: text, index: ++index });
      return { status: 200, body: true };
    }
    if (text.length > maxBytes) return { status: 413, body: "Request body too large" };
    const steps: readonly Step[] = JSON.parse(text);
    if (steps.length > maxSteps)
      return { status: 413, body: `Transaction contains too many operations (${steps.length} > 64)` };
    const writes = steps.filter(({ KV }) => KV.Verb !== "get");
    if (token === standInTokens.readOnlyToken && writes.length > 0) {
      const Errors = writes.map(({ KV }, OpIndex) => ({
        OpIndex,
        What: `Permission denied: token lacks permission 'key:write' on "${KV.Key}"`,
      }));
      return { status: 409, body: { Results: null, Errors } };
    }
    return transaction(steps);
  }

  const server = createServer((req, res) => {
    answer(req).then(
      ({ status, body, isFiltered }) => {
        if (isFiltered) res.setHeader("X-Consul-Results-Filtered-By-ACLs", "true");
        res.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
      },
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  // A client that was busy elsewhere for seconds must not find its connection closed just when it writes again.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const standIn: ConsulStandIn = {
    address: `http://127.0.0.1:${address.port}`,
    requests,
    logins,
    isLost: false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return standIn;
}
