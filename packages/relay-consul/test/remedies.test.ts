import { createStoreContext } from "@wye/relay/testing";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../scripts/databases/listen.js";
import { never } from "../../../scripts/databases/store-items.js";
import { consulStore } from "../src/index.js";

const context = createStoreContext();

const rule =
  'the token needs a rule key_prefix "ld/" { policy = "write" }; without a token it is the rule of the anonymous one';
const token = "Consul does not know the token, or not any more: check token";
const noTls =
  "Consul does not speak TLS there, or asks for a certificate of the client: check whether the address has to begin with http:, or give a dispatcher that has one";
const signer =
  "nobody here trusts who has signed the certificate: give theirs, as in dispatcher: new Agent({ connect: { ca: readFileSync(file) } }), or name a file with them in NODE_EXTRA_CA_CERTS";
const user =
  "a proxy before Consul asks for a user: write it into the address, as in http://user:password@host:8500";
const leader = "Consul has no leader at the moment: see consul operator raft list-peers";
const other = "what answers there is not the HTTP interface of Consul: check address, and proxies between";

test.each<[number, string, string | undefined]>([
  [403, "Permission denied", rule],
  [403, "rpc error: token lacks permission 'key:read'", rule],
  [403, "ACL not found", token],
  [403, "ACL token is expired", token],
  [500, "No path to datacenter", "check datacenter: Consul knows none of this name"],
  [400, "Client sent an HTTP request to an HTTPS server.", "the address has to begin with https:"],
  [500, "No cluster leader", leader],
  [500, "rpc error: no cluster leader", leader],
  [500, "no known Consul servers", leader],
  [401, "", user],
  [407, "", user],
  [300, "", other],
  [308, "", other],
  [405, "", other],
  [402, "", undefined],
  [406, "", undefined],
  [310, "", undefined],
  [500, "out of memory", undefined],
])("what an agent answers with %i %j has its remedy", async (status, body, remedy) => {
  const address = await listen(
    (req, res) => void req.resume().on("end", () => res.writeHead(status).end(body)),
  );
  const message = await consulStore({ address, prefix: "ld" })(context)
    .read(never)
    .then(String, (error: Error) => error.message);
  const said = `Consul answered ${status}: ${body}`;
  expect(message).toBe(remedy === undefined ? said : `${said} (${remedy})`);
});

test.each([
  ["<html>", "Consul gave something that is not JSON"],
  ["{}", "Consul gave something that is no answer of its HTTP interface"],
])("what gives %s is no Consul", async (body, message) => {
  const address = await listen((_, res) => res.end(body));
  const store = consulStore({ address, prefix: "ld" })(context);
  await expect(store.read(never)).rejects.toThrow(`${message} (${other})`);
});

test("an interface that knows no transactions is none of Consul", async () => {
  const address = await listen((req, res) => void req.resume().on("end", () => res.writeHead(404).end()));
  const store = consulStore({ address, prefix: "ld" })(context);
  await expect(store.replace([], never)).rejects.toThrow(`Consul answered 404:  (${other})`);
});

test.each<[string, string]>([
  ["EPROTO", noTls],
  ["write EPROTO", noTls],
  ["wrong version number", noTls],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", noTls],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", signer],
  ["SELF_SIGNED_CERT_IN_CHAIN", signer],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", signer],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", signer],
])("a connection that fails with %s has its remedy", async (code, remedy) => {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const dispatcher = agent.compose(() => () => {
    throw Object.assign(new Error("cannot connect"), { code });
  });
  const store = consulStore({ address: "https://consul", dispatcher })(context);
  await expect(store.read(never)).rejects.toThrow(`cannot connect (${remedy})`);
});
