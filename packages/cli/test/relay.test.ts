import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { copyCertificate, subjectAt, tlsLines } from "./certificate-files.js";
import {
  eventually,
  fakeUpstream,
  flag,
  flagsOf,
  mainSection,
  served,
  start,
  writeConfig,
} from "./relay-and-upstream.js";
import { makeFolder, wye } from "./run-program.js";
import { type RunningRelay, startRelay } from "./run-relay.js";

/** Starts with two ports that are free. Somebody else may take one before the relay does: then with two others. */
async function startOnPorts(
  config: (metrics: number, status: number) => string,
): Promise<{ readonly relay: RunningRelay; readonly metrics: number; readonly status: number }> {
  for (;;) {
    const [metrics, status] = [await freePort(), await freePort()];
    try {
      return { relay: await start(config(metrics, status)), metrics, status };
    } catch (error) {
      if (metrics !== status && !String(error).includes("EADDRINUSE")) throw error;
    }
  }
}

describe("a relay", () => {
  test("serves the environments of its file, and ends with 0 when it is asked to", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const relay = await start(`${mainSection(upstream)}[Environment "a"]\nsdkKey = sdk-a\n`);
    await served(relay.base, "sdk-a");
    expect(Object.keys(await (await flagsOf(relay.base, "sdk-a")).json())).toEqual(["my-flag"]);
    expect((await flagsOf(relay.base, "sdk-b")).status).toBe(401);
    expect(
      (await fetch(`${relay.base}/bulk`, { method: "POST", headers: { Authorization: "sdk-a" } })).status,
    ).toBe(503);
    expect(await relay.end()).toBe(0);
    expect(relay.printed()).toMatch(
      /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{6} INFO: Starting wye relay version \S+ with configuration file relay\.conf plus environment variables\n/,
    );
    expect(relay.printed().trimEnd()).toMatch(/INFO: ended$/);
  });

  test("ends open streams and sends events that wait before it ends", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const relay = await start(
      `${mainSection(upstream)}sendEvents = true\nflushInterval = 1h\n[Environment "a"]\nsdkKey = sdk-a\n`,
    );
    await served(relay.base, "sdk-a");
    const stream = await fetch(`${relay.base}/all`, { headers: { Authorization: "sdk-a" } });
    expect(stream.status).toBe(200);
    const text = stream.text();
    const headers = {
      Authorization: "sdk-a",
      "Content-Type": "application/json",
      "X-LaunchDarkly-Event-Schema": "4",
    };
    const body = JSON.stringify([
      { kind: "custom", key: "bought", creationDate: 1, contextKeys: { user: "u" } },
    ]);
    expect((await fetch(`${relay.base}/bulk`, { method: "POST", headers, body })).status).toBe(202);
    expect(await relay.end()).toBe(0);
    expect(await text).toContain("event: put");
    expect(JSON.stringify(await upstream.takePosts(1))).toContain("bought");
    await expect(fetch(`${relay.base}/status`)).rejects.toThrow();
  });

  test("has its status and its metrics on ports of their own", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const { relay, status, metrics } = await startOnPorts(
      (first, second) =>
        `${mainSection(upstream)}[Prometheus]\nenabled\nport = ${first}\n[Wye]\nstatusPort = ${second}\n[Environment "a"]\nsdkKey = sdk-a\n`,
    );
    const statusOf = async (url: string) => (await fetch(url)).status;
    await eventually(
      () => statusOf(`http://127.0.0.1:${status}/ready`),
      (got) => got === 200,
    );
    expect(await statusOf(`http://127.0.0.1:${status}/status`)).toBe(200);
    expect(await statusOf(`${relay.base}/status`)).toBe(404);
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    expect(text).toContain('wye_relay_updates_total{environment="a"');
    expect(await statusOf(`http://127.0.0.1:${metrics}/status`)).toBe(404);
  });

  test("serves filters, and says what each environment is told to say", async () => {
    const upstream = await fakeUpstream("sdk-a", "sdk-b");
    const relay = await start(
      `${mainSection(upstream, "logLevel = none")}[Environment "a"]
sdkKey = sdk-a
projKey = shop
[Environment "b"]
sdkKey = sdk-b
projKey = other
[Filters "shop"]
keys = web, mobile
`,
      { LOG_LEVEL: "info" },
    );
    const names = await eventually(
      async () => Object.keys((await (await fetch(`${relay.base}/status`)).json()).environments),
      (list) => list.length > 0,
    );
    expect(names).toEqual(["a", "a/mobile", "a/web", "b"]);
  });

  test("writes its log as JSON", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const relay = await start(`${mainSection(upstream)}[Environment "a"]\nsdkKey = sdk-a\n`, {
      WYE_LOG_FORMAT: "json",
    });
    await relay.end();
    for (const line of relay.printed().trimEnd().split("\n")) {
      expect(Object.keys(JSON.parse(line))).toEqual(["time", "level", "message"]);
    }
  });

  test("goes to upstream through the proxy that it is given", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const tunnels: string[] = [];
    const sockets = new Set<Duplex>();
    const proxy = createServer((req, res) => {
      // Plain HTTP may come as a request for a whole address.
      tunnels.push(`${req.headers["proxy-authorization"]}`);
      const passed = request(req.url ?? "", { method: req.method, headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      passed.on("error", () => res.destroy());
      res.on("close", () => passed.destroy());
      req.pipe(passed);
    });
    proxy.on("connect", (req, socket, head) => {
      tunnels.push(`${req.headers["proxy-authorization"]}`);
      const { hostname, port } = new URL(`http://${req.url}`);
      const onward = connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.write(head);
        socket.pipe(onward).pipe(socket);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
      for (const one of [socket, onward]) {
        sockets.add(one);
        one.on("close", () => onward.destroy()).on("end", () => socket.destroy());
      }
    });
    proxy.listen(0, "127.0.0.1");
    await new Promise((resolve) => proxy.once("listening", resolve));
    onTestFinished(async () => {
      proxy.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    });
    const { port } = proxy.address() as AddressInfo;
    const relay = await start(
      `${mainSection(upstream)}[Proxy]\nurl = http://user:word@127.0.0.1:${port}\n[Environment "a"]\nsdkKey = sdk-a\n`,
    );
    await served(relay.base, "sdk-a");
    expect(tunnels).toContain(`Basic ${Buffer.from("user:word").toString("base64")}`);
    expect(relay.printed()).toContain(`Using proxy server at http://xxxxx:xxxxx@127.0.0.1:${port}/`);
    expect(relay.printed()).not.toContain("word@");
  });
});

test("what is printed as JSON is that of --check: without it nothing is served, and the way is told", async () => {
  const { code, err, out } = await wye(["relay", "--from-env", "--json"], {
    interrupted: AbortSignal.abort(),
  });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("--json needs --check");
});

describe("a relay that cannot start ends with 1", () => {
  const environment = `[Environment "a"]\nsdkKey = sdk-a\n`;

  test("when its port is taken", async () => {
    const server = createSocketServer().listen(0);
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, `${mainSection(upstream, `port = ${port}`)}${environment}`);
    const { code, err } = await wye(["relay", "--config", "relay.conf"], { cwd });
    expect(code).toBe(1);
    expect(err).toContain(`Error starting http listener on port: ${port}`);
    expect(err).toContain("EADDRINUSE");
  });

  test("when the port for Prometheus is taken", async () => {
    const server = createSocketServer().listen(0);
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const cwd = makeFolder();
    writeConfig(
      cwd,
      `${mainSection(await fakeUpstream("sdk-a"))}[Prometheus]\nenabled\nport = ${port}\n${environment}`,
    );
    const { code, err } = await wye(["relay", "--config", "relay.conf", "--port", "0"], { cwd });
    expect([code, err]).toEqual([1, expect.stringContaining("failed to start Prometheus listener")]);
  });

  test("when its configuration is wrong, with every mistake and no trace", async () => {
    const cwd = makeFolder();
    writeConfig(cwd, "[Main]\nport = x\nprot = 1\n");
    const { code, err, out } = await wye(["relay", "--config", "relay.conf"], { cwd });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      'wye: the configuration is wrong in 2 places\n  relay.conf:2: port: not a valid integer\n  relay.conf:3: unsupported or misspelled section "Main", variable "prot"; did you mean port?\n',
    );
  });
});

describe("without an account", () => {
  async function startDev(flags: string): Promise<RunningRelay> {
    const cwd = makeFolder();
    writeFileSync(join(cwd, "flags.yaml"), flags);
    const relay = await startRelay(["--dev", "flags.yaml"], { cwd });
    return relay;
  }

  test("the flags of a file are served, with keys that everybody knows", async () => {
    const relay = await startDev("my-flag: true\ngreeting: hello\n");
    await served(relay.base, "sdk-dev");
    expect(Object.keys(await (await flagsOf(relay.base, "sdk-dev")).json()).sort()).toEqual([
      "greeting",
      "my-flag",
    ]);
    const context = Buffer.from(JSON.stringify({ kind: "user", key: "u" })).toString("base64url");
    const evaluated = await (await fetch(`${relay.base}/sdk/evalx/dev/contexts/${context}`)).json();
    expect(evaluated).toMatchObject({ "my-flag": { value: true }, greeting: { value: "hello" } });
    await relay.until("the SDK key is sdk-dev, the mobile key mob-dev, the client-side ID dev");
    expect(
      (
        await fetch(`${relay.base}/bulk`, {
          method: "POST",
          headers: { Authorization: "sdk-dev" },
          body: "[]",
        })
      ).status,
    ).toBe(202);
  });

  test("a change of the file is served", async () => {
    const relay = await startDev("my-flag: true\n");
    await served(relay.base, "sdk-dev");
    writeFileSync(join(relay.cwd, "flags.yaml"), "another-flag: true\n");
    const names = async () => Object.keys(await (await flagsOf(relay.base, "sdk-dev")).json());
    expect(await eventually(names, (found) => !found.includes("my-flag"))).toEqual(["another-flag"]);
  });

  test("the configuration may be read again", async () => {
    const relay = await startDev("my-flag: true\n");
    relay.reload();
    await relay.until("read defaults again");
    await served(relay.base, "sdk-dev");
  });

  test("a mistake in the file is named with its line, and ends with 1", async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, "flags.yaml"), "my-flag:\n  variations: 7\n");
    const { code, err } = await wye(["relay", "--dev", "flags.yaml"], { cwd });
    expect([code, err]).toEqual([1, expect.stringMatching(/flags\.yaml:\d+: flag "my-flag"/)]);
    expect(await wye(["relay", "--dev", "none.yaml"], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining("none.yaml cannot be read"),
    });
  });

  test("a file that names environments and their keys is served by configuration", async () => {
    const cwd = makeFolder();
    writeFileSync(
      join(cwd, "flags.json"),
      JSON.stringify({ flagValues: { a: 1 }, environments: { dev: { sdkKey: "sdk-own" } } }),
    );
    const relay = await startRelay(["--from-env"], { cwd, env: { FILE_DATA_SOURCE: "flags.json" } });
    await served(relay.base, "sdk-own");
  });
});

test("more workers than a slip could mean are refused in a file as on the command line", async () => {
  const cwd = makeFolder();
  writeConfig(cwd, '[Wye]\nworkers = 8030\n[Environment "a"]\nsdkKey = sdk-a\n');
  const { code, err, out } = await wye(["relay", "--config", "relay.conf", "--check"], { cwd });
  expect(code).toBe(1);
  expect(`${out}${err}`).toContain("there are no more than 256");
});

describe("read again", () => {
  test("a configuration adds, changes and removes environments, and leaves streams of the others open", async () => {
    const upstream = await fakeUpstream("sdk-a", "sdk-b", "sdk-c", "sdk-d");
    const main = mainSection(upstream);
    const relay = await start(
      `${main}[Environment "a"]\nsdkKey = sdk-a\n[Environment "b"]\nsdkKey = sdk-b\n`,
    );
    await Promise.all(["sdk-a", "sdk-b"].map((key) => served(relay.base, key)));
    const stream = await fetch(`${relay.base}/all`, { headers: { Authorization: "sdk-a" } });
    writeConfig(
      relay.cwd,
      `${main}[Environment "a"]\nsdkKey = sdk-a\nttl = 5m\n[Environment "c"]\nsdkKey = sdk-c\n[Environment "d"]\nsdkKey = sdk-d\nenvId = d\n`,
    );
    relay.reload();
    await relay.until("read configuration file relay.conf plus environment variables again");
    await Promise.all(["sdk-a", "sdk-c", "sdk-d"].map((key) => served(relay.base, key)));
    expect((await flagsOf(relay.base, "sdk-b")).status).toBe(401);
    expect((await flagsOf(relay.base, "sdk-a")).headers.get("expires")).not.toBeNull();
    upstream.environment("sdk-a").patch("flags", flag("my-flag", false, 2));
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: patch")) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) throw new Error(`the stream has ended:\n${text}`);
      text += value;
    }
    await reader?.cancel();
  });

  test("keys may go from one environment to the other, and an ID may change", async () => {
    const upstream = await fakeUpstream("sdk-a", "sdk-b");
    const main = mainSection(upstream);
    const relay = await start(
      `${main}[Environment "a"]\nsdkKey = sdk-a\nenvId = one\n[Environment "b"]\nsdkKey = sdk-b\n`,
    );
    writeConfig(
      relay.cwd,
      `${main}[Environment "a"]\nsdkKey = sdk-b\nenvId = two\n[Environment "b"]\nsdkKey = sdk-a\n`,
    );
    relay.reload();
    await relay.until("again");
    const { environments } = await (await fetch(`${relay.base}/status`)).json();
    expect(environments.a.envId).toBe("two");
    await Promise.all(["sdk-a", "sdk-b"].map((key) => served(relay.base, key)));
  });

  test("a wrong one changes nothing", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const relay = await start(`${mainSection(upstream)}[Environment "a"]\nsdkKey = sdk-a\n`);
    writeConfig(relay.cwd, "[Nowhere]\nx = 1\n");
    relay.reload();
    await relay.until("the configuration stays as it was");
    expect(relay.printed()).toContain('ERROR: relay.conf:2: unsupported or misspelled section "Nowhere"');
    await served(relay.base, "sdk-a");
  });

  test("one with two environments in one place of a database changes nothing", async () => {
    const upstream = await fakeUpstream("sdk-p", "sdk-q", "sdk-r");
    const redis = "[Redis]\nhost = 127.0.0.1\nport = 1\n";
    const text = (...prefixes: [name: string, prefix: string][]) =>
      `${mainSection(upstream)}${redis}${prefixes
        .map(([name, prefix]) => `[Environment "${name}"]\nsdkKey = sdk-${name}\nprefix = ${prefix}\n`)
        .join("")}`;
    const relay = await start(text(["p", "ld"]));
    writeConfig(relay.cwd, text(["p", "ld"], ["q", "ld"], ["r", "ld-r"]));
    relay.reload();
    await relay.until("the configuration stays as it was");
    expect(relay.printed()).toMatch(
      /ERROR: relay\.conf:\d+: "q" and "p" would overwrite each other's flags under prefix "ld"/,
    );
    writeConfig(relay.cwd, text(["p", "ld"], ["q", "ld-q"], ["r", "ld-r"]));
    relay.reload();
    await Promise.all(["sdk-p", "sdk-q", "sdk-r"].map((key) => served(relay.base, key)));
  });

  test("one with a place that the database does not take changes nothing", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const text = (prefix: string) =>
      `${mainSection(upstream)}[Consul]\nhost = 127.0.0.1:1\n[Environment "a"]\nsdkKey = sdk-a\nprefix = ${prefix}\n`;
    const relay = await start(text("pa"));
    await served(relay.base, "sdk-a");
    writeConfig(relay.cwd, text("pa/"));
    relay.reload();
    await relay.until("the configuration stays as it was");
    expect(relay.printed()).toMatch(/ERROR: relay\.conf:\d+: "a" cannot be kept: consulStore: prefix must/);
    expect((await flagsOf(relay.base, "sdk-a")).status).toBe(200);
  });

  test("what needs a restart is named", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const environment = `[Environment "a"]\nsdkKey = sdk-a\n`;
    const relay = await start(mainSection(upstream) + environment);
    writeConfig(relay.cwd, `${mainSection(upstream, "port = 9000", "initTimeout = 1m")}${environment}`);
    relay.reload();
    await relay.until("[Main] initTimeout has changed; it needs a restart");
    expect(relay.printed()).toContain("[Main] port has changed; it needs a restart");
  });
});

test("SIGHUP is listened for whatever the relay does before it serves", async () => {
  const seen: string[] = [];
  const onReload = () => {
    seen.push("listens");
    return () => seen.push("stops");
  };
  await wye(["relay", "--from-env", "--check"], { env: { LD_ENV_a: "sdk-a" }, onReload });
  expect(seen).toEqual(["listens", "stops"]);
});

describe("TLS", () => {
  async function startTls(...more: readonly string[]): Promise<RunningRelay> {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
    writeConfig(cwd, `${mainSection(upstream, ...tlsLines, ...more)}[Environment "a"]\nsdkKey = sdk-a\n`);
    const relay = await startRelay(["--config", "relay.conf"], { cwd });
    return relay;
  }

  test("is served with the certificate, and from the least version on", async () => {
    const relay = await startTls("tlsMinVersion = 1.3");
    expect(relay.printed()).toContain("TLS enabled for server (minimum TLS version: 1.3)");
    expect(await subjectAt(relay.base)).toBe("first.example");
    expect(await subjectAt(relay.base, { maxVersion: "TLSv1.2" })).toMatch(/^error: .*protocol/i);
    await expect(fetch(`${relay.base}/status`)).rejects.toThrow();
  });

  test("serves old clients when it is told to", async () => {
    const relay = await startTls("tlsMinVersion = 1.0");
    const old = { maxVersion: "TLSv1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    expect(await subjectAt(relay.base, old)).toBe("first.example");
  });

  for (const what of ["certificate", "key"] as const)
    test(`keeps what it has while the file of the ${what} is empty, with which nothing starts`, async () => {
      const relay = await startTls();
      writeFileSync(join(relay.cwd, `${what}.pem`), "");
      relay.reload();
      await relay.until("the certificate stays as it was");
      expect(await subjectAt(relay.base)).toBe("first.example");
      const { code, out, err } = await wye(["relay", "--config", "relay.conf", "--check"], {
        cwd: relay.cwd,
      });
      expect([code, out + err]).toEqual([
        1,
        expect.stringMatching(/\.pem has no (?:certificate|private key)/),
      ]);
    });

  test("gets another certificate while it runs, once key and certificate belong together", async () => {
    const relay = await startTls();
    copyCertificate(relay.cwd, "second", "certificate");
    relay.reload();
    await relay.until("the certificate stays as it was");
    expect(await subjectAt(relay.base)).toBe("first.example");
    copyCertificate(relay.cwd, "second", "key");
    relay.reload();
    await relay.until("the certificate was read again");
    expect(await subjectAt(relay.base)).toBe("second.example");
  });
});

test("the example of a configuration file that ld-relay documents works as it is", async () => {
  const upstream = await fakeUpstream("sdk-99999999-9999-4999-8999-999999999999");
  const file = readFileSync(new URL("../testdata/relay/ld-relay.conf", import.meta.url), "utf8");
  const cwd = makeFolder();
  writeConfig(cwd, file);
  const { roles } = upstream;
  const env = { STREAM_URI: roles.stream, BASE_URI: roles.app, EVENTS_HOST: roles.events };
  const relay = await startRelay(["-config", "relay.conf", "-from-env"], { cwd, env });
  await served(relay.base, "sdk-99999999-9999-4999-8999-999999999999");
});
