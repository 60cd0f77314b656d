import { CatalogueError, type CatalogueErrorCode } from "@wye/vehicle-catalogue/server";
import { DatabaseError } from "pg";

/**
 * Whatever a task with a database fails with, as the error of catalogues: `unavailable` for what may pass by itself, `refused` for what
 * somebody has to change, with the remedy where one is known. A wrong call stays a wrong call.
 */
export function databaseFailure(cause: unknown, timeoutMs: number): CatalogueError | TypeError {
  if (cause instanceof CatalogueError || cause instanceof TypeError) return cause;
  const reason = reasonOf(cause);
  const code = codeOf(cause);
  // Of the driver, or of the server that has given up at the same time.
  if ((/timeout/i.test(reason) && code === undefined) || code === "57014") {
    const message = `no answer within ${timeoutMs} ms (timeoutMs): the server is out of reach or busy, or somebody else holds a lock`;
    return new CatalogueError("unavailable", message, { cause });
  }
  const remedy = remedies.find(({ of }) => of.test(`${code} ${reason}`))?.remedy;
  const message = remedy === undefined ? reason : `${reason}: ${remedy}`;
  const kind: CatalogueErrorCode = remedy !== undefined || isFinal(cause, code) ? "refused" : "unavailable";
  return new CatalogueError(kind, message, { cause });
}

/** What went wrong, whatever was thrown. */
export function reasonOf(error: unknown): string {
  // Of a name with several addresses, which have failed one by one.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Whether a file could not be read: one of those that a URL names. A connection that is reset fails to read as well. */
export function isOfFile(error: unknown): boolean {
  if (!(error instanceof Error && "syscall" in error)) return false;
  return error.syscall === "open" || (error.syscall === "read" && codeOf(error) === "EISDIR");
}

/** Whether somebody else has held a lock for longer than the server was to wait for it, or waits for one that is held here meanwhile. */
export function givesWay(error: unknown): boolean {
  const code = codeOf(error);
  return code === "55P03" || code === "40P01";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * What a server says while it starts, stops, hands over to another one, has too much to do, or has others in the way; or when it has lost
 * patience or a disk.
 */
const passing = /^(?:08|25006|25P0[34]|40|53|55P03|57|58030)/;

function isFinal(error: unknown, code: string | undefined): boolean {
  return isOfFile(error) || (error instanceof DatabaseError && !passing.test(code ?? ""));
}

/** Failures that tell little by themselves, by their code and message. */
const remedies: readonly { readonly of: RegExp; readonly remedy: string }[] = [
  {
    of: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED) /,
    remedy:
      "nobody who is trusted vouches for the server's certificate; give the certificate of its authority as connection.ssl.ca, or its file as sslrootcert in the URL",
  },
  {
    of: /^ERR_TLS_CERT_ALTNAME_INVALID /,
    remedy: "the server's certificate is for another name; connect by a name that it has",
  },
  {
    of: /server does not support SSL/,
    remedy: "switch it on there (ssl = on), or leave ssl and sslmode out",
  },
  {
    of: /^28000 .*(?:no encryption|SSL off)/,
    remedy:
      "the server may only take connections with TLS; set connection.ssl, or sslmode=verify-full in the URL",
  },
  {
    of: /^08P01 .*(?:no such (?:user|database)|does not exist)/,
    remedy: "the pooler in front of the server has to know it, too",
  },
  {
    of: /^08P01 .*authentication failed/,
    remedy: "user and password have to be those that the pooler in front of the server knows",
  },
  {
    of: /transaction blocks not allowed/,
    remedy:
      "the pooler in front of the server must hand its sessions out for whole transactions, or for longer",
  },
  {
    of: /client password must be a(?: non-empty)? string/,
    remedy: "the server asks for a password; give connection.password",
  },
  {
    of: /^(?:ENOENT|EACCES|EISDIR|EPERM) .*(?:, open|, read)/,
    remedy: "it has to be a file that this process can read",
  },
];
