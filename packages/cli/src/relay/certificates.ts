import { createSecureContext } from "node:tls";
import { messageOf } from "../message-of.js";
import { readConfiguredText } from "./read-configured.js";

/** A certificate and its key, as they are in files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Where a certificate and its key are. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Reads a certificate. Throws, naming the file, when there is none or when certificate and key are not each other's. */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  // One after the other: of two that are missing it is always the first that is named.
  const cert = await readPart("cert", files);
  const key = await readPart("key", files);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`the certificate ${files.cert} cannot be used with ${files.key}: ${messageOf(error)}`);
  }
  return { cert, key };
}

const parts = {
  cert: { what: "certificate", begin: /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----/ },
  key: { what: "private key", begin: /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/ },
} as const;

/** One of both, by itself. */
export async function readPart(part: keyof CertificateFiles, files: CertificateFiles): Promise<string> {
  const { what, begin } = parts[part];
  const text = await readText(files[part]);
  // OpenSSL leaves out what is empty, which a file is while it is written in place, and on a full disk.
  if (!begin.test(text)) throw new Error(`${files[part]} has no ${what}`);
  return text;
}

async function readText(file: string): Promise<string> {
  try {
    return await readConfiguredText(file);
  } catch (error) {
    throw new Error(`cannot read ${file}: ${messageOf(error)}`);
  }
}

/** What may be told about a certificate that is looked at again. */
export interface CertificateWatch {
  /** Looks now. */
  look(): Promise<void>;
  close(): void;
}

/**
 * Looks at the files now and then, and hands out what is new in them. Their contents are compared: whatever replaces them and
 * however, and a certificate that comes before its key is taken when that is there too.
 */
export function watchCertificate(
  files: CertificateFiles,
  {
    first,
    everyMs,
    renewed,
    failed,
  }: {
    readonly first: Certificate;
    readonly everyMs: number;
    readonly renewed: (certificate: Certificate) => void;
    readonly failed: (message: string) => void;
  },
): CertificateWatch {
  let current = first;
  let complaint = "";
  let looking: Promise<void> | undefined;

  async function lookOnce(): Promise<void> {
    try {
      const found = await readCertificate(files);
      complaint = "";
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      renewed(found);
    } catch (error) {
      // The same thing is said once.
      if (complaint !== messageOf(error)) failed(messageOf(error));
      complaint = messageOf(error);
    }
  }

  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return { look, close: () => clearInterval(timer) };
}
