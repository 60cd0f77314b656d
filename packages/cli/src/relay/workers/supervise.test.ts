import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import timers from "node:timers/promises";
import tls from "node:tls";
import { UpstreamConnections } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { copyCertificate, tlsLines } from "../../../test/certificate-files.js";
import { createMember } from "../../../test/create-member.js";
import { everywhere } from "../../../test/everywhere.js";
import { makeFolder } from "../../../test/run-program.js";
import type { Host } from "../../host.js";
import { loadConfig } from "../config/load-config.js";
import { createLog, logRules } from "../log.js";
import { createReloadRequests } from "../reload-requests.js";
import { AnnouncementHub } from "./announcement-hub.js";
import type { SentUpstream, ToWorker } from "./messages.js";
import { supervise } from "./supervise.js";

/** Waits until this holds, however slow the machine is. */
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000, interval: 10 });

/** A worker that reads the configuration again when it is told to. */
function createReader() {
  const hands = createMember();
  const { member, told, say } = hands;
  const send = (message: ToWorker) => {
    member.send(message);
    if (message.type === "reload") say({ type: "configure" });
  };
  return {
    ...hands,
    member: { ...member, send },
    /** It has what it needs, and serves. */
    begin() {
      for (const type of ["configure", "identify"] as const) say({ type });
      expect(told.splice(0).map(({ type }) => type)).toEqual(["configuration", "credentials"]);
      say({ type: "serving", port: 8030 });
    },
  };
}

const environment = '[Environment "a"]\nsdkKey = sdk-a\n';

/** A relay with two workers, and the configuration file `relay.conf` in its folder. */
async function start(lines = "", { cwd = makeFolder(), address }: { cwd?: string; address?: string } = {}) {
  const write = (more: string) =>
    writeFileSync(join(cwd, "relay.conf"), `[Main]\nstreamUri = http://127.0.0.1:1\n${environment}${more}`);
  write(lines);
  const ending = new AbortController();
  let printed = "";
  const output = { write: (text: string) => (printed += text) };
  let reload = () => {};
  const host: Host = {
    ...{ cwd, env: {}, out: output, err: output, interrupted: ending.signal },
    readInput: async () => undefined,
    onReload(listener) {
      reload = listener;
      return () => {};
    },
  };
  const sources = { cwd, file: "relay.conf" };
  const loaded = await loadConfig(sources);
  const reloads = createReloadRequests(host);
  const trial = { cwd, env: {}, isDev: false, isWorker: false };
  const request = { loaded, sources, trial, workers: 2, worker: undefined, host, reloads };
  const members: ReturnType<typeof createReader>[] = [];
  const log = createLog(host, logRules(loaded.config), () => new Date());
  const ended = supervise({ ...request, ...(address === undefined ? {} : { address }) }, log, reloads, () => {
    const one = createReader();
    members.push(one);
    return one.member;
  });
  ended.catch(() => {});
  onTestFinished(async () => {
    ending.abort();
    for (const one of members) one.end(0);
    await ended.catch(() => {});
  });
  await until(() => expect(members.length === 2 || expect.fail(printed)).toBe(true));
  return {
    ...{ members, ended, write, cwd, printed: () => printed },
    /** All of them serve, and that is known. */
    async serve() {
      for (const { begin } of members) begin();
      await until(() => expect(printed).toContain("2 workers serve on port 8030"));
    },
    reload: () => reload(),
    interrupt: () => ending.abort(),
  };
}

/** How often what a supervisor has of its own was closed. */
function closed() {
  const upstream = vi.spyOn(UpstreamConnections.prototype, "close");
  const announcements = vi.spyOn(AnnouncementHub.prototype, "close");
  onTestFinished(() => {
    upstream.mockRestore();
    announcements.mockRestore();
  });
  return () => [upstream.mock.calls.length, announcements.mock.calls.length];
}

const typesOf = (told: readonly ToWorker[]) => told.map(({ type }) => type);

test.each([3, 0, "SIGSEGV"])("workers of which one ends with %j before it serves end with 1", async (how) => {
  const times = closed();
  const { members, ended, printed } = await start();
  members[1]?.end(how);
  expect(await ended).toBe(1);
  expect(await members[0]?.member.ended).toBe("SIGKILL");
  expect(times()).toEqual([1, 1]);
  expect(printed()).not.toContain("workers serve");
});

test("whoever ends it before all workers serve waits for those alone that do", async () => {
  const times = closed();
  const { members, ended, interrupt, printed } = await start();
  members[0]?.begin();
  interrupt();
  expect(await members[1]?.member.ended).toBe("SIGKILL");
  expect(typesOf(members[0]?.told ?? [])).toEqual(["end"]);
  expect(times()).toEqual([0, 0]);
  members[0]?.end(0);
  expect(await ended).toBe(0);
  expect(times()).toEqual([1, 1]);
  expect(printed()).not.toContain("workers serve");
});

test.each([
  ["7s", 12_000],
  ["0s", 5000],
  ["-1s", 5000],
])("with a drain timeout of %s workers have %i ms to end", async (text, ms) => {
  const pauses = everywhere(vi.spyOn(timers, "setTimeout"));
  const { members, ended, serve, interrupt } = await start(`[Wye]\ndrainTimeout = ${text}\n`);
  await serve();
  pauses.mockClear();
  interrupt();
  await until(() => expect(pauses).toHaveBeenCalled());
  const [[asked, , options] = []] = pauses.mock.calls;
  expect([asked, options?.signal?.aborted]).toEqual([ms, false]);
  for (const { end } of members) end(0);
  expect(await ended).toBe(0);
  // Nobody waits for the rest of it.
  expect(options?.signal?.aborted).toBe(true);
});

test("a worker that has ended is listened to no more, but for its end", async () => {
  const { members, serve } = await start();
  await serve();
  const [first] = members;
  const before = first?.takers.size ?? 0;
  first?.end("SIGSEGV");
  // By the hubs, the configuration and the credentials.
  await until(() => expect(first?.takers.size).toBe(before - 4));
});

test("what is read again is there when workers are told of it, and holds for the log", async () => {
  const { members, serve, write, reload, printed, ended, interrupt } = await start();
  await serve();
  const more = "[Main]\nlogLevel = error\n";
  write(more);
  reload();
  await until(() =>
    expect(members.map(({ told }) => typesOf(told))).toEqual([
      ["reload", "configuration"],
      ["reload", "configuration"],
    ]),
  );
  for (const { told } of members)
    expect(told.at(-1)).toEqual({ type: "configuration", text: expect.stringContaining(more) });
  write("[Main]\nport = x\n");
  reload();
  await until(() => expect(printed()).toContain("the configuration stays as it was"));
  for (const { told } of members) expect(told).toHaveLength(2);
  interrupt();
  for (const { end } of members) end(0);
  expect(await ended).toBe(0);
  expect(printed()).not.toContain("ended");
  expect(printed()).not.toContain("base address");
});

test("workers have another certificate before they are told to read the configuration again", async () => {
  const cwd = makeFolder();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
  const { members, serve, reload } = await start(`[Main]\n${tlsLines.join("\n")}\n`, { cwd });
  await serve();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "second", what);
  reload();
  for (const { told } of members)
    await until(() => expect(typesOf(told).slice(0, 2)).toEqual(["certificate", "reload"]));
});

test("upstream is asked for what workers want, and further authorities are believed of it", async () => {
  const connecting = vi.spyOn(tls, "connect");
  onTestFinished(() => connecting.mockRestore());
  const cwd = makeFolder();
  copyCertificate(cwd, "first", "certificate");
  const { members, serve } = await start("[Proxy]\ncaCertFiles = certificate.pem\n", { cwd });
  await serve();
  const [app, polling, events, stream] = Array.from({ length: 4 }, () => "https://127.0.0.1:1");
  const limits = { readTimeoutMs: 60_000, requestTimeoutMs: 60_000, maxEventBytes: 1000 };
  const upstream = { app, polling, events, stream, ...limits } as SentUpstream;
  const request = { label: "a", sdkKey: "sdk-a", filter: undefined, upstream };
  members[0]?.say({ type: "open", source: 1, request });
  await until(() => expect(connecting).toHaveBeenCalled());
  const ca = expect.arrayContaining([readFileSync(join(cwd, "certificate.pem"), "utf8")]);
  expect(connecting.mock.calls[0]?.[0]).toMatchObject({ ca });
});

/** Something that has a port of this machine. */
async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("without a port for operators nobody is served", async () => {
  const times = closed();
  const port = await takePort();
  const { members, ended } = await start(`[Wye]\nstatusPort = ${port}\n`, { address: "127.0.0.1" });
  for (const { begin } of members) begin();
  await until(() => expect(members.map(({ told }) => typesOf(told))).toEqual([["end"], ["end"]]));
  for (const { end } of members) end(0);
  await expect(ended).rejects.toThrow(`Error starting http listener on port: ${port}`);
  expect(times()).toEqual([1, 1]);
});

test("operators are answered on the interface alone that was asked for", async () => {
  const port = await takePort();
  // It is taken on one address of this machine, and free on another.
  const { serve } = await start(`[Wye]\nstatusPort = ${port}\n`, { address: "127.0.0.2" });
  await serve();
  await expect(fetch(`http://127.0.0.3:${port}/live`)).rejects.toThrow();
});
