import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { complaintsAbout } from "../../../scripts/databases/complaints-about.js";
import { type ConsulOptions, consulStore } from "../src/index.js";

/** What answers in place of Consul. */
let answer: { readonly status: number; readonly body: string; readonly headers?: OutgoingHttpHeaders } = {
  status: 200,
  body: "",
};
const server = createServer((request, response) => {
  request.resume().on("end", () => void response.writeHead(answer.status, answer.headers).end(answer.body));
});
const ports = { server: 0, nobody: 1 };

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  ports.server = address.port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface WrongSetting {
  readonly name: string;
  readonly at?: keyof typeof ports;
  readonly scheme?: string;
  readonly options?: ConsulOptions;
  readonly answers?: typeof answer;
  readonly says: string;
  readonly remedy: string;
}

const policy =
  'the token needs a rule key_prefix "ld/" { policy = "write" }; without a token it is the rule of the anonymous one';
const notConsul =
  "what answers there is not the HTTP interface of Consul: check address, and proxies between";

const settings: readonly WrongSetting[] = [
  {
    name: "a token without rights",
    answers: {
      status: 403,
      body: "Permission denied: token with AccessorID '1' lacks permission 'key:read' on \"ld/\"",
    },
    says: "Consul answered 403: Permission denied: token with AccessorID '1'",
    remedy: policy,
  },
  {
    name: "a token that may not read everything",
    answers: { status: 404, body: "", headers: { "X-Consul-Results-Filtered-By-ACLs": "true" } },
    says: "Consul has left out what the token may not read",
    remedy: policy,
  },
  {
    name: "a token that may not write",
    answers: { status: 409, body: '{"Results":null,"Errors":[{"OpIndex":0,"What":"Permission denied"}]}' },
    says: "Consul answered 409",
    remedy: policy,
  },
  {
    name: "an unknown token",
    options: { token: "hunter2" },
    answers: { status: 403, body: "ACL not found" },
    says: "Consul answered 403: ACL not found",
    remedy: "Consul does not know the token, or not any more: check token",
  },
  {
    name: "an unknown data centre",
    options: { datacenter: "far" },
    answers: { status: 500, body: "No path to datacenter" },
    says: "Consul answered 500: No path to datacenter",
    remedy: "check datacenter: Consul knows none of this name",
  },
  {
    name: "a proxy that asks for a user",
    answers: { status: 401, body: "" },
    says: "Consul answered 401",
    remedy:
      "a proxy before Consul asks for a user: write it into the address, as in http://user:password@host:8500",
  },
  {
    name: "a server that asks for TLS",
    answers: { status: 400, body: "Client sent an HTTP request to an HTTPS server." },
    says: "Consul answered 400",
    remedy: "the address has to begin with https:",
  },
  {
    name: "a website",
    answers: { status: 200, body: "<html>" },
    says: "Consul gave something that is not JSON",
    remedy: notConsul,
  },
  {
    name: "a website that leads elsewhere",
    answers: { status: 302, body: "" },
    says: "Consul answered 302",
    remedy: notConsul,
  },
  ...[
    "{}",
    "[1]",
    "[null]",
    '[{"Key":"ld/$inited","Value":5,"ModifyIndex":1}]',
    '[{"Key":"x","Value":null}]',
  ].map((body) => ({
    name: `another service, which answers ${body}`,
    answers: { status: 200, body },
    says: "Consul gave something that is no answer of its HTTP interface",
    remedy: notConsul,
  })),
  {
    name: "nobody who listens",
    at: "nobody",
    says: "connect ECONNREFUSED 127.0.0.1:1",
    remedy: "nobody listens there: check host and port, and whether the database runs",
  },
  {
    name: "TLS where there is none",
    scheme: "https",
    says: "wrong version number",
    remedy:
      "Consul does not speak TLS there, or asks for a certificate of the client: check whether the address has to begin with http:, or give a dispatcher that has one",
  },
];

test.each(settings)("of $name the log tells the address, the reason and the remedy", async (setting) => {
  const { at = "server", scheme = "http", options, answers, says, remedy } = setting;
  answer = answers ?? { status: 200, body: "[]" };
  const address = `${scheme}://127.0.0.1:${ports[at]}`;
  const { told, stop } = complaintsAbout(consulStore({ address, prefix: "ld", ...options }));
  onTestFinished(stop);
  const store = `[test] data store: consul at ${address}, prefix "ld": `;
  await expect
    .poll(() => told, { timeout: 250_000 })
    .toSatisfy((lines: string[]) =>
      lines.some((line) => line.startsWith(store) && line.includes(says) && line.endsWith(`(${remedy})`)),
    );
  expect(told.join()).not.toContain("hunter2");
});
