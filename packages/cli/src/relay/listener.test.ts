import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { connect as connectPlainly, Server, Socket } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import type { TlsVersion } from "./config/value-types.js";
import { listen } from "./listener.js";

const read = (name: string) => readFileSync(new URL(`../../testdata/relay/${name}`, import.meta.url), "utf8");
const pair = (name: string) => ({ cert: read(`${name}-certificate.pem`), key: read(`${name}-key.pem`) });

async function listenWith(minVersion: TlsVersion) {
  const tls = { certificate: pair("first"), minVersion };
  const listener = await listen({ port: 0, host: "127.0.0.1", handler: (_, answer) => answer.end(), tls });
  onTestFinished(() => listener.close());
  return listener;
}

/** Who proves to be there, and in which version; nothing where no connection comes about. */
async function meet(port: number, options: ConnectionOptions): Promise<string | undefined> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
  onTestFinished(() => void socket.destroy());
  try {
    await once(socket, "secureConnect");
    return `${socket.getPeerCertificate().subject.CN} ${socket.getProtocol()}`;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

const old = { ciphers: "DEFAULT@SECLEVEL=0" };
const versions = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;

test.each<[TlsVersion, readonly string[]]>([
  ["1.0", versions],
  ["1.1", versions.slice(1)],
  ["1.2", versions.slice(2)],
  ["1.3", versions.slice(3)],
])(
  "with %s as the least version %j are spoken, also with a certificate that comes later",
  async (least, spoken) => {
    const listener = await listenWith(least);
    const met = () =>
      Promise.all(
        versions.map((version) => meet(listener.port, { ...old, minVersion: version, maxVersion: version })),
      );
    const expected = (name: string) =>
      versions.map((version) => (spoken.includes(version) ? `${name} ${version}` : undefined));
    expect(await met()).toEqual(expected("first.example"));
    listener.renew(pair("second"));
    expect(await met()).toEqual(expected("second.example"));
  },
);

test.each<[TlsVersion, boolean]>([
  ["1.0", true],
  ["1.1", true],
  ["1.2", false],
])("with %s as the least version signatures that are broken are taken: %s", async (least, taken) => {
  const listener = await listenWith(least);
  const options = { ...old, maxVersion: "TLSv1.2", sigalgs: "ECDSA+SHA1:RSA+SHA1" } as const;
  expect(await meet(listener.port, options)).toBe(taken ? "first.example TLSv1.2" : undefined);
});

test("without a certificate there is nothing to renew, and a port that is taken is told", async () => {
  const handler = () => {};
  const listener = await listen({ port: 0, host: "127.0.0.1", handler });
  onTestFinished(() => listener.close());
  expect(() => listener.renew(pair("second"))).not.toThrow();
  await expect(listen({ port: listener.port, host: "127.0.0.1", handler })).rejects.toThrow("EADDRINUSE");
});

test.each([
  ["says nothing", Buffer.alloc(0)],
  ["says half of a greeting", Buffer.from([0x16, 3, 1])],
])("a connection that %s where TLS is spoken ends when the listener is closed", async (_, said) => {
  const listener = await listenWith("1.2");
  const socket = connectPlainly(listener.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).write(said);
  // Whoever comes later is met when the first one has been taken.
  expect(await meet(listener.port, {})).toBe("first.example TLSv1.3");
  const closed = once(socket, "close");
  await listener.stop(0);
  listener.close();
  await closed;
});

test.each([
  [60_000, 200],
  [70_000, 431],
])(
  "a head of %i bytes is answered with %i, and connections stay open for longer than balancers keep them",
  async (bytes, status) => {
    const handler: RequestListener = (_, answer) => void answer.end();
    const listener = await listen({ port: 0, host: "127.0.0.1", handler });
    onTestFinished(() => listener.close());
    const base = `http://127.0.0.1:${listener.port}`;
    expect((await fetch(base, { headers: { cookie: "x".repeat(bytes) } })).status).toBe(status);
    expect((await fetch(base)).headers.get("keep-alive")).toBe("timeout=75");
  },
);

test("connections above the limit are closed, which is told", async () => {
  let reached = 0;
  const limit = { most: 1, reached: () => void reached++ };
  const listener = await listen({ port: 0, host: "127.0.0.1", handler: () => {}, limit });
  onTestFinished(() => listener.close());
  const open = () => {
    const socket = connectPlainly(listener.port, "127.0.0.1").on("error", () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  await once(open(), "connect");
  await once(open(), "close");
  expect(reached).toBe(1);
});

test("what is still open is ended with it, and thousands may wait to be taken", async () => {
  const listening = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => listening.mockRestore());
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const listener = await listen({ port: 0, host: "127.0.0.1", handler: () => isAsked() });
  expect(listening.mock.calls[0]?.[0]).toMatchObject({ host: "127.0.0.1", backlog: 4096 });
  const response = fetch(`http://127.0.0.1:${listener.port}`);
  await asked;
  listener.close();
  await expect(response).rejects.toThrow();
});

test("of connections that have ended nothing is kept", async () => {
  const served: Socket[] = [];
  const handler: RequestListener = ({ socket }, answer) => {
    served.push(socket);
    answer.end();
  };
  const listener = await listen({ port: 0, host: "127.0.0.1", handler });
  const client = connectPlainly(listener.port, "127.0.0.1");
  client.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").resume();
  await expect.poll(() => served.map(({ closed }) => closed)).toEqual([true]);
  const ended = vi.spyOn(Socket.prototype, "destroy");
  onTestFinished(() => ended.mockRestore());
  listener.close();
  expect(ended).not.toHaveBeenCalled();
});
