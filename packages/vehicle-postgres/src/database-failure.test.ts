import { CatalogueError } from "@wye/vehicle-catalogue/server";
import { DatabaseError } from "pg";
import { describe, expect, test } from "vitest";
import { databaseFailure, givesWay, isOfFile, reasonOf } from "./database-failure.js";

/** What a server says, with its SQLSTATE. */
const said = (message: string, code: string): Error =>
  Object.assign(new DatabaseError(message, message.length, "error"), { code });
const failed = (message: string, members: object = {}): Error => Object.assign(new Error(message), members);

const outcome = (cause: unknown) => {
  const failure = databaseFailure(cause, 250);
  if (!(failure instanceof CatalogueError)) throw failure;
  return [failure.code, failure.message, failure.cause === cause];
};

const authority =
  "nobody who is trusted vouches for the server's certificate; give the certificate of its authority as connection.ssl.ca, or its file as sslrootcert in the URL";
const known = "the pooler in front of the server has to know it, too";
const file = "it has to be a file that this process can read";
const password = "the server asks for a password; give connection.password";
const encrypted =
  "the server may only take connections with TLS; set connection.ssl, or sslmode=verify-full in the URL";

describe("failures that somebody has to mend are refused, with what is to be done:", () => {
  test.each<readonly [cause: Error, remedy: string]>([
    ...[
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "CERT_SIGNATURE_FAILURE",
      "CERT_UNTRUSTED",
    ].map((code) => [failed("bad certificate", { code }), authority] as const),
    [
      failed("Hostname does not match", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
      "the server's certificate is for another name; connect by a name that it has",
    ],
    [
      failed("The server does not support SSL connections"),
      "switch it on there (ssl = on), or leave ssl and sslmode out",
    ],
    [said('no pg_hba.conf entry for host "h", no encryption', "28000"), encrypted],
    [said('no pg_hba.conf entry for host "h", SSL off', "28000"), encrypted],
    [said("no such user: somebody", "08P01"), known],
    [said("no such database: nope", "08P01"), known],
    [said('database "nope" does not exist', "08P01"), known],
    [
      said("SASL authentication failed", "08P01"),
      "user and password have to be those that the pooler in front of the server knows",
    ],
    [
      said("transaction blocks not allowed in statement pooling mode", "08P01"),
      "the pooler in front of the server must hand its sessions out for whole transactions, or for longer",
    ],
    [failed("SASL: client password must be a string"), password],
    [failed("SASL: client password must be a non-empty string"), password],
    [failed("ENOENT: no such file, open 'ca.pem'", { code: "ENOENT" }), file],
    [failed("EACCES: permission denied, open 'ca.pem'", { code: "EACCES" }), file],
    [failed("EPERM: not permitted, open 'ca.pem'", { code: "EPERM" }), file],
    [failed("EISDIR: illegal operation on a directory, read", { code: "EISDIR" }), file],
  ])("%s", (cause, remedy) => {
    expect(outcome(cause)).toEqual(["refused", `${cause.message}: ${remedy}`, true]);
  });
});

describe("what may pass by itself is unavailable, and whatever else a server says is refused:", () => {
  test.each<readonly [sqlState: string, code: string]>([
    ...["08000", "08006", "08P01", "25006", "25P03", "25P04", "40001", "40P01", "53300", "55P03"].map(
      (code) => [code, "unavailable"] as const,
    ),
    ...["57P01", "57P03", "58030"].map((code) => [code, "unavailable"] as const),
    ...["25001", "25P02", "25P05", "28000", "28P01", "3D000", "42501", "55000", "58000", "XX000"].map(
      (code) => [code, "refused"] as const,
    ),
    ["x08000", "refused"],
  ])("%s: %s", (sqlState, code) => {
    expect(outcome(said("no", sqlState))).toEqual([code, "no", true]);
  });

  test("a server that gives no code is refused, and who is none is unavailable", () => {
    expect(outcome(new DatabaseError("no", 2, "error"))).toEqual(["refused", "no", true]);
    for (const code of [undefined, "ECONNRESET", "28000", "CERT", "XUNABLE_TO_GO"])
      expect(outcome(failed("no", { code }))).toEqual(["unavailable", "no", true]);
    expect(outcome(failed("ENOENT", { code: "ENOENT" }))).toEqual(["unavailable", "ENOENT", true]);
    expect(outcome("text")).toEqual(["unavailable", "text", true]);
  });

  test("a file that cannot be read is refused, whatever is said of it", () => {
    expect(outcome(failed("no", { syscall: "open" }))).toEqual(["refused", "no", true]);
    expect(outcome(failed("no", { syscall: "read" }))).toEqual(["unavailable", "no", true]);
  });
});

describe("no answer in time is unavailable, in words of its own:", () => {
  const message =
    "no answer within 250 ms (timeoutMs): the server is out of reach or busy, or somebody else holds a lock";
  test.each([
    failed("Query read timeout"),
    failed("Connection Timeout", { code: 5 }),
    said("canceling statement", "57014"),
    said("canceling statement due to statement timeout", "57014"),
  ])("%s", (cause) => expect(outcome(cause)).toEqual(["unavailable", message, true]));

  test("but not what has a code of its own", () => {
    const cause = said("terminating connection due to idle-in-transaction timeout", "25P03");
    expect(outcome(cause)).toEqual(["unavailable", cause.message, true]);
  });
});

test("an error of catalogues stays as it is, and so does a wrong call", () => {
  for (const error of [new CatalogueError("superseded", "gone"), new TypeError("wrong")])
    expect(databaseFailure(error, 1)).toBe(error);
});

test.each<readonly [error: unknown, reason: string]>([
  [new Error("no"), "no"],
  [new RangeError(""), "RangeError"],
  ["text", "text"],
  [undefined, "undefined"],
  [new AggregateError([new Error("a"), "b"], ""), "a; b"],
  [new AggregateError([new Error("a")], "all"), "all"],
  [new AggregateError([new AggregateError([new Error("a")], "")], ""), "a"],
])("the reason of %j is %s", (error, reason) => expect(reasonOf(error)).toBe(reason));

test.each<readonly [error: unknown, isFile: boolean]>([
  [failed("x", { syscall: "open" }), true],
  [failed("x", { syscall: "read", code: "EISDIR" }), true],
  [failed("x", { syscall: "read", code: "ECONNRESET" }), false],
  [failed("x", { syscall: "connect", code: "EISDIR" }), false],
  [failed("x"), false],
  [{ syscall: "open" }, false],
])("whether a file could not be read: %j %s", (error, isFile) => expect(isOfFile(error)).toBe(isFile));

test.each([
  ["55P03", true],
  ["40P01", true],
  ["40001", false],
  ["55P04", false],
])("a lock that somebody else holds is waited for again: %s %s", (code, gives) => {
  expect(givesWay(said("x", code))).toBe(gives);
  expect(givesWay({ code })).toBe(false);
});
