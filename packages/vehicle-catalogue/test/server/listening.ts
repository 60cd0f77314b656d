import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo, Server } from "node:net";
import {
  catalogueFromOpenEvData,
  createVehicleRouter,
  type KeyEntry,
  type MemoryCatalogue,
  type VehicleRouter,
  type VehicleRouterOptions,
} from "../../src/server/index.js";

export const fullKey = "full-key-1";
export const restrictedKey = "restricted-key-1";
export const keys: readonly KeyEntry[] = [
  { key: fullKey, groups: ["ReadVehicles", "ReadVehiclesFull"] },
  { key: restrictedKey, groups: ["ReadVehicles"] },
  { key: "other-groups", groups: ["ReadVehiclesFull"] },
  { key: "no-groups", groups: [] },
];

/** The parsed data file; a fresh copy, so that a test may change it. */
export function openEvDataFile(): { data: Record<string, unknown>[]; brands: Record<string, unknown>[] } {
  return JSON.parse(readFileSync(new URL("../../testdata/ev-data.json", import.meta.url), "utf8"));
}

export function openCatalogue(): MemoryCatalogue {
  return catalogueFromOpenEvData(openEvDataFile());
}

/** A router over the open data. */
export function openRouter(options: Partial<VehicleRouterOptions> = {}): VehicleRouter {
  return createVehicleRouter({ catalogue: openCatalogue(), keys, ...options });
}

export interface Listening {
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Has a server listen on a free port of the loopback interface. */
export async function listening(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if (server instanceof http.Server) server.closeAllConnections();
      }),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The body as a document. Whatever kind it is: what is not there fails the assertion. */
  readonly json: TestDocument;
}

export interface TestDocument {
  readonly data: readonly TestResource[];
  readonly included: readonly TestResource[];
  readonly meta: { readonly overall_count: number };
  readonly links: {
    readonly self: string;
    readonly first: string;
    readonly last: string;
    readonly prev?: string;
    readonly next?: string;
  };
  readonly errors: readonly TestError[];
}

export interface TestResource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: {
    readonly manufacturer: { readonly data: { readonly type: string; readonly id: string } };
  };
}

export interface TestError {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source: { readonly parameter: string; readonly header?: string };
  readonly meta?: object;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  /** The key to send; null for none. Default: the full one. */
  readonly key?: string | null;
}

/** Sends a request exactly as it is written, without headers of its own but Host and Connection. */
export function ask(origin: string, target: string, asking: Asking = {}): Promise<Answer> {
  const { method = "GET", headers = {}, key = fullKey } = asking;
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname,
        port,
        path: target,
        method,
        agent: false,
        headers: { ...(key === null ? {} : { "API-Key": key }), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const body = Buffer.concat(chunks);
          const text = body.toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text,
            get json() {
              return JSON.parse(text);
            },
          });
        });
      },
    );
    request.on("error", reject);
    request.end();
  });
}
