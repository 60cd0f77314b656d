import type { ServerResponse } from "node:http";

/** What a stream request gets: what the stream begins with, an open stream without it, or a status. */
export type StreamAnswer = "data" | "silent" | number;

/** An event stream of the stand-in. */
export interface FakeStream {
  /** Changes what a stream request gets; open streams stay as they are. */
  answer(answer: StreamAnswer): void;
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

/** Creates a stream that begins with the event that `first` gives, if it gives one. */
export function createFakeStream(
  first: () => readonly [event: string, data: unknown] | undefined,
): FakeStream {
  let answer: StreamAnswer = "data";
  let openedCount = 0;
  const streams = new Set<ServerResponse>();
  const waiting = new Set<() => void>();

  function write(data: string | Uint8Array): void {
    for (const stream of streams) stream.write(data);
  }
  return {
    answer(next) {
      answer = next;
    },
    send: (event, data) => write(frame(event, data)),
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
        const event = answer === "silent" ? undefined : first();
        res.write(event === undefined ? ":\n" : frame(...event));
        streams.add(res);
        res.on("close", () => streams.delete(res));
      }
      openedCount++;
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}

function frame(event: string, body: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(body)}\n\n`;
}
