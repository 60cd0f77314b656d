import { type ExitCode, type Host, run } from "../src/index.js";

/** Vehicles that are served by this process. */
export interface ServedVehicles {
  readonly base: string;
  /** Everything that was printed so far. */
  readonly printed: () => string;
  /** As SIGTERM; resolves with how it has ended. */
  end(): Promise<ExitCode>;
}

/** Starts `wye vehicles serve` on a free port, and waits until it listens. */
export async function serveVehicles(
  args: readonly string[],
  host: Pick<Host, "cwd" | "env">,
): Promise<ServedVehicles> {
  const ending = new AbortController();
  let printed = "";
  let listening = (_port: string) => {};
  const port = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const write = (text: string) => {
    printed += text;
    const [, found] = / on port (\d+)|"port":(\d+)/.exec(printed)?.filter(Boolean) ?? [];
    if (found !== undefined) listening(found);
  };
  const ended: Promise<ExitCode> = run(["vehicles", "serve", ...args, "--port", "0", "--host", "127.0.0.1"], {
    ...host,
    out: { write },
    err: { write },
    readInput: async () => new Uint8Array(),
    interrupted: ending.signal,
  });
  const base = await Promise.race([
    port.then((found) => `http://127.0.0.1:${found}`),
    ended.then((code) => {
      throw new Error(`ended with ${code}: ${printed}`);
    }),
  ]);
  return {
    base,
    printed: () => printed,
    end() {
      ending.abort();
      return ended;
    },
  };
}
