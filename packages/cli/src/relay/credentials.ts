import { resolve } from "node:path";
import {
  type Certificate,
  type CertificateFiles,
  type CertificateWatch,
  readCertificate,
  watchCertificate,
} from "./certificates.js";
import type { Config } from "./config/config.js";
import type { Log } from "./log.js";
import { authorityFiles, readAuthority } from "./outbound.js";
import { orStartError } from "./start-error.js";

/** What a relay proves with who it is, and whom it believes, as it stands in files. */
export interface Credentials {
  /** Of the listener, if that speaks TLS. */
  readonly certificate: Certificate | undefined;
  /** Further ones that upstream may have its certificate of. */
  readonly authorities: readonly string[];
}

/** Reads what the configuration names. */
export async function readCredentials(config: Config, cwd: string): Promise<Credentials> {
  const files = certificateFiles(config, cwd);
  return {
    certificate: files === undefined ? undefined : await orStartError("TLS", () => readCertificate(files)),
    authorities: await orStartError("Unable to create relay", () => readAuthorities(config, cwd)),
  };
}

async function readAuthorities(config: Config, cwd: string): Promise<readonly string[]> {
  const authorities: string[] = [];
  for (const file of authorityFiles(config, cwd)) authorities.push(await readAuthority(file));
  return authorities;
}

/** Says that other authorities stand in the files than at the start, whose connections go on with those. */
export async function tellChangedAuthorities(
  { authorities }: Credentials,
  { config, cwd, log }: Omit<Followed, "first">,
): Promise<void> {
  // One that cannot be read is why the configuration stays as it was, and was told as that.
  const now = await readAuthorities(config, cwd).catch(() => authorities);
  if (JSON.stringify(now) !== JSON.stringify(authorities))
    log.warn("[Proxy] caCertFiles has other certificates in it; they need a restart");
}

/** The files of the certificate, if the listener speaks TLS. */
export function certificateFiles(config: Config, cwd: string): CertificateFiles | undefined {
  const { tlsEnabled, tlsCert, tlsKey } = config.of("Main");
  if (!tlsEnabled || tlsCert === undefined || tlsKey === undefined) return undefined;
  return { cert: resolve(cwd, tlsCert), key: resolve(cwd, tlsKey) };
}

const certificateCheckMs = 10_000;

/** Whose certificate is followed. */
export interface Followed {
  readonly config: Config;
  readonly cwd: string;
  readonly first: Certificate | undefined;
  readonly log: Log;
}

/** Hands out each certificate that takes the place of the first one, and says so. */
export function followCertificate(
  { config, cwd, first, log }: Followed,
  renew: (certificate: Certificate) => void,
): CertificateWatch {
  const files = certificateFiles(config, cwd);
  if (files === undefined || first === undefined) return { look: async () => {}, close() {} };
  return watchCertificate(files, {
    first,
    everyMs: certificateCheckMs,
    renewed(next) {
      renew(next);
      log.info("the certificate was read again: new connections get the new one");
    },
    failed: (message) => log.error(`the certificate stays as it was: ${message}`),
  });
}
