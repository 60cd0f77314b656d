import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { discoverConnection, nodeFetch, tokenFile } from "../src/node/index.js";
import { podTokenPath } from "../src/node/token-file.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wye-discovery-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let machines = 0;
/** A machine with these files below the home of its user; a folder where there is no text. */
function machine(files: Readonly<Record<string, string | undefined>> = {}) {
  const home = join(folder, `home${machines++}`);
  mkdirSync(home);
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(text === undefined ? file : dirname(file), { recursive: true });
    if (text !== undefined) writeFileSync(file, text);
  }
  return { home, podFolder: join(home, "pod"), env: {} as Record<string, string> };
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
const contextFile = ".config/kfp/context.json";
const host = "http://a";

describe("of what kfp remembers", () => {
  test.each<readonly [context: string, found: object]>([
    ["{}", { auth: {} }],
    ["5", { auth: {} }],
    ["null", { auth: {} }],
    ['{"namespace":""}', { auth: {} }],
    ['{"namespace":5,"client_authentication_cookie":""}', { auth: {} }],
    ['{"client_authentication_cookie":5}', { auth: {} }],
    ['{"client_authentication_header_name":"X"}', { auth: {} }],
    ['{"client_authentication_header_value":"v"}', { auth: {} }],
    ['{"client_authentication_header_name":"","client_authentication_header_value":"v"}', { auth: {} }],
    [
      '{"client_authentication_header_name":"X","client_authentication_header_value":""}',
      { auth: { headers: { X: "" } } },
    ],
    ['{"namespace":"n","client_authentication_cookie":"c"}', { namespace: "n", auth: { cookie: "c" } }],
  ])("%s is taken what there is", async (context, found) => {
    expect(await discoverConnection({ ...machine({ [contextFile]: context }), host })).toStrictEqual({
      host,
      ...found,
    });
  });

  test("nothing is taken from what is no JSON, or no file", async () => {
    const broken = machine({ [contextFile]: "{" });
    expect(await rejection(discoverConnection({ ...broken, host }))).toMatchObject({
      message: `${join(broken.home, contextFile)} is no JSON`,
      cause: expect.any(SyntaxError),
    });
    expect(
      await rejection(discoverConnection({ ...machine({ [contextFile]: undefined }), host })),
    ).toMatchObject({
      code: "EISDIR",
    });
    // A file in the place of the folder.
    expect(await discoverConnection({ ...machine({ ".config": "x" }), host })).toEqual({ host, auth: {} });
  });
});

describe("of the environment", () => {
  test.each<readonly [env: Record<string, string>, found: object]>([
    [{ KF_PIPELINES_ENDPOINT: "http://e" }, { host: "http://e", auth: {} }],
    [
      { KF_PIPELINES_ENDPOINT: "http://e", KF_PIPELINES_UI_ENDPOINT: "" },
      { host: "http://e", auth: {} },
    ],
    [
      { KF_PIPELINES_ENDPOINT: "http://e", KF_PIPELINES_UI_ENDPOINT: "http://ui" },
      { host: "http://e", uiHost: "http://ui", auth: {} },
    ],
  ])("%j is taken what there is", async (env, found) => {
    expect(await discoverConnection({ ...machine(), env })).toStrictEqual(found);
    expect(await discoverConnection({ ...machine(), env, host: "" })).toStrictEqual(found);
    expect(await discoverConnection({ ...machine(), env, host })).toEqual({ ...found, host });
  });

  test("the kubeconfig files are taken, and those that are called nothing are not", async () => {
    const config = (server: string) =>
      `{current-context: m, contexts: [{name: m, context: {cluster: c}}], clusters: [{name: c, cluster: {server: "${server}"}}]}`;
    const own = machine({ ".kube/config": config("https://own"), other: config("https://other/") });
    const proxy = "/api/v1/namespaces/kubeflow/services/ml-pipeline:http/proxy";
    for (const [KUBECONFIG, server] of [
      ["", "https://own"],
      [":", "https://own"],
      [join(own.home, "other"), "https://other"],
      [`:${join(own.home, "gone")}:${join(own.home, "other")}`, "https://other"],
    ] as const)
      expect(await discoverConnection({ ...own, env: { KUBECONFIG } })).toEqual({
        host: `${server}${proxy}`,
        auth: {},
      });
    expect((await discoverConnection({ ...own, installedIn: "a b" })).host).toBe(
      `https://own${proxy.replace("kubeflow", "a%20b")}`,
    );
  });
});

describe("a pod", () => {
  test("has its token where Kubeflow puts it, if nothing else is said", () => {
    expect(podTokenPath).toBe("/var/run/secrets/kubeflow/pipelines/token");
  });

  test("is not hidden by an address or a namespace that is empty", async () => {
    const pod = machine({ "pod/namespace": "team", [contextFile]: '{"namespace":""}' });
    expect(await discoverConnection({ ...pod, env: { KF_PIPELINES_ENDPOINT: "" } })).toMatchObject({
      host: "http://ml-pipeline.kubeflow.svc.cluster.local:8888",
      namespace: "team",
    });
  });

  test("has a namespace of its own, after that which is given or remembered", async () => {
    const files = { "pod/namespace": " team\n" };
    const plain = machine(files);
    expect(await discoverConnection({ ...plain, installedIn: "kfp" })).toMatchObject({
      host: "http://ml-pipeline.kfp.svc.cluster.local:8888",
      namespace: "team",
    });
    expect((await discoverConnection({ ...plain, namespace: "given" })).namespace).toBe("given");
    expect(await discoverConnection({ ...plain, namespace: "" })).not.toHaveProperty("namespace");
    const remembered = machine({ ...files, [contextFile]: '{"namespace":"mine"}' });
    expect((await discoverConnection(remembered)).namespace).toBe("mine");
  });

  test("has its token where it says, or none while there is no file", async () => {
    const here = machine({ "pod/namespace": "team", token: " t\n", empty: " \n", folder: undefined });
    const tokenOf = async (path: string | undefined): Promise<unknown> => {
      const env: Record<string, string> = path === undefined ? {} : { KF_PIPELINES_SA_TOKEN_PATH: path };
      const { auth } = await discoverConnection({ ...here, env });
      return typeof auth?.token === "function"
        ? auth.token({ isRenewal: false, signal: new AbortController().signal })
        : expect.unreachable("a token is asked for");
    };
    expect(await tokenOf(join(here.home, "token"))).toBe("t");
    expect(await tokenOf(join(here.home, "gone"))).toBeUndefined();
    expect(await tokenOf(undefined)).toBeUndefined();
    expect(await tokenOf("")).toBeUndefined();
    expect(await rejection(Promise.resolve(tokenOf(join(here.home, "folder"))))).toMatchObject({
      code: "EISDIR",
    });
    expect(await rejection(Promise.resolve(tokenOf(join(here.home, "empty"))))).toMatchObject({
      message: `there is no token in ${join(here.home, "empty")}`,
    });
  });
});

test("a token file says what it lacks", async () => {
  const { home } = machine({ empty: "\n", token: "t\n" });
  expect(await tokenFile(join(home, "token"))()).toBe("t");
  await expect(tokenFile(join(home, "empty"))()).rejects.toThrow(
    `there is no token in ${join(home, "empty")}`,
  );
  await expect(tokenFile(join(home, "gone"))()).rejects.toMatchObject({ code: "ENOENT" });
});

describe("a kubeconfig file", () => {
  const { stringify } = JSON;
  const configOf = (user: object, cluster: object = {}) =>
    stringify({
      ...{ "current-context": "m", contexts: [{ name: "m", context: { cluster: "c", user: "u" } }] },
      clusters: ["x", { name: "c", cluster: { server: "https://c//", ...cluster } }],
      users: [{ name: "u", user }],
    });
  const found = (files: Readonly<Record<string, string | undefined>>) => discoverConnection(machine(files));
  const pem = (name: string) =>
    readFileSync(new URL(`../testdata/authority/${name}.pem`, import.meta.url), "utf8");
  const where = (path: string) => `the context "m" of ${path}`;

  test("has a token, or a file with one beside it", async () => {
    expect((await found({ ".kube/config": configOf({ token: "a", tokenFile: "t" }) })).auth).toEqual({
      token: "a",
    });
    expect((await found({ ".kube/config": configOf({}) })).auth).toEqual({});
    const { auth } = await found({ ".kube/config": configOf({ tokenFile: "t" }), ".kube/t": "b\n" });
    expect(typeof auth?.token === "function" && (await auth.token({} as never))).toBe("b");
  });

  test("has certificates in files beside it, or in itself", async () => {
    const base64 = Buffer.from(pem("certificate")).toString("base64");
    for (const cluster of [
      { "certificate-authority": "ca.pem" },
      { "certificate-authority-data": base64 },
      { "certificate-authority-data": base64, "certificate-authority": "gone.pem" },
      { "tls-server-name": "other" },
    ]) {
      const { fetch } = await found({
        ".kube/config": configOf({}, cluster),
        ".kube/ca.pem": pem("certificate"),
      });
      expect(fetch).toBeTypeOf("function");
    }
    const pair = { "client-certificate": "c.pem", "client-key": "k.pem" };
    const files = { ".kube/c.pem": pem("certificate"), ".kube/k.pem": pem("key") };
    expect((await found({ ".kube/config": configOf(pair), ...files })).fetch).toBeTypeOf("function");
    expect(await found({ ".kube/config": configOf({}) })).not.toHaveProperty("fetch");
  });

  const reason = (why: string) =>
    `no server of Kubeflow Pipelines was found: no \`host\`, no KF_PIPELINES_ENDPOINT, no pod, and no use of the kubeconfig file (${why})`;

  test.each<readonly [what: string, config: string, why: (path: string) => string]>([
    ["nothing", "5", (path) => `${path}: no cluster for the context ""`],
    [
      "lists of something else",
      '{"current-context":"m","contexts":{}}',
      (path) => `${path}: no cluster for the context "m"`,
    ],
    [
      "a context of something else",
      '{"current-context":"m","contexts":[{"name":"m","context":5}]}',
      (path) => `${path}: no cluster for the context "m"`,
    ],
    [
      "no user of the name",
      configOf({}).replace('"name":"u"', '"name":"v"'),
      (path) => `${path}: there is no user "u"`,
    ],
    [
      "a proxy",
      configOf({}, { "proxy-url": "http://p" }),
      (path) => `${where(path)} goes through a proxy, which is not done here: give \`fetch\` and \`host\``,
    ],
    [
      "no look at certificates",
      configOf({}, { "insecure-skip-tls-verify": true }),
      () => "a cluster whose certificate nobody checks is not talked to: give `certificate-authority`",
    ],
    [
      "a certificate that is none",
      configOf({ "client-certificate-data": "eA==", "client-key-data": "eA==" }),
      () => "`client-certificate` of the kubeconfig file is not in PEM",
    ],
    [
      "a key that is none",
      configOf({ "client-key-data": "eA==" }),
      () => "`client-key` of the kubeconfig file is not in PEM",
    ],
  ])("of no use, with %s, says why", async (_, config, why) => {
    const here = machine({ ".kube/config": config });
    expect(await rejection(discoverConnection(here))).toMatchObject({
      message: reason(why(join(here.home, ".kube/config"))),
      cause: expect.any(Error),
    });
  });

  test("that cannot be read says why, and of several one may be missing, but not unreadable", async () => {
    const here = machine({ folder: undefined, good: configOf({}) });
    const [folder, good, gone] = ["folder", "good", "gone"].map((name) => join(here.home, name));
    const using = (...paths: readonly unknown[]) =>
      discoverConnection({ ...here, env: { KUBECONFIG: paths.join(delimiter) } });
    for (const [paths, why] of [
      [[gone], "ENOENT: no such file or directory"],
      [[folder], "EISDIR: illegal operation on a directory"],
      [[good, folder], "EISDIR: illegal operation on a directory"],
    ] as const)
      expect(await rejection(using(...paths))).toMatchObject({ message: expect.stringContaining(why) });
    // All of them are named.
    for (const [config, start] of [
      [configOf({}, { "proxy-url": "http://p" }), 'the context "m" of '],
      [configOf({}).replace('"name":"u"', '"name":"v"'), ""],
      ["{}", ""],
    ] as const) {
      const wrong = join(machine({ wrong: config }).home, "wrong");
      expect(await rejection(using(gone, wrong))).toMatchObject({
        message: expect.stringContaining(`(${start}${gone}, ${wrong}`),
      });
    }
    expect((await using(good, gone)).host).toMatch(/^https:\/\/c\/api\/v1\//);
    expect(await rejection(discoverConnection(machine()))).toMatchObject({
      message: expect.stringContaining("ENOENT: no such file or directory"),
    });
  });

  test.each<readonly [user: object, obstacle: string]>([
    [{ exec: {} }, "gets its token from another program, which is not run here"],
    [{ "auth-provider": {} }, "gets its token from another program, which is not run here"],
    [{ username: "u" }, "has a user and a password, which servers do not take any more"],
    [{ password: "p" }, "has a user and a password, which servers do not take any more"],
    [{ "as-groups": "x" }, "acts as somebody else, which is not done here"],
    [{ "as-user-extra": {} }, "acts as somebody else, which is not done here"],
    [{ as: "x" }, "acts as somebody else, which is not done here"],
  ])("whose user is %j has no token, and says so when it is asked", async (user, obstacle) => {
    const here = machine({ ".kube/config": configOf({ token: "t", ...user }) });
    const { auth } = await discoverConnection(here);
    const asked = typeof auth?.token === "function" ? auth.token({} as never) : undefined;
    await expect(asked).rejects.toThrow(
      `${where(join(here.home, ".kube/config"))} ${obstacle}: give \`auth\` a token`,
    );
  });
});

describe("nodeFetch", () => {
  async function serving(respond: Parameters<typeof createServer>[1]) {
    const server = createServer(respond as never).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server, "listening");
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c` };
  }

  test("sends what it is told, and gives what it is answered", async () => {
    const got: unknown[] = [];
    const { url } = await serving((request, response) => {
      const { method, url: path, headers } = request;
      let body = "";
      request.on("data", (chunk) => {
        body += `${chunk}`;
      });
      request.on("end", () => {
        got.push([method, path, body, headers["x-a"], headers["accept-encoding"]]);
        response
          .writeHead(
            201,
            [
              ["x-b", "1"],
              ["x-b", "2"],
            ].flat(),
          )
          .end("text");
      });
    });
    const fetch = nodeFetch({});
    const answer = await fetch(url, { method: "POST", body: "hello", headers: { "X-A": "b" } });
    expect([answer.status, answer.headers.get("x-b"), await answer.text()]).toEqual([201, "1, 2", "text"]);
    await (await fetch(url, { headers: { "accept-encoding": "identity" }, body: null, signal: null })).text();
    expect(got).toEqual([
      ["POST", "/a?b=c", "hello", "b", "gzip, deflate, br"],
      ["GET", "/a?b=c", "", undefined, "identity"],
    ]);
  });

  test("ends with its signal, and so does the connection", async () => {
    const { server, url } = await serving(() => {});
    const leaving = new AbortController();
    const asked = nodeFetch({})(url, { signal: leaving.signal });
    const [request] = await once(server, "request");
    const closed = once(request.socket, "close");
    leaving.abort(new Error("enough"));
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    await closed;
    await expect(nodeFetch({})(url, { signal: leaving.signal })).rejects.toThrow("enough");
  });

  test("takes several authorities", () => {
    expect(nodeFetch({ ca: [pemOf("certificate"), pemOf("certificate")] })).toBeTypeOf("function");
  });
});

function pemOf(name: string): string {
  return readFileSync(new URL(`../testdata/authority/${name}.pem`, import.meta.url), "utf8");
}
