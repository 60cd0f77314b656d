import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { copyCertificate, tlsLines } from "./certificate-files.js";
import { eventually, fakeUpstream, flagsOf, mainSection, served, writeConfig } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import { type CrewInProcess, startCrewInProcess } from "./workers-in-process.js";

// Workers that are no processes: all that is told between them and who has started them is told here.

const environment = (name: string) => `[Environment "${name}"]\nsdkKey = sdk-${name}\n`;

async function start(more = "", size = 2) {
  const upstream = await fakeUpstream("sdk-a", "sdk-b");
  const cwd = makeFolder();
  const write = (text: string) => writeConfig(cwd, mainSection(upstream) + text);
  write(environment("a") + more);
  return { upstream, write, crew: await startCrewInProcess(cwd, { size }) };
}

/** All workers answer polls with an SDK key like this. */
async function everywhere(crew: CrewInProcess, sdkKey: string, status = 200): Promise<void> {
  for (const base of crew.bases()) await served(base, sdkKey, status);
}

test("workers serve what one connection to upstream brings, read the configuration again together, and end with the program", async () => {
  const { upstream, write, crew } = await start();
  await everywhere(crew, "sdk-a");
  expect(crew.bases()).toHaveLength(2);
  expect(upstream.streamRequests).toHaveLength(1);
  for (const base of crew.bases())
    expect(await (await flagsOf(base, "sdk-a")).json()).toMatchObject({ "my-flag": { version: 1 } });
  expect(crew.printed()).toMatch(/^\S+ \S+ INFO: 2 workers serve on port \d+$/m);
  for (const number of [1, 2]) expect(crew.printed()).toContain(`[${number}] INFO: listening on port `);

  await everywhere(crew, "sdk-b", 401);
  write(environment("b"));
  crew.reload();
  await everywhere(crew, "sdk-b");
  await everywhere(crew, "sdk-a", 401);
  expect(crew.printed().match(/INFO: read configuration file relay\.conf again$/gm)).toHaveLength(2);

  // One that takes the place of another serves what the others do by now.
  const killed = crew.printed().length;
  crew.kill(0);
  const third = await eventually(
    async () => crew.bases()[2],
    (base) => base !== undefined,
  );
  await served(third ?? "", "sdk-b");
  await served(third ?? "", "sdk-a", 401);
  // It begins with what was there at the start, and takes what holds by now as the others have.
  const readAgain = async () => crew.printed().match(/INFO: read configuration file relay\.conf again$/gm);
  await eventually(readAgain, (lines) => lines?.length === 3);
  const begun = crew.printed().slice(killed);
  expect(begun.indexOf("read configuration file")).toBeLessThan(begun.indexOf("listening on port"));

  const before = crew.printed().length;
  write(`${environment("b")}[Main]\nport = x\n`);
  crew.reload();
  await eventually(
    async () => crew.printed().slice(before),
    (text) => text.includes("the configuration stays as it was"),
  );
  for (const base of crew.bases().slice(1)) await served(base, "sdk-b");
  expect(await crew.end()).toBe(0);
  const last = crew.printed().slice(before);
  expect(last).toMatch(/ INFO: asked to end: workers take no more connections\n/);
  expect(last.trim().split("\n").at(-1)).toMatch(/^\S+ \S+ INFO: ended$/);
  for (const base of crew.bases()) await expect(flagsOf(base, "sdk-a")).rejects.toThrow();
});

test("operators are answered by the process that has started the workers, also while there is none", async () => {
  const [statusPort, metricsPort] = [await freePort(), await freePort()];
  const { crew } = await start(
    `[Wye]\nstatusPort = ${statusPort}\n[Prometheus]\nenabled = true\nport = ${metricsPort}\n`,
  );
  await everywhere(crew, "sdk-a");
  const ask = async (port: number, path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const status = await ask(statusPort, "/status");
  expect([status.status, JSON.parse(status.body).environments.a.connectionStatus.state]).toEqual([
    200,
    "VALID",
  ]);
  expect(status.headers.get("content-length")).toBe(String(Buffer.byteLength(status.body)));
  expect((await ask(statusPort, "/status", "DELETE")).status).toBe(405);
  expect((await ask(statusPort, "/none")).status).toBe(404);
  expect((await ask(metricsPort, "/status")).status).toBe(404);

  // Two workers have been asked, each for its own flags: their counters add up.
  for (const base of crew.bases()) await flagsOf(base, "sdk-a");
  const requests = async (port: number, query = "") => {
    const { status: code, headers, body } = await ask(port, `/metrics${query}`);
    expect([code, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const counts = Array.from(body.matchAll(/^wye_relay_requests_total\{.*\} (\d+)$/gm), ([, n]) =>
      Number(n),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const before = await requests(metricsPort);
  expect(before).toBeGreaterThanOrEqual(4);
  expect(await requests(statusPort, "?x=1")).toBe(before);
  expect(await ask(metricsPort, "/metrics", "POST")).toMatchObject({ status: 405, body: "" });

  for (const index of [0, 1]) crew.kill(index);
  const nobody = await eventually(
    () => ask(statusPort, "/status"),
    (answer) => answer.status === 503,
  );
  expect([nobody.body, nobody.headers.get("content-type")]).toEqual(['{"ready":false}', "application/json"]);
  // Others take their places, and what those have counted that are gone is not lost.
  await eventually(
    () => ask(statusPort, "/live"),
    (answer) => answer.status === 200,
  );
  expect(await requests(metricsPort)).toBeGreaterThanOrEqual(before);
  expect(crew.printed()).toContain("worker 1 has ended (SIGKILL); another takes its place");
  expect(await crew.end()).toBe(0);
  await expect(fetch(`http://127.0.0.1:${statusPort}/live`)).rejects.toThrow();
});

test("the way to upstream and that authorities were replaced are told once, by the process that has the connections to upstream", async () => {
  const cwd = makeFolder();
  copyCertificate(cwd, "first", "certificate");
  const upstream = await fakeUpstream("sdk-a");
  const lines = "[Proxy]\ncaCertFiles = certificate.pem\n";
  writeConfig(cwd, mainSection(upstream) + environment("a") + lines);
  // This machine is asked directly.
  const crew = await startCrewInProcess(cwd, { env: { HTTP_PROXY: "http://127.0.0.1:1" } });
  await everywhere(crew, "sdk-a");
  expect(crew.printed().match(/^.* Using proxy servers: .*$/gm)).toEqual([
    expect.stringMatching(/^\S+ \S+ INFO: Using /),
  ]);
  copyCertificate(cwd, "second", "certificate");
  crew.reload();
  const readAgain = async () => crew.printed().match(/INFO: read configuration file relay\.conf again$/gm);
  await eventually(readAgain, (found) => found?.length === 2);
  expect(await crew.end()).toBe(0);
  expect(crew.printed().match(/^.* caCertFiles .*$/gm)).toEqual([
    expect.stringMatching(/^\S+ \S+ WARN: \[Proxy\] caCertFiles has other certificates in it; /),
  ]);
});

test("without its certificate nobody is served, and why is told", async () => {
  const { crew } = await start("[Main]\ntlsEnabled = true\ntlsCert = none.pem\ntlsKey = none.pem\n");
  await expect(crew.ended).rejects.toThrow(/^TLS: .*none\.pem/);
  expect(crew.bases()).toEqual([]);
});

test("hints for developers come once, with the port of the workers", async () => {
  const cwd = makeFolder();
  writeConfig(cwd, `[OfflineMode]\nfileDataSource = flags.json\n`);
  writeFileSync(join(cwd, "flags.json"), '{"flagValues":{"a":true}}');
  const crew = await startCrewInProcess(cwd, { isDev: true });
  const [, port] = /workers serve on port (\d+)/.exec(crew.printed()) ?? [];
  expect(crew.printed().match(new RegExp(`of every SDK: http://localhost:${port}$`, "gm"))).toHaveLength(1);
  for (const base of crew.bases()) await served(base, "sdk-dev");
  expect(await crew.end()).toBe(0);
});

test("once all workers have ended nobody looks at certificates or listens to upstream any more", async () => {
  const timers = { set: vi.spyOn(globalThis, "setInterval"), clear: vi.spyOn(globalThis, "clearInterval") };
  onTestFinished(() => {
    for (const one of Object.values(timers)) one.mockRestore();
  });
  const cwd = makeFolder();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
  const upstream = await fakeUpstream();
  upstream.autoConfig("rel-1").setConfiguration({ environments: {} });
  writeConfig(cwd, `${mainSection(upstream, ...tlsLines)}[AutoConfig]\nkey = rel-1\n`);
  const crew = await startCrewInProcess(cwd);
  const looks = timers.set.mock.results.filter((_, index) => timers.set.mock.calls[index]?.[1] === 10_000);
  expect(looks).toHaveLength(1);
  await eventually(
    async () => upstream.streamRequests.length,
    (count) => count === 1,
  );
  expect(await crew.end()).toBe(0);
  expect(timers.clear).toHaveBeenCalledWith(looks[0]?.value);
});
