import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as it came. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Scripted {
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: readonly Received[];
  close(): Promise<void>;
}

type Handler = (request: Received, response: http.ServerResponse, index: number) => void;

/** A server that does what a test says, however wrong. */
export async function scriptedServer(handler: Handler): Promise<Scripted> {
  const requests: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // Whoever asked is gone.
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://any");
    const received: Received = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    requests.push(received);
    handler(received, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with JSON. */
export function answer(
  response: http.ServerResponse,
  body: unknown,
  status = 200,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** The same for one test: it is closed when that is done. */
export async function serverOf(handler: Handler): Promise<Scripted> {
  const server = await scriptedServer(handler);
  onTestFinished(server.close);
  return server;
}
