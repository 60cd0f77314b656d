import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import type { Certificate } from "./certificates.js";
import type { TlsVersion } from "./config/value-types.js";
import { limitConnections } from "./connection-limit.js";
import { OpenConnections } from "./open-connections.js";

/** Something that listens on a port. */
export interface Listener {
  /** Where it really listens. */
  readonly port: number;
  /** Later connections get this certificate. */
  renew(certificate: Certificate): void;
  /** Takes no more connections; resolves when nobody asks on those that are open, or when the time is over. */
  stop(withinMs: number): Promise<void>;
  /** Ends what is still open. */
  close(): void;
}

/** What a listener needs. */
export interface ListenerOptions {
  readonly port: number;
  /** All interfaces unless there is one. */
  readonly host?: string;
  readonly handler: RequestListener;
  readonly tls?: { readonly certificate: Certificate; readonly minVersion: TlsVersion };
  /** How many connections there may be, and what is done when there are more. */
  readonly limit?: { readonly most: number; readonly reached: () => void };
}

/** Contexts stand in paths: Node's 16 KiB are not much for them. */
const maxHeaderSize = 64 * 1024;
/** Longer than load balancers keep idle connections: they should be the ones to close them. */
const keepAliveTimeoutMs = 75_000;

/** After a restart thousands of SDKs come back at once; Node's 511 would turn some of them away. The system may allow fewer. */
const backlog = 4096;

/** Listens. Throws when that port cannot be had. */
export async function listen({ port, host, handler, tls, limit }: ListenerOptions): Promise<Listener> {
  const options = { maxHeaderSize, keepAliveTimeout: keepAliveTimeoutMs };
  const server: Server | SecureServer =
    tls === undefined
      ? createServer(options, handler)
      : createSecureServer({ ...options, ...tls.certificate, ...versions(tls.minVersion) }, handler);
  const connections = new OpenConnections(server);
  const sockets = openSockets(server);
  if (limit !== undefined) limitConnections(server, limit.most, limit.reached);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    renew(certificate) {
      if (tls !== undefined && "setSecureContext" in server)
        server.setSecureContext({ ...certificate, ...versions(tls.minVersion) });
    },
    stop: (withinMs) => connections.end(withinMs),
    close() {
      server.close();
      server.closeAllConnections();
      // Of those that have not agreed on a key the server for HTTP knows nothing.
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSockets(server: Server | SecureServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

const protocols = { "1.0": "TLSv1", "1.1": "TLSv1.1", "1.2": "TLSv1.2", "1.3": "TLSv1.3" } as const;

/** OpenSSL as Node comes with it refuses what is older than 1.2 unless its own level is lowered as well. */
function versions(least: TlsVersion): Pick<SecureContextOptions, "minVersion" | "ciphers"> {
  const isOld = least === "1.0" || least === "1.1";
  return { minVersion: protocols[least], ...(isOld ? { ciphers: "DEFAULT@SECLEVEL=0" } : {}) };
}
