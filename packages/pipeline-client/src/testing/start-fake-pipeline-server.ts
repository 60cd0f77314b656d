import { createServer } from "node:http";
import {
  createFakePipelineServer,
  type FakePipelineServer,
  type FakePipelineServerOptions,
} from "./fake-pipeline-server.js";

/** A fake server that listens. */
export interface ListeningFakePipelineServer extends FakePipelineServer {
  /** Where it is: `host` of a client. */
  readonly url: string;
  /** Ends it, with all connections. */
  close(): Promise<void>;
}

/** Starts a fake server on this machine, at a free port if none is given. */
export async function startFakePipelineServer(
  options: FakePipelineServerOptions & { readonly port?: number | undefined } = {},
): Promise<ListeningFakePipelineServer> {
  const { port = 0, ...rest } = options ?? {};
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError("`port` is a whole number up to 65535");
  const fake = createFakePipelineServer(rest);
  const server = createServer(fake.handler);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const listening = typeof address === "object" ? address?.port : undefined;
  return {
    ...fake,
    url: `http://127.0.0.1:${listening}${rest.prefix ?? ""}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
