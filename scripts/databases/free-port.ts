import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give to whoever connects or asks for any, so that it stays free while a server is away, and 10,000 more is a port as well. */
const [lowest, above] = [12_000, 22_000];

/** A port that was free a moment ago, and that nobody takes who does not ask for it by its number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (above - lowest));
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") continue;
      throw error;
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
