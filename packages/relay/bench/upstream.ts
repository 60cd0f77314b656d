import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A stand-in for the service. */
export interface Upstream {
  readonly url: string;
  close(): void;
}

/** Streams one put of these flags and segments, and takes events. */
export async function startUpstream(data: object): Promise<Upstream> {
  const put = `event: put\ndata: ${JSON.stringify({ path: "/", data })}\n\n`;
  const server = createServer((req, res) => {
    if (req.method !== "GET") req.resume().on("end", () => res.writeHead(202).end());
    else res.writeHead(200, { "Content-Type": "text/event-stream" }).write(put);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
