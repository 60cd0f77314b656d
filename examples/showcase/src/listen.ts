import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Where to listen: the port that was asked for and no other, or the first free one from a starting point. */
export type PortChoice = { readonly exactly: number } | { readonly from: number };

const attempts = 100;

/** Starts listening on loopback and tells the port. Rejects, saying why, when no acceptable port is free. */
export async function listen(server: Server, choice: PortChoice): Promise<number> {
  if ("exactly" in choice) {
    if (await tryPort(server, choice.exactly)) return portOf(server);
    throw new Error(
      `port ${choice.exactly} is in use; ask for another one, or for none to get the next free one`,
    );
  }
  for (let port = choice.from; port < choice.from + attempts && port < 65_536; port++) {
    if (await tryPort(server, port)) return portOf(server);
  }
  throw new Error(`no free port between ${choice.from} and ${choice.from + attempts - 1}`);
}

function portOf(server: Server): number {
  // A listening TCP server has an address object; only pipes have a string.
  return (server.address() as AddressInfo).port;
}

function tryPort(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      server.off("listening", onListening);
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false);
      else reject(error);
    };
    const onListening = (): void => {
      server.off("error", onError);
      resolve(true);
    };
    server.once("error", onError).once("listening", onListening).listen(port, "127.0.0.1");
  });
}
