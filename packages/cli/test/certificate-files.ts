import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";

const folder = new URL("../testdata/relay/", import.meta.url);

/** Puts a certificate or its key into a folder, as `certificate.pem` or `key.pem`. */
export function copyCertificate(cwd: string, from: "first" | "second", what: "certificate" | "key"): void {
  copyFileSync(new URL(`${from}-${what}.pem`, folder), join(cwd, `${what}.pem`));
}

/** What makes a relay speak TLS with them. */
export const tlsLines = ["tlsEnabled = true", "tlsCert = certificate.pem", "tlsKey = key.pem"] as const;

/** The name that the certificate of a port is for, or why there is no connection. */
export function subjectAt(base: string, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const given = { host: hostname, port: Number(port), rejectUnauthorized: false, ...options };
    const socket = connect(given, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", (error) => resolve(`error: ${error.message}`));
  });
}
