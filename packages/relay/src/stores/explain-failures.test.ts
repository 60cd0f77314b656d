import { expect, test } from "vitest";
import { RelayError } from "../error.js";
import { explainFailures, saidBy, withRemedy } from "./explain-failures.js";
import { memoryStore } from "./memory-store.js";

const failed = (message: string, parts: object = {}) => Object.assign(new Error(message), parts);

test.each([
  [failed("getaddrinfo ENOTFOUND db", { code: "ENOTFOUND" }), "no host of this name is known here"],
  [failed("connect", { code: "EAI_AGAIN" }), "no host of this name is known here"],
  [failed("connect ECONNREFUSED ::1:1"), "nobody listens there"],
  [failed("connect EHOSTUNREACH"), "check host, port and firewalls"],
  [failed("connect ENETUNREACH"), "check host, port and firewalls"],
  [failed("connect ETIMEDOUT"), "check host, port and firewalls"],
  [failed("Connect Timeout Error", { code: "UND_ERR_CONNECT_TIMEOUT" }), "check host, port and firewalls"],
  [failed("certificate has expired", { code: "CERT_HAS_EXPIRED" }), "has to be renewed"],
  [failed("not yet", { code: "CERT_NOT_YET_VALID" }), "has to be renewed"],
  [failed("Hostname/IP does not match", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }), "is for another host"],
  [failed("self-signed certificate", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), "NODE_EXTRA_CA_CERTS"],
  [failed("unable to verify", { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }), "NODE_EXTRA_CA_CERTS"],
  [failed("unable to get", { code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" }), "NODE_EXTRA_CA_CERTS"],
  [failed("write EPROTO"), "does not speak TLS"],
  [failed("wrong version number"), "does not speak TLS"],
  [failed("alert", { code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }), "does not speak TLS"],
])("what any database may fail with has a remedy: %s", (error, remedy) => {
  const explained = withRemedy(error, []);
  expect(explained).toBeInstanceOf(RelayError);
  expect(explained).toMatchObject({ code: "store_failed", cause: error });
  expect(String(explained)).toContain(`${error.message} (`);
  expect(String(explained)).toContain(remedy);
});

test("a remedy of the store comes first, and what nobody knows stays what it is", () => {
  const error = failed("connect ECONNREFUSED");
  expect(String(withRemedy(error, [{ says: /REFUSED/, remedy: "knock" }]))).toMatch(/REFUSED \(knock\)$/);
  for (const unknown of [failed("no disk"), failed("no disk", { cause: null }), "no disk", null, undefined])
    expect(withRemedy(unknown, [])).toBe(unknown);
});

test("codes and names, causes and several errors at once are all that an error says", () => {
  const error = failed("outer", {
    name: "OuterError",
    cause: new AggregateError([failed("first", { code: "E1" }), "second"]),
  });
  for (const word of ["outer", "OuterError", "E1", "first", "second"]) expect(saidBy(error)).toContain(word);
  const several = new AggregateError([failed("one of them")], "several", { cause: failed("why") });
  for (const word of ["several", "one of them", "why"]) expect(saidBy(several)).toContain(word);
  expect(saidBy({ message: "of another realm" })).toContain("of another realm");
  const endless = failed("again");
  expect(saidBy(Object.assign(endless, { cause: endless }))).toContain("again");
});

test("of causes that lie eight deep the codes are said still, and of deeper ones nothing but the next message", () => {
  const chain = Array.from({ length: 12 }, (_, depth) =>
    failed(`message-${depth}.`, { code: `CODE-${depth}.` }),
  );
  for (const [depth, error] of chain.entries()) error.cause = chain[depth + 1];
  const said = saidBy(chain[0]);
  for (const word of ["CODE-0.", "CODE-8.", "message-8.", "message-9."]) expect(said).toContain(word);
  for (const word of ["CODE-9.", "message-10."]) expect(said).not.toContain(word);
});

test("a store is the same but for what its failures say", async () => {
  class Odd {
    readonly about = { database: "redis" } as const;
    readonly #kept = memoryStore();
    read = (signal: AbortSignal) => this.#kept.read(signal);
    replace = () => Promise.reject(failed("boom"));
    upsert(): Promise<never> {
      throw failed("boom at once");
    }
    async close() {
      await this.#kept.close();
    }
  }
  const store = explainFailures(new Odd(), [{ says: /boom/, remedy: "duck" }]);
  const { signal } = new AbortController();
  expect(store.about).toEqual({ database: "redis" });
  expect("isFilled" in store).toBe(false);
  expect(await store.read(signal)).toBeUndefined();
  await expect(store.replace()).rejects.toThrow("boom (duck)");
  await expect(store.upsert()).rejects.toThrow("boom at once (duck)");
  await store.close();
});
