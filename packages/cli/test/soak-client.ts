import { type ClientRequest, get } from "node:http";

/** A client of `/all` that only keeps what it is told, and connects again whenever it is cut off. */
export interface SoakClient {
  /** The flags with their versions, as JSON, in the order of their keys. */
  flags(): string;
  close(): void;
}

export function createSoakClient(base: string, sdkKey: string): SoakClient {
  let versions = new Map<string, number>();
  let request: ClientRequest | undefined;
  let isClosed = false;
  let pause: NodeJS.Timeout | undefined;

  function take(name: string, text: string): void {
    const { path, data, version } = JSON.parse(text);
    if (name === "put") versions = versionsOf(data.flags);
    else if (path.startsWith("/flags/")) {
      const key = path.slice("/flags/".length);
      if (name === "delete") versions.delete(key);
      else versions.set(key, data?.version ?? version);
    }
  }

  function connect(): void {
    let rest = "";
    const again = () => {
      clearTimeout(pause);
      if (!isClosed) pause = setTimeout(connect, 200);
    };
    request = get(`${base}/all`, { agent: false, headers: { authorization: sdkKey } }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        if (answer.statusCode !== 200) return;
        const events = (rest + chunk.toString("latin1")).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          const [, name = "", text = ""] = /^event: ?(\w+)\ndata: ?(.*)$/m.exec(event) ?? [];
          if (name !== "") take(name, text);
        }
      });
      answer.on("close", again);
    });
    request.on("error", again);
  }

  connect();
  return {
    flags: () => printVersions(versions),
    close() {
      isClosed = true;
      clearTimeout(pause);
      request?.destroy();
    },
  };
}

function versionsOf(flags: Readonly<Record<string, { readonly version: number }>>): Map<string, number> {
  return new Map(Object.entries(flags).map(([key, { version }]) => [key, version]));
}

/** Versions by key, in one order. */
export function printVersions(versions: ReadonlyMap<string, number>): string {
  return JSON.stringify([...versions].sort(([a], [b]) => (a < b ? -1 : 1)));
}
