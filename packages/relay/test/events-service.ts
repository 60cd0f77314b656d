import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** A post that was taken. */
interface Taken {
  readonly path: string;
  readonly key: string | undefined;
  readonly events: readonly { readonly kind?: string; readonly metricValue?: number }[];
}

/** An events service, gone when the test is done, that answers each key as it is told, and notes what it takes with 202. */
export async function startEventsService(
  statusFor: (key: string | undefined) => number,
): Promise<{ readonly taken: Taken[]; readonly url: string }> {
  const taken: Taken[] = [];
  const service = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { authorization: key } = req.headers;
    const status = statusFor(key);
    const path = req.url ?? "";
    if (status === 202)
      taken.push({ path, key, events: JSON.parse(String(gunzipSync(Buffer.concat(chunks)))) });
    res.writeHead(status).end();
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  return { taken, url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
}
