import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import tls from "node:tls";
import type { UpstreamDispatcher } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "./config/load-config.js";
import { authorityFiles, createOutbound } from "./outbound.js";
import { tryConfig } from "./try-config.js";

async function configOf(proxy = "") {
  const { config } = await loadConfig({
    cwd: "/",
    file: "relay.conf",
    readText: async () => `${proxy}\n[Environment "a"]\nsdkKey = sdk-a\n`,
  });
  return config;
}

/** A proxy that refuses every tunnel, and remembers what for and as whom. */
async function startProxy() {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", ({ url, headers }, socket: Duplex) => {
    socket.on("error", () => {});
    asked.push(`${url} ${headers["proxy-authorization"] ?? ""}`.trim());
    socket.end("HTTP/1.1 502 refused\r\ncontent-length: 0\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, place: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A proxy that takes every request for a tunnel and answers none. */
async function startSilentProxy(): Promise<string> {
  const server = createServer();
  const sockets = new Set<Duplex>();
  server.on("connect", (_, socket: Duplex) => void sockets.add(socket.on("error", () => {})));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server on this machine. */
async function startOrigin(): Promise<string> {
  const server = createServer((_, res) => res.end("direct"));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What an address answers. */
async function ask(dispatcher: UpstreamDispatcher, address: string): Promise<string> {
  const { origin, pathname: path } = new URL(address);
  const signal = new AbortController().signal;
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const { body } = await dispatcher.request({ origin, path, method: "GET", headers: {}, signal, ...limits });
  return (await body.toArray()).join("");
}

/** Asks for an address; what the proxy was asked for. */
async function tunnelTo(address: string, variables: (place: string) => Record<string, string>, config = "") {
  const { asked, place } = await startProxy();
  const { dispatcher, close } = await createOutbound(
    await configOf(config.replace("PLACE", place)),
    variables(place),
  );
  onTestFinished(close);
  await ask(dispatcher, address).catch(() => {});
  return asked;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test.each([
  ["without a scheme", "http://a.invalid", (at: string) => ({ HTTP_PROXY: at }), "a.invalid:80"],
  ["with one", "http://a.invalid", (at: string) => ({ http_proxy: `http://${at}` }), "a.invalid:80"],
  ["for https", "https://a.invalid", (at: string) => ({ HTTPS_PROXY: at }), "a.invalid:443"],
  [
    "with the variables in capitals first, as in Go",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: at, https_proxy: "127.0.0.1:1" }),
    "a.invalid:443",
  ],
  [
    "with those in small letters where they are empty",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: "", https_proxy: at }),
    "a.invalid:443",
  ],
  [
    "with a user and a password",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: `us:p%40ss@${at}` }),
    `a.invalid:443 ${basic("us:p@ss")}`,
  ],
  [
    "with blanks around it",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: ` ${at} ` }),
    "a.invalid:443",
  ],
  [
    "with a scheme in capitals, and user and password as they are written",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: `HTTP://Us:Pass@${at}` }),
    `a.invalid:443 ${basic("Us:Pass")}`,
  ],
  [
    "with a user that has no password",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: `http://token@${at}` }),
    `a.invalid:443 ${basic("token:")}`,
  ],
  [
    "with a password alone",
    "https://a.invalid",
    (at: string) => ({ HTTPS_PROXY: `http://:p@${at}` }),
    `a.invalid:443 ${basic(":p")}`,
  ],
] as const)("a proxy is asked %s", async (_, address, variables, tunnel) => {
  expect(await tunnelTo(address, variables)).toEqual([tunnel]);
});

test.each([
  ["for https when only HTTP_PROXY is set", "https://a.localhost:1", (at: string) => ({ HTTP_PROXY: at })],
  ["for http when only HTTPS_PROXY is set", "http://a.localhost:1", (at: string) => ({ HTTPS_PROXY: at })],
  ["for this machine", "http://127.0.0.1:1", (at: string) => ({ HTTP_PROXY: at })],
  [
    "for a network that NO_PROXY excludes",
    "http://0.0.0.0:1",
    (at: string) => ({ HTTP_PROXY: at, NO_PROXY: "0.0.0.0/8" }),
  ],
  [
    "for anything with NO_PROXY=*",
    "http://a.localhost:1",
    (at: string) => ({ HTTP_PROXY: at, no_proxy: "*" }),
  ],
  [
    "for anything with no_proxy=* where NO_PROXY is empty",
    "http://a.localhost:1",
    (at: string) => ({ HTTP_PROXY: at, NO_PROXY: "", no_proxy: "*" }),
  ],
  [
    "for what NO_PROXY excludes, whatever no_proxy says",
    "http://a.localhost:1",
    (at: string) => ({ HTTP_PROXY: at, NO_PROXY: "*", no_proxy: "b.localhost" }),
  ],
] as const)("no proxy is asked %s", async (_, address, variables) => {
  expect(await tunnelTo(address, variables)).toEqual([]);
});

test("an address of this machine is asked directly, and through a proxy that the configuration names", async () => {
  const origin = await startOrigin();
  const { dispatcher, close } = await createOutbound(await configOf(), { HTTP_PROXY: "127.0.0.1:1" });
  onTestFinished(close);
  expect(await ask(dispatcher, origin)).toBe("direct");
  const asked = await tunnelTo(origin, () => ({ NO_PROXY: "*" }), "[Proxy]\nurl = http://token@PLACE");
  expect(asked).toEqual([`${new URL(origin).host} ${basic("token:")}`]);
});

test("a proxy that opens no tunnel is given up as a connection is", async () => {
  const place = await startSilentProxy();
  const config = await configOf(`[Proxy]\nurl = http://${place}`);
  const { dispatcher, close } = await createOutbound(config, {});
  onTestFinished(close);
  const message = "the proxy has opened no tunnel within 3000 ms";
  // Neither the head of the answer nor its body has a limit here.
  const asked = ["http", "https"].map((scheme) =>
    expect(ask(dispatcher, `${scheme}://a.invalid`)).rejects.toThrow(message),
  );
  await Promise.all(asked);
});

const none = "is not the address of a proxy, such as http://proxy.example:3128";

test.each([
  ["HTTPS_PROXY", "http://u:hunter2 w@h h:1080", `HTTPS_PROXY ${none}`],
  ["https_proxy", "http://", `https_proxy ${none}`],
  ["HTTP_PROXY", "socks5://", `HTTP_PROXY ${none}`],
  ["HTTP_PROXY", "hunter2:3128:3128", `HTTP_PROXY ${none}`],
  [
    "HTTP_PROXY",
    "socks5://u:hunter2@h:1080",
    "HTTP_PROXY: proxies are spoken to as http:// or https://, not socks5://",
  ],
  [
    "HTTPS_PROXY",
    "http://u:hunter2%zz@h:1080",
    "HTTPS_PROXY: a percent sign in its user or password is to be written as %25",
  ],
] as const)("%s=%s is a problem of the configuration", async (name, value, message) => {
  const problems = await tryConfig(await configOf(), {
    cwd: "/",
    env: { [name]: value },
    isDev: false,
    isWorker: false,
  });
  expect(problems).toEqual([{ message }]);
});

test("so is a password that cannot be read in [Proxy]", async () => {
  const config = await configOf("[Proxy]\nurl = http://u:hunter2%zz@h:1080");
  expect(await tryConfig(config, { cwd: "/", env: {}, isDev: false, isWorker: false })).toEqual([
    {
      at: "relay.conf:2",
      message: "[Proxy] url: a percent sign in its user or password is to be written as %25",
    },
  ]);
});

test("the log has which variable is used for what", async () => {
  const variables = { https_proxy: "http://u:hunter2@h:1080", HTTP_PROXY: "h:1080" };
  const { description, close } = await createOutbound(await configOf(), variables);
  await close();
  expect(description).toBe(
    "Using proxy servers: that of HTTP_PROXY for http://, that of https_proxy for https://",
  );
});

test("further authorities are believed beside those that everybody believes", async () => {
  const connecting = vi.spyOn(tls, "connect");
  onTestFinished(() => connecting.mockRestore());
  const { dispatcher, close } = await createOutbound(await configOf(), {}, ["one", "two"]);
  onTestFinished(close);
  await expect(ask(dispatcher, "https://127.0.0.1:1")).rejects.toThrow();
  expect(connecting.mock.calls[0]?.[0]).toMatchObject({ ca: [...tls.rootCertificates, "one", "two"] });
});

test("the log has the proxy of the configuration, without its password", async () => {
  const config = await configOf("[Proxy]\nurl = http://u:hunter2@h:1080");
  const { description, close } = await createOutbound(config, { HTTP_PROXY: "h:1" });
  await close();
  expect(description).toBe("Using proxy server at http://xxxxx:xxxxx@h:1080/");
});

test("the files of further authorities are where the program runs, without the blanks of their list", async () => {
  const config = await configOf("[Proxy]\ncaCertFiles = a.pem, /b.pem ,c.pem");
  expect(authorityFiles(config, "/etc")).toEqual(["/etc/a.pem", "/b.pem", "/etc/c.pem"]);
  expect(authorityFiles(await configOf(), "/etc")).toEqual([]);
});

test("once it is closed nothing is asked any more, directly or through a proxy", async () => {
  const { asked, place } = await startProxy();
  const { dispatcher, close } = await createOutbound(await configOf(), { HTTP_PROXY: place });
  const origin = await startOrigin();
  expect(await ask(dispatcher, origin)).toBe("direct");
  await close();
  for (const address of [origin, "http://a.invalid"])
    await expect(ask(dispatcher, address)).rejects.toThrow("The client is destroyed");
  expect(asked).toEqual([]);
});

/** A proxy that opens every tunnel, to nowhere. */
async function startTunnels(): Promise<string> {
  const server = createServer();
  server.on("connect", (_, socket: Duplex) => {
    socket.on("error", () => {});
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("further authorities are believed of a proxy, and behind one", async () => {
  const connecting = vi.spyOn(tls, "connect");
  onTestFinished(() => connecting.mockRestore());
  for (const proxy of ["https://127.0.0.1:1", await startTunnels()]) {
    connecting.mockClear();
    const { dispatcher, close } = await createOutbound(await configOf(), { HTTPS_PROXY: proxy }, ["one"]);
    onTestFinished(close);
    await expect(ask(dispatcher, "https://a.invalid")).rejects.toThrow();
    expect(connecting.mock.calls[0]?.[0]).toMatchObject({ ca: [...tls.rootCertificates, "one"] });
  }
});

test("a proxy that is not there is told as that", async () => {
  const { dispatcher, close } = await createOutbound(await configOf(), { HTTP_PROXY: "127.0.0.1:1" });
  onTestFinished(close);
  await expect(ask(dispatcher, "http://a.invalid")).rejects.toThrow("ECONNREFUSED");
});

test.each([
  ["of a variable", "", (place: string) => ({ HTTPS_PROXY: place })],
  ["of the configuration", "[Proxy]\nurl = http://PLACE", () => ({})],
])("what the proxy %s has not answered is given up when it is closed", async (_, text, variables) => {
  const place = await startSilentProxy();
  const { dispatcher, close } = await createOutbound(
    await configOf(text.replace("PLACE", place)),
    variables(place),
  );
  const refused = expect(ask(dispatcher, "https://a.invalid")).rejects.toThrow("The client is destroyed");
  await close();
  await refused;
});
