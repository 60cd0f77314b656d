import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeUpstream } from "@wye/relay/testing";
import { Pool } from "undici";
import { figures } from "../../../scripts/bench-harness.js";

// What `wye relay --workers N` serves in a second. The clients are on the same machine and take their part of it, so each request is
// one that is dear to serve and cheap to ask. What it takes is read from /proc, so it needs Linux.

const sdkKey = "sdk-bench";
const flagCount = 1000;
const connections = 64;
const turnMs = 4000;
/** What each process is asked before it is measured: engines compile what is done often. */
const warmUp = 3000;
const rounds = 3;

const flag = (index: number) => ({
  key: `flag-${index}`,
  version: 1,
  on: true,
  variations: [true, false, "a", "b"],
  offVariation: 1,
  fallthrough: { rollout: { variations: [0, 1, 2, 3].map((variation) => ({ variation, weight: 25_000 })) } },
  targets: [{ variation: 2, values: [`user-${index}`] }],
  rules: ["de", "fr", "it"].map((country, variation) => ({
    id: country,
    variation,
    clauses: [
      { attribute: "country", op: "in", values: [country], negate: false },
      { attribute: "email", op: "endsWith", values: [`@${index % 7}.example`], negate: false },
    ],
  })),
  salt: `salt-${index}`,
  clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
});

interface Running {
  readonly pool: Pool;
  readonly child: ChildProcess;
}

const folder = mkdtempSync(join(tmpdir(), "wye-bench-"));
const flags = Object.fromEntries(
  Array.from({ length: flagCount }, (_, index) => [`flag-${index}`, flag(index)]),
);
const upstream = await createFakeUpstream({ environments: { [sdkKey]: { flags } } });
writeFileSync(
  join(folder, "relay.conf"),
  `[Main]\nstreamUri = ${upstream.roles.stream}\nbaseUri = ${upstream.roles.app}\nlogLevel = info\n[Environment "bench"]\nsdkKey = ${sdkKey}\n`,
);

async function start(workers: number): Promise<Running> {
  const args = [
    "relay",
    "--config",
    "relay.conf",
    "--port",
    "0",
    "--host",
    "127.0.0.1",
    "--workers",
    `${workers}`,
  ];
  // What runs is in a folder beside this one.
  const child = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js"), ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  let printed = "";
  const serving = workers === 1 ? /listening on port (\d+)/ : /workers serve on port (\d+)/;
  const port = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        const [, found] = serving.exec(printed) ?? [];
        if (found !== undefined) resolve(found);
      });
    void ended.then(([code]) => reject(new Error(`ended with ${code}:\n${printed}`)));
  });
  return { child, pool: new Pool(`http://127.0.0.1:${port}`, { connections }) };
}

let asked = 0;

/** No context comes twice: each answer is made anew. */
async function ask(pool: Pool): Promise<void> {
  const number = ++asked;
  const context = {
    kind: "user",
    key: `u-${number}`,
    country: ["de", "fr", "it", "es"][number % 4],
    email: `u@${number % 9}.example`,
  };
  const { statusCode, body } = await pool.request({
    method: "GET",
    path: `/sdk/evalx/contexts/${Buffer.from(JSON.stringify(context)).toString("base64url")}`,
    headers: { authorization: sdkKey },
  });
  await body.dump({ limit: 100_000_000 });
  if (statusCode !== 200) throw new Error(`the relay answers ${statusCode}`);
}

/** Requests in a second, and CPU microseconds of the program for each. */
async function takeTurn(
  { pool, child }: Running,
  goesOn: (count: number, ms: number) => boolean,
): Promise<{ readonly perSecond: number; readonly cpu: number }> {
  const before = cpuOf(child.pid ?? 0);
  const begun = performance.now();
  let count = 0;
  const client = async () => {
    while (goesOn(count, performance.now() - begun)) await ask(pool).then(() => count++);
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - begun) / 1000;
  return { perSecond: count / seconds, cpu: (cpuOf(child.pid ?? 0) - before) / count };
}

/** Of a process and those that it has started. The kernel counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const [user, system] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").slice(11, 13) ?? [];
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return (Number(user) + Number(system)) * 10_000 + children.reduce((sum, one) => sum + cpuOf(one), 0);
}

const counts = { "without workers": 1, "2 workers": 2, "4 workers": 4 };
const names = ["without workers", "2 workers", "4 workers"] as const;
const running = new Map<string, Running>();
try {
  for (const name of names) running.set(name, await start(counts[name]));
  const turns = names.map(() => [] as { readonly perSecond: number; readonly cpu: number }[]);
  const all = names.map((name) => ({ name, one: running.get(name) as Running }));
  for (const { name, one } of all) await takeTurn(one, (count) => count < warmUp * counts[name]);
  for (let round = 0; round < rounds; round++)
    for (const [index, { one }] of all.entries())
      turns[index]?.push(await takeTurn(one, (_, ms) => ms < turnMs));
  const best = (of: "perSecond" | "cpu", choose: (...values: number[]) => number) =>
    Object.fromEntries(
      names.map((name, index) => [name, choose(...(turns[index] ?? []).map((turn) => turn[of]))]),
    );
  const note = `Best of ${rounds} turns; ${availableParallelism()} cores, of which the clients take their part.`;
  const baseline = "without workers";
  figures(`wye relay: evaluations of ${flagCount} flags`, best("perSecond", Math.max), {
    unit: "/s",
    baseline,
    note,
  });
  figures(`wye relay: CPU for an evaluation of ${flagCount} flags`, best("cpu", Math.min), {
    unit: "µs CPU",
    baseline,
    note,
  });
} finally {
  for (const { pool, child } of running.values()) {
    await pool.destroy();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  await upstream.close();
  rmSync(folder, { recursive: true });
}
