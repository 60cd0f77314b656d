import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { discoverConnection, nodeFetch, tokenFile } from "../src/node/index.js";
import { answer, scriptedServer } from "./scripted-server.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wye-client-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** A machine with these files below the home of its user. */
function machine(name: string, files: Readonly<Record<string, string>> = {}) {
  for (const [path, text] of Object.entries(files)) write(`${name}/${path}`, text);
  return { home: join(folder, name), podFolder: join(folder, name, "pod"), env: {} };
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const kubeconfig = (user: string, cluster = ""): string => `
current-context: main
contexts: [{name: main, context: {cluster: c, user: u}}, {name: other, context: {cluster: d, user: u}}]
clusters: [{name: c, cluster: {server: "https://cluster.example:6443/"${cluster}}}, {name: d, cluster: {server: "https://other.example"}}]
users: [{name: u, user: {${user}}}]
`;

describe("a server is found", () => {
  test("at the host that is given, or at KF_PIPELINES_ENDPOINT", async () => {
    const here = machine("plain");
    expect((await discoverConnection({ ...here, host: "http://a" })).host).toBe("http://a");
    const env = { KF_PIPELINES_ENDPOINT: "https://b/pipeline/", KF_PIPELINES_UI_ENDPOINT: "https://ui" };
    expect(await discoverConnection({ ...here, env })).toEqual({
      host: "https://b/pipeline/",
      uiHost: "https://ui",
      auth: {},
    });
  });

  test("inside of a pod, with its namespace and a token that is read again and again", async () => {
    const here = machine("pod", { "pod/namespace": "team\n" });
    const path = write("pod/token", "first\n");
    const connection = await discoverConnection({ ...here, env: { KF_PIPELINES_SA_TOKEN_PATH: path } });
    expect([connection.host, connection.namespace]).toEqual([
      "http://ml-pipeline.kubeflow.svc.cluster.local:8888",
      "team",
    ]);
    const server = await scriptedServer((_, response) => answer(response, { run_id: "r" }));
    const client = createPipelineClient({ ...connection, host: server.url });
    await client.runs.get({ id: "r" });
    writeFileSync(path, "second");
    await client.runs.get({ id: "r" });
    rmSync(path);
    await client.runs.get({ id: "r" });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer first",
      "Bearer second",
      undefined,
    ]);
    await server.close();
  });

  test("inside of a pod, whose token goes to no other host", async () => {
    const here = machine("pod-host", { "pod/namespace": "team\n" });
    const env = { KF_PIPELINES_SA_TOKEN_PATH: write("pod-host/token", "first") };
    expect((await discoverConnection({ ...here, env, host: "http://a" })).auth).toEqual({});
    const named = await discoverConnection({ ...here, env: { ...env, KF_PIPELINES_ENDPOINT: "http://a" } });
    expect(named.auth).toEqual({});
  });

  test("in the first of several kubeconfig files that has it", async () => {
    const here = machine("several", {
      empty: "current-context: main\n",
      "elsewhere/second": kubeconfig("tokenFile: here/token"),
      third: kubeconfig("token: other"),
      "elsewhere/here/token": "of the second",
    });
    const paths = ["absent", "empty", "elsewhere/second", "third"].map((name) => join(here.home, name));
    const connection = await discoverConnection({ ...here, env: { KUBECONFIG: paths.join(":") } });
    expect(String(connection.host)).toMatch(/^https:\/\/cluster\.example:6443/);
    const { token } = connection.auth ?? {};
    if (typeof token !== "function") throw new Error("there is no token");
    expect(await token({ isRenewal: false, signal: new AbortController().signal })).toBe("of the second");
  });

  test("in the context of the first of several kubeconfig files that names one", async () => {
    const here = machine("contexts", { a: kubeconfig("token: abc"), b: "current-context: other" });
    const paths = (...names: readonly string[]) => names.map((name) => join(here.home, name)).join(":");
    const hosts = ["a,b", "b,a"].map((names) =>
      discoverConnection({ ...here, env: { KUBECONFIG: paths(...names.split(",")) } }),
    );
    expect((await Promise.all(hosts)).map(({ host }) => new URL(host).host)).toEqual([
      "cluster.example:6443",
      "other.example",
    ]);
  });

  test.each(["12345678901234567890", "007890", "123456.0123456789012340", "1e5", "0x1F", "'quoted'"])(
    "by a kubeconfig file with the token %s as it stands there",
    async (token) => {
      const here = machine(`token ${token.length}`, {
        ".kube/config": kubeconfig(`token: ${token}, exec: null`),
      });
      expect(await discoverConnection(here)).toMatchObject({ auth: { token: token.replaceAll("'", "") } });
    },
  );

  test("through the proxy of the cluster in the kubeconfig file", async () => {
    const here = machine("kube", { ".kube/config": kubeconfig("token: abc") });
    const proxy = "/api/v1/namespaces/kubeflow/services/ml-pipeline:http/proxy";
    expect(await discoverConnection(here)).toEqual({
      host: `https://cluster.example:6443${proxy}`,
      auth: { token: "abc" },
    });
    expect((await discoverConnection({ ...here, kubeContext: "other", installedIn: "kfp" })).host).toBe(
      `https://other.example${proxy.replace("kubeflow", "kfp")}`,
    );
  });

  test.each([
    ["nothing at all", undefined, /no server of Kubeflow Pipelines/],
    [
      "a certificate that nobody checks",
      kubeconfig("token: abc", ", insecure-skip-tls-verify: true"),
      /certificate-authority/,
    ],
    [
      "a certificate that nobody checks, beside an authority",
      kubeconfig("token: abc", ", insecure-skip-tls-verify: true, certificate-authority: ca.pem"),
      /a cluster whose certificate nobody checks/,
    ],
    ["no such context", "current-context: nope", /no cluster for the context/],
    ["no YAML", "a: [", /kubeconfig/],
    ["nobody", kubeconfig("token: abc").replace("user: u}", "user: gone}"), /no user "gone"/],
    ["a proxy", kubeconfig("token: abc", ', proxy-url: "http://p"'), /goes through a proxy/],
    [
      "an authority that is nothing",
      kubeconfig("token: abc", ', certificate-authority-data: "!!!!"'),
      /`certificate-authority` of the kubeconfig file is not in PEM/,
    ],
  ])("or it is told why not: %s", async (name, config, message) => {
    const here = machine(`none ${name}`, config === undefined ? {} : { ".kube/config": config });
    expect(await rejection(discoverConnection(here))).toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [
      "a program gives",
      "exec: {command: gke-gcloud-auth-plugin}",
      /context "main" .* another program.*give `auth` a token/,
    ],
    ["a provider gives", "auth-provider: {name: gcp}", /another program/],
    ["a password stands for", "username: me, password: x", /a user and a password/],
    ["somebody else's", "token: abc, as: admin", /acts as somebody else/],
    ["nobody's but a name's", "token: abc, username: me", /a user and a password/],
    ["a password alone stands for", "token: abc, password: x", /a user and a password/],
    ["of another id", 'token: abc, as-uid: "5"', /acts as somebody else/],
    ["of other groups", "token: abc, as-groups: [g]", /acts as somebody else/],
    ["with more", "token: abc, as-user-extra: {a: [b]}", /acts as somebody else/],
  ])("by a kubeconfig file whose token %s, when another token is given", async (_, user, message) => {
    const server = await scriptedServer((_, response) => answer(response, { run_id: "r" }));
    const config = kubeconfig(user).replaceAll("https://cluster.example:6443", server.url);
    const connection = await discoverConnection(machine(`foreign ${user}`, { ".kube/config": config }));
    const without = createPipelineClient(connection);
    expect(await rejection(without.runs.get({ id: "r" }))).toMatchObject({
      code: "credentials",
      message: expect.stringMatching(message),
    });
    const client = createPipelineClient({ ...connection, auth: { token: "mine" } });
    await client.runs.get({ id: "r" });
    expect(server.requests.map(({ headers, path }) => [headers.authorization, path])).toEqual([
      ["Bearer mine", expect.stringContaining("/ml-pipeline:http/proxy/apis/v2beta1/runs/r")],
    ]);
    await server.close();
  });

  test("by a kubeconfig file that says nothing of all that", async () => {
    const names = ["exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups"];
    for (const value of ["null", '""']) {
      const nothing = names.map((name) => `, ${name}: ${value}`).join("");
      const here = machine("nothing", { ".kube/config": kubeconfig(`token: abc${nothing}`) });
      expect((await discoverConnection(here)).auth).toEqual({ token: "abc" });
    }
  });

  test("with what kfp remembers", async () => {
    const context = {
      namespace: "mine",
      client_authentication_cookie: "a=b",
      client_authentication_header_name: "X-User",
      client_authentication_header_value: "me",
    };
    const here = machine("context", { ".config/kfp/context.json": JSON.stringify(context) });
    const connection = await discoverConnection({ ...here, host: "http://a" });
    expect(connection).toEqual({
      host: "http://a",
      namespace: "mine",
      auth: { cookie: "a=b", headers: { "X-User": "me" } },
    });
    expect((await discoverConnection({ ...here, host: "http://a", namespace: "team" })).namespace).toBe(
      "team",
    );
  });
});

test("a token file that is not there, or empty, fails the call and says which", async () => {
  const server = await scriptedServer((_, response) => answer(response, {}));
  for (const path of [join(folder, "nowhere"), write("empty", "\n")]) {
    const client = createPipelineClient({ host: server.url, auth: { token: tokenFile(path) } });
    expect(await rejection(client.health())).toMatchObject({
      code: "credentials",
      message: expect.stringContaining(path),
    });
  }
  await server.close();
});

describe("a cluster with an authority of its own", () => {
  test("is trusted when its certificate is given, and not otherwise", async () => {
    // Made for this test, for 127.0.0.1.
    const authority = new URL("../testdata/authority/", import.meta.url);
    const ca = readFileSync(new URL("certificate.pem", authority), "utf8");
    const key = readFileSync(new URL("key.pem", authority), "utf8");
    const server = createServer({ key, cert: ca }, (request, response) => {
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk) => chunks.push(chunk))
        .on("end", () =>
          answer(response, { experiment_id: "e", display_name: Buffer.concat(chunks).toString() }),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const trusting = createPipelineClient({ host, fetch: nodeFetch({ ca }), retry: false });
    expect(JSON.parse((await trusting.experiments.create("ünïcode")).displayName ?? "")).toEqual({
      display_name: "ünïcode",
    });
    const untrusted = {
      ...{ code: "network", attempts: 1, retryable: false },
      message: expect.stringMatching(
        /^no answer: the certificate of the server is not trusted: .*self.signed/,
      ),
      remedy: expect.stringContaining("nodeFetch({ ca })"),
    };
    for (const fetch of [nodeFetch({}), undefined]) {
      const client = createPipelineClient({ host, fetch });
      // Neither tried again nor borne while a run is followed: it lasts.
      for (const call of [
        () => client.health(),
        () => client.runs.wait({ id: "r" }),
        () => client.experiments.create("e"),
      ])
        expect(await rejection(call())).toMatchObject(untrusted);
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("a server that speaks http is not asked again in https, and the remedy is told", async () => {
    const server = await scriptedServer((_, response) => answer(response, {}));
    const host = server.url.replace("http:", "https:");
    for (const fetch of [nodeFetch({}), undefined]) {
      const client = createPipelineClient({ host, fetch });
      for (const call of [() => client.health(), () => client.runs.wait({ id: "r" })])
        expect(await rejection(call())).toMatchObject({
          ...{ code: "network", attempts: 1, retryable: false },
          message: expect.stringMatching(/^no answer: the server does not speak https \(GET https:/),
          remedy: expect.stringContaining("http:// in front"),
        });
    }
    await server.close();
  });

  test("a port at which `fetch` never asks is not tried again", async () => {
    const error = await rejection(createPipelineClient({ host: "http://127.0.0.1:1" }).health());
    expect(error).toMatchObject({ code: "network", attempts: 1, retryable: false });
  });

  test("is left after the time of an attempt, and a plain host works as well", async () => {
    const server = await scriptedServer(
      ({ path }, response) => void (path.endsWith("/r") ? undefined : answer(response, { tag_name: "2" })),
    );
    const options = { host: server.url, fetch: nodeFetch({}), retry: false } as const;
    expect((await createPipelineClient(options).health()).tagName).toBe("2");
    const hasty = createPipelineClient({ ...options, timeoutMs: 100 });
    expect(await rejection(hasty.runs.get({ id: "r" }))).toMatchObject({ code: "timeout" });
    await server.close();
  });
});

const goodAuthority = readFileSync(new URL("../testdata/authority/certificate.pem", import.meta.url), "utf8");

test.each([
  { name: "an empty text", ca: "" },
  { name: "a text that is no certificate", ca: "junk" },
  { name: "no authorities", ca: [] },
  { name: "a list of what is none", ca: ["junk"] },
  { name: "one that is none behind a certificate", ca: [goodAuthority, "junk"] },
  { name: "one that is none before a certificate", ca: ["junk", goodAuthority] },
  { name: "a certificate that breaks off", ca: goodAuthority.slice(0, 200) },
  { name: "a number", ca: 5 },
])("nodeFetch trusts nobody in place of $name", ({ ca }) => {
  // Tests give what the types refuse.
  expect(() => nodeFetch({ ca: ca as string })).toThrow(
    new TypeError("`ca` is a certificate in PEM, or a list of them"),
  );
});

test.each([200, 204, 304, 404])("a connection is used again behind an answer of %d", async (status) => {
  let connections = 0;
  const server = createHttpServer((_, response) => void response.writeHead(status).end());
  server.on("connection", () => void connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const fetch = nodeFetch({});
  for (let times = 0; times < 3; times++) {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
    expect([response.status, await response.text()]).toEqual([status, ""]);
    // The connection is free a turn later.
    await new Promise(setImmediate);
  }
  expect(connections).toBe(1);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("the name for which a certificate is asked is taken from the kubeconfig file, also where all authorities are trusted", async () => {
  const names: unknown[] = [];
  const authority = new URL("../testdata/authority/", import.meta.url);
  const [cert, key] = ["certificate.pem", "key.pem"].map((name) => readFileSync(new URL(name, authority)));
  const server = createServer({
    ...{ cert, key },
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = kubeconfig("token: abc", ", tls-server-name: inner.example").replaceAll(
    "https://cluster.example:6443",
    url,
  );
  const connection = await discoverConnection(machine("server name", { ".kube/config": config }));
  const client = createPipelineClient({ ...connection, retry: false });
  expect(await rejection(client.health())).toMatchObject({ code: "network" });
  expect(names).toEqual(["inner.example"]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each([205, 600, 999])("a status that no Response has, %d, is an answer that fails", async (status) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPipelineClient({ host, fetch: nodeFetch({}), retry: false });
  expect(await rejection(client.health())).toMatchObject(
    status === 205
      ? { code: "invalid_response" }
      : {
          code: "server_error",
          status,
          message: expect.stringContaining(`the server answered ${status} (${status}`),
        },
  );
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  ["with a protocol", "upgrade: websocket\r\nconnection: upgrade\r\n"],
  ["without one", ""],
])("a proxy that changes the protocol gives no answer, and is not waited for: %s", async (_, headers) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPipelineClient({ host, fetch: nodeFetch({}), retry: false });
  expect(await rejection(client.health())).toMatchObject({
    code: "network",
    message: expect.stringContaining("101 Switching Protocols"),
  });
  await new Promise((resolve) => server.close(resolve));
});

const pem = (name: string) =>
  readFileSync(new URL(`../testdata/authority/${name}.pem`, import.meta.url), "utf8");

test.each<[string, Parameters<typeof nodeFetch>[0], string]>([
  ["an authority that is cut off", { ca: pem("certificate").slice(0, 400) }, "`ca` is a certificate in PEM"],
  ["a certificate that is none", { cert: "x", key: pem("key") }, "cannot be used"],
  ["a key that is none", { cert: pem("certificate"), key: "x" }, "cannot be used"],
  ["a certificate without its key", { cert: pem("certificate") }, "go together"],
  ["a key without its certificate", { key: pem("key") }, "go together"],
])("nodeFetch refuses at once what no connection can be made with: %s", (_, options, says) => {
  expect(() => nodeFetch(options)).toThrow(TypeError);
  expect(() => nodeFetch(options)).toThrow(says);
});

test("nodeFetch trusts whom it was given, whatever becomes of the list", async () => {
  const authority = new URL("../testdata/authority/", import.meta.url);
  const [cert = "", key = ""] = ["certificate.pem", "key.pem"].map((name) =>
    readFileSync(new URL(name, authority), "utf8"),
  );
  const server = createServer({ cert, key }, (_, response) => answer(response, {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ca = [cert];
  const fetch = nodeFetch({ ca });
  ca.length = 0;
  const response = await fetch(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`, {});
  expect([response.status, await response.text()]).toEqual([200, "{}"]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("nodeFetch takes headers in every form, and gives none that told of what was compressed", async () => {
  const asked: unknown[] = [];
  const body = gzipSync("{}");
  const server = createHttpServer(({ headers }, response) => {
    asked.push(headers["x-a"]);
    const said = {
      "content-encoding": "gzip",
      "content-length": body.length,
      connection: "close",
      "x-b": "c",
    };
    response.writeHead(200, said).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const headers of [{ "X-A": "b" }, [["X-A", "b"]] as [string, string][], new Headers({ "X-A": "b" })]) {
    const response = await nodeFetch({})(url, { headers });
    expect(await response.text()).toBe("{}");
    const { date, ...told } = Object.fromEntries(response.headers);
    expect([date, told]).toEqual([expect.any(String), { connection: "close", "x-b": "c" }]);
  }
  expect(asked).toEqual(["b", "b", "b"]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("what a gateway has compressed", () => {
  const run = Buffer.from('{"run_id":"r","state":"SUCCEEDED"}');
  const asked = async (encoding: string, body: Buffer) => {
    const server = createHttpServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createPipelineClient({ host, fetch: nodeFetch({}), retry: false, maxBodyBytes: 100_000 });
    return client.runs.get({ id: "r" });
  };

  test.each([
    ["gzip", gzipSync(run)],
    ["X-Gzip", gzipSync(run)],
    ["deflate", deflateSync(run)],
    ["br", brotliCompressSync(run)],
    ["identity", run],
  ])("by %s is read", async (encoding, body) => {
    expect(await asked(encoding, body)).toMatchObject({ state: "SUCCEEDED" });
  });

  test.each([
    ["is cut off", gzipSync(run).subarray(0, 20)],
    ["is no gzip", run],
    ["is more than an answer may be", gzipSync(Buffer.alloc(1_000_000))],
  ])("and %s is an error", async (_, body) => {
    expect(await rejection(asked("gzip", body))).toMatchObject({ name: "PipelineClientError" });
  });
});
