import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import {
  eventually,
  fakeUpstream,
  flag,
  flagsOf,
  mainSection,
  served,
  writeConfig,
} from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import {
  type Crew,
  crewOf,
  everywhere,
  program,
  relayArgs,
  replaceOne,
  startWorkers,
  statusesOf,
  statusOf,
  workersOf,
} from "./start-workers.js";

const environment = (name = "a") => `[Environment "${name}"]\nsdkKey = sdk-${name}\n`;

/** Two workers that serve one of the two environments that upstream has. */
async function startTwo() {
  const upstream = await fakeUpstream("sdk-a", "sdk-b");
  const cwd = makeFolder();
  writeConfig(cwd, mainSection(upstream) + environment());
  const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
  await everywhere(crew, "sdk-a", 200);
  return { upstream, cwd, crew };
}

/** How many connections of SDKs the process has that has started the workers. */
function connectionsOf({ base, child: { pid } }: Crew): number {
  const port = Number(new URL(base).port).toString(16).toUpperCase().padStart(4, "0");
  const listens = "0A";
  const sockets = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(`:${port}`) && state !== listens)
    .map((fields) => `socket:[${fields[9]}]`);
  const files = readdirSync(`/proc/${pid}/fd`).map((file) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${file}`);
    } catch {
      // Closed since it was listed.
      return "";
    }
  });
  return files.filter((file) => sockets.includes(file)).length;
}

describe("workers", () => {
  test("serve on one port, with one connection to upstream, and see every change", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, mainSection(upstream) + environment());
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "3");
    await served(crew.base, "sdk-a");
    expect(workersOf(crew)).toHaveLength(3);
    expect(upstream.streamRequests.map(({ path }) => path)).toEqual(["/all"]);
    upstream.environment("sdk-a").patch("flags", flag("my-flag", false, 2));
    const versions = async () => {
      const answers = await Promise.all(
        Array.from(
          { length: 9 },
          async () => (await (await flagsOf(crew.base, "sdk-a")).json())["my-flag"].version,
        ),
      );
      return new Set(answers);
    };
    await eventually(versions, (seen) => seen.size === 1 && seen.has(2));
    crew.child.kill("SIGTERM");
    expect(await crew.ended).toBe(0);
    expect(crew.printed()).toMatch(/INFO: ended\n$/);
  });

  test("one of which is killed, is replaced and serves what the others do, without upstream", {
    timeout: 300_000,
  }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, `${mainSection(upstream)}${environment()}[Wye]\nworkers = 2\n`);
    const crew = await startWorkers(cwd, "--config", "relay.conf");
    await served(crew.base, "sdk-a");
    await upstream.close();
    const [first = 0, second = 0] = workersOf(crew);
    process.kill(first, "SIGKILL");
    await crew.until(/worker \d has ended \(SIGKILL\); another takes its place/);
    const workers = await eventually(
      async () => workersOf(crew),
      (pids) => pids.length === 2,
    );
    expect([workers.includes(second), workers.includes(first)]).toEqual([true, false]);
    await crew.until(/listening(.|\n)*listening(.|\n)*listening/);
    process.kill(second, "SIGKILL");
    const answers = () => flagsOf(crew.base, "sdk-a").then(({ status }) => status, String);
    await eventually(answers, (status) => status === 200);
  });

  test("get the connections that one of them was handed, and had not taken when it ended", {
    timeout: 300_000,
  }, async () => {
    const { crew } = await startTwo();
    const [first = 0] = workersOf(crew);
    process.kill(first, "SIGSTOP");
    // They go to both in turn, but to the one that has come to a halt once only.
    const answers: number[] = [];
    for (let count = 0; count < 6; count++) {
      void statusOf(crew, "sdk-a").then((status) => answers.push(status));
    }
    await eventually(
      async () => answers.length,
      (length) => length >= 5,
    );
    process.kill(first, "SIGKILL");
    await eventually(
      async () => answers,
      ({ length }) => length === 6,
    );
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test("leave no connection open when all have ended that could take it", { timeout: 300_000 }, async () => {
    const { crew } = await startTwo();
    const workers = workersOf(crew);
    for (const pid of workers) process.kill(pid, "SIGSTOP");
    const answers = Array.from({ length: 6 }, () => statusOf(crew, "sdk-a"));
    await eventually(
      async () => connectionsOf(crew),
      (count) => count === answers.length,
    );
    for (const pid of workers) process.kill(pid, "SIGKILL");
    await Promise.all(answers);
    await eventually(
      async () => connectionsOf(crew),
      (count) => count === 0,
    );
  });

  test("that may open no more files close connections, and serve when others have gone", {
    timeout: 300_000,
  }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, `${mainSection(upstream)}${environment()}[Wye]\nworkers = 2\n`);
    const command = `ulimit -n 128; exec "$0" "$@"`;
    const args = [process.execPath, program, ...relayArgs, "--config", "relay.conf"];
    const crew = await crewOf(cwd, "sh", ["-c", command, ...args]);
    await served(crew.base, "sdk-a");
    const { hostname, port } = new URL(crew.base);
    const sockets: Socket[] = [];
    // One after the other: the process that hands connections over may have no more open files either.
    for (let count = 0; count < 300; count++) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on("error", () => {});
      const told = new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
      socket.write(`GET /all HTTP/1.1\r\nhost: x\r\nauthorization: sdk-a\r\n\r\n`);
      await told;
    }
    await crew.until(/\[1\] WARN: .*the limit of open files/);
    await crew.until(/\[2\] WARN: .*the limit of open files/);
    for (const socket of sockets) socket.destroy();
    await everywhere(crew, "sdk-a", 200);
  });

  test("are asked together what operators ask", async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    const [statusPort, metricsPort] = [await freePort(), await freePort()];
    const more = `[Wye]\nstatusPort = ${statusPort}\n[Prometheus]\nenabled = true\nport = ${metricsPort}\n`;
    writeConfig(cwd, mainSection(upstream) + environment() + more);
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    const status = `http://127.0.0.1:${statusPort}`;
    await eventually(
      async () => (await fetch(`${status}/ready`)).status,
      (code) => code === 200,
    );
    for (let count = 0; count < 6; count++) await (await flagsOf(crew.base, "sdk-a")).text();
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const requests = [...metrics.matchAll(/^wye_relay_requests_total\{.*?\} (\d+)$/gm)];
    expect(requests.reduce((sum, [, value]) => sum + Number(value), 0)).toBeGreaterThanOrEqual(6);
    const { environments } = await (await fetch(`${status}/status`)).json();
    expect(environments.a.status).toBe("connected");
    expect((await fetch(`http://127.0.0.1:${metricsPort}/status`)).status).toBe(404);
    expect((await fetch(`${crew.base}/status`)).status).toBe(404);
    const refused = await fetch(`${status}/status`, { method: "DELETE" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    const moved = await fetch(`${status}//status`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/status"]);
    const many = Array.from({ length: 30 }, async () => (await fetch(`${status}/metrics`)).text());
    expect((await Promise.all(many)).every((text) => text.includes("wye_relay_requests_total"))).toBe(true);
    expect(crew.printed()).not.toContain("Warning");
  });

  test("read the configuration again when the program is asked to", async () => {
    const upstream = await fakeUpstream("sdk-a", "sdk-b");
    const cwd = makeFolder();
    writeConfig(cwd, mainSection(upstream) + environment());
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    await served(crew.base, "sdk-a");
    writeConfig(cwd, mainSection(upstream) + environment() + environment("b"));
    crew.child.kill("SIGHUP");
    await crew.until(/\[1\] INFO: read /);
    await crew.until(/\[2\] INFO: read /);
    await served(crew.base, "sdk-b");
  });

  test("one that takes the place of another has the configuration of the others, whatever stands in the file", {
    timeout: 300_000,
  }, async () => {
    const { upstream, cwd, crew } = await startTwo();
    // As an editor does, or a volume whose contents have changed: nobody has asked for it to be read.
    writeConfig(cwd, mainSection(upstream) + environment("b"));
    await replaceOne(crew);
    await everywhere(crew, "sdk-a", 200);
    await everywhere(crew, "sdk-b", 401);
    writeConfig(cwd, "[Main]\nport = many\n");
    crew.child.kill("SIGHUP");
    await crew.until(/the configuration stays as it was/);
    await replaceOne(crew);
    await everywhere(crew, "sdk-a", 200);
    writeConfig(cwd, mainSection(upstream) + environment("b"));
    crew.child.kill("SIGHUP");
    await everywhere(crew, "sdk-b", 200);
    await everywhere(crew, "sdk-a", 401);
    expect(crew.printed().match(/stays as it was/g)).toHaveLength(1);
  });

  test("one that takes the place of another begins as the others did, whatever needs a restart", {
    timeout: 300_000,
  }, async () => {
    const { upstream, cwd, crew } = await startTwo();
    writeConfig(cwd, `${mainSection(upstream)}[AutoConfig]\nkey = rel-1\n`);
    crew.child.kill("SIGHUP");
    await crew.until(/\[1\] WARN: \[AutoConfig\] key has changed; it needs a restart/);
    await crew.until(/\[2\] WARN: \[AutoConfig\] key has changed; it needs a restart/);
    await replaceOne(crew);
    await everywhere(crew, "sdk-a", 200);
    writeConfig(cwd, mainSection(upstream) + environment("b"));
    crew.child.kill("SIGHUP");
    await everywhere(crew, "sdk-b", 200);
    await replaceOne(crew);
    await everywhere(crew, "sdk-b", 200);
    await everywhere(crew, "sdk-a", 401);
  });

  test("one that takes the place of another serves under no key what another environment had under the name", {
    timeout: 300_000,
  }, async () => {
    const { upstream, cwd, crew } = await startTwo();
    upstream.environment("sdk-other").answer("silent");
    const readAgain = async (...environments: readonly string[]) => {
      writeConfig(cwd, mainSection(upstream, "initTimeout = 1s") + environments.join(""));
      crew.child.kill("SIGHUP");
    };
    await readAgain(environment("b"));
    await everywhere(crew, "sdk-b", 200);
    await everywhere(crew, "sdk-a", 401);
    await readAgain(environment("b"), '[Environment "a"]\nsdkKey = sdk-other\n');
    await everywhere(crew, "sdk-other", 503);
    await replaceOne(crew);
    await everywhere(crew, "sdk-b", 200);
    expect(new Set(await statusesOf(crew, "sdk-other"))).toEqual(new Set([503]));
  });

  test("all serve the environments whose keys were exchanged, with a folder of flags", {
    timeout: 300_000,
  }, async () => {
    const upstream = await fakeUpstream("sdk-a", "sdk-b");
    const cwd = makeFolder();
    const write = (first: string, second: string) => {
      const environments = `[Environment "a"]\nsdkKey = ${first}\n[Environment "b"]\nsdkKey = ${second}\n`;
      writeConfig(cwd, `${mainSection(upstream)}[Wye]\ndataFolder = data\n${environments}`);
    };
    write("sdk-a", "sdk-b");
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    for (const key of ["sdk-a", "sdk-b"]) await everywhere(crew, key, 200);
    write("sdk-b", "sdk-a");
    crew.child.kill("SIGHUP");
    for (const n of [1, 2]) await crew.until(new RegExp(`\\[${n}\\] INFO: read configuration file .* again`));
    expect(crew.printed()).not.toContain("cannot be served");
    for (const key of ["sdk-a", "sdk-b"]) await everywhere(crew, key, 200);
  });

  test("keep the last good flags in one folder, whatever their number is the next time", {
    timeout: 300_000,
  }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    const kept = `${environment()}[Wye]\ndataFolder = data\n`;
    writeConfig(cwd, mainSection(upstream) + kept);
    const end = async (crew: Crew) => {
      crew.child.kill("SIGTERM");
      expect(await crew.ended).toBe(0);
    };
    const run = (workers: number) => startWorkers(cwd, "--config", "relay.conf", "--workers", `${workers}`);
    const first = await run(3);
    const files = async () => (existsSync(join(cwd, "data")) ? readdirSync(join(cwd, "data")) : []);
    const isFlags = (name: string) => /^a-\w+\.flags$/.test(name);
    await eventually(files, (found) => found.some(isFlags));
    await end(first);
    // Nobody is there to be asked any more.
    writeConfig(cwd, `[Main]\nstreamUri = http://127.0.0.1:9\n${kept}`);
    const many = await run(4);
    await everywhere(many, "sdk-a", 200);
    await end(many);
    expect((await files()).filter((name) => !isFlags(name))).toEqual([]);
  });

  test("end with the program, whatever ends it", { timeout: 300_000 }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, mainSection(upstream) + environment());
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    const pids = workersOf(crew);
    crew.child.kill("SIGKILL");
    await crew.ended;
    const isGone = (pid: number) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    expect(
      await eventually(
        async () => pids.map(isGone),
        (gone) => !gone.includes(false),
      ),
    ).toEqual([true, true]);
  });

  test("one that finds its configuration wrong is said to have ended with 1", {
    timeout: 300_000,
  }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, mainSection(upstream) + environment());
    // Nothing changes the variables of a worker alone, other than this.
    const lines = `if (process.env.RELAY_WORKER_NUMBER && existsSync("spoilt")) process.env.LOG_LEVEL = "loud";`;
    writeFileSync(join(cwd, "spoil.mjs"), `import { existsSync } from "node:fs";\n${lines}\n`);
    const args = [program, ...relayArgs, "--config", "relay.conf", "--from-env", "--workers", "2"];
    const crew = await crewOf(cwd, process.execPath, ["--import", "./spoil.mjs", ...args]);
    writeFileSync(join(cwd, "spoilt"), "");
    const [pid = 0] = workersOf(crew);
    process.kill(pid, "SIGKILL");
    await crew.until(/LOG_LEVEL.*loud.*worker \d has ended \(1\)/s);
  });

  test("that cannot listen end the program with 1", { timeout: 300_000 }, async () => {
    const upstream = await fakeUpstream("sdk-a");
    const cwd = makeFolder();
    writeConfig(cwd, mainSection(upstream) + environment());
    const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
    const port = new URL(crew.base).port;
    await expect(
      startWorkers(cwd, "--config", "relay.conf", "--workers", "2", "--port", port),
    ).rejects.toThrow(/ended with 1 .*Error starting http listener on port: \d+.*EADDRINUSE/s);
  });
});
