import type { ServerResponse } from "node:http";

/** A flag or segment as upstream has it: any object with a version. */
export type FakeItem = Readonly<Record<string, unknown>>;

/** All data of an environment. */
export interface FakeData {
  readonly flags?: Readonly<Record<string, FakeItem>>;
  readonly segments?: Readonly<Record<string, FakeItem>>;
}

/** What a stream request gets: the data, an open stream without any, or a status. */
export type StreamAnswer = "data" | "silent" | number;

/** One environment of the stand-in. */
export interface FakeEnvironment {
  /** What a new stream starts with; open streams do not hear of it. */
  setData(data: FakeData): void;
  /** Changes what a stream request gets; open streams stay as they are. */
  answer(answer: StreamAnswer): void;
  /** Sends a full set to open streams and to all that come. */
  put(data: FakeData): void;
  /** Sends one item to open streams. */
  patch(kind: "flags" | "segments", item: FakeItem & { readonly key: string }): void;
  /** Sends a deletion to open streams. */
  delete(kind: "flags" | "segments", key: string, version: number): void;
  /** Sends any event to open streams. */
  send(event: string, data: unknown): void;
  /** Writes anything to open streams: garbage, comments, half an event. */
  write(data: string | Uint8Array): void;
  /** Writes text in pieces of `size` bytes, each in a turn of its own. */
  trickle(text: string, size: number): Promise<void>;
  /** Ends open streams as a server that goes away: in the middle of whatever it was sending. */
  drop(): void;
  /** Ends open streams in an orderly way. */
  end(): void;
  /** How many streams are open. */
  readonly connections: number;
  /** Waits until at least this many streams were opened since the beginning. */
  opened(count?: number): Promise<void>;
  /** Serves one stream request. */
  handle(res: ServerResponse): void;
}

/** Creates an environment without data that answers streams with what it has. */
export function createFakeEnvironment(): FakeEnvironment {
  let data: FakeData = {};
  let answer: StreamAnswer = "data";
  let openedCount = 0;
  const streams = new Set<ServerResponse>();
  const waiting = new Set<() => void>();

  function write(data: string | Uint8Array): void {
    for (const stream of streams) stream.write(data);
  }
  function send(event: string, body: unknown): void {
    write(frame(event, body));
  }
  return {
    setData(next) {
      data = next;
    },
    answer(next) {
      answer = next;
    },
    put(next) {
      data = next;
      send("put", putOf(next));
    },
    patch: (kind, item) => send("patch", { path: `/${kind}/${item.key}`, data: item }),
    delete: (kind, key, version) => send("delete", { path: `/${kind}/${key}`, version }),
    send,
    write,
    async trickle(text, size) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += size) {
        write(bytes.subarray(at, at + size));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    drop() {
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    end() {
      for (const stream of streams) stream.end();
      streams.clear();
    },
    get connections() {
      return streams.size;
    },
    async opened(count = 1) {
      while (openedCount < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    handle(res) {
      if (typeof answer === "number") {
        res.writeHead(answer).end();
      } else {
        res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
        res.write(answer === "silent" ? ":\n" : frame("put", putOf(data)));
        streams.add(res);
        res.on("close", () => streams.delete(res));
      }
      openedCount++;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}

function putOf({ flags = {}, segments = {} }: FakeData): unknown {
  return { path: "/", data: { flags, segments } };
}

function frame(event: string, body: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
}
