import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { run } from "./run.js";
import { root } from "./workspace.js";

const firstPort = 8040;
const timeout = 600_000;
const waiting = { timeout, interval: 100 };

/** Who starts it: whoever runs this and, where that is root, somebody who is not. */
const nobody = 65_534;
const users = process.getuid?.() === 0 ? [0, nobody] : [process.getuid?.() ?? 0];

/** What one user has, which the next must not need. */
const clones = new Map<number, string>();
let child: ChildProcess | undefined;
afterEach(async () => {
  if (child?.pid !== undefined && child.exitCode === null) {
    process.kill(-child.pid, "SIGTERM");
    await once(child, "close");
  }
});
afterAll(() => {
  for (const clone of clones.values()) rmSync(dirname(clone), { recursive: true, force: true });
});

for (const uid of users) {
  test(
    `npm start is all that a fresh clone needs, as user ${uid}`,
    async () => {
      const clone = freshClone(uid);
      const { url, output } = await start(clone, uid, ["start"]);
      expect(output()).toContain("Installing dependencies");
      // Whoever starts it looks for an address, not for what was compiled; the settings of whoever tests are not ours.
      const lines = output()
        .split("\n")
        .filter((line) => !/npm warn Unknown (?:user|env) config/.test(line));
      expect(lines.filter((line) => /\bwarn|deprecated|EBADENGINE/i.test(line))).toEqual([]);
      expect(lines.length).toBeLessThan(60);
      expect((await fetch(url)).status).toBe(200);
      expect(await (await fetch(new URL("/health", url))).json()).toMatchObject({ status: "ok" });
    },
    timeout,
  );
}

test(
  "npm start leaves a busy port to its owner: another one when none was asked for, a clear refusal otherwise",
  async () => {
    const owner = createServer();
    // Somebody may be there already; then the port is just as busy.
    await new Promise<void>((resolve) =>
      owner.once("error", () => resolve()).listen(firstPort, "127.0.0.1", resolve),
    );
    try {
      // Not in this repository: its pages are looked at meanwhile, and `npm start` may put what it has built anew in their place.
      const [uid = 0] = users;
      const clone = clones.get(uid) ?? freshClone(uid);
      const { url } = await start(clone, uid, ["start"]);
      expect(Number(new URL(url).port)).toBeGreaterThan(firstPort);
      const asked = await run("npm", ["start", "--", "--port", String(firstPort)], { cwd: clone });
      expect(asked.status).not.toBe(0);
      expect(asked.stderr).toContain(`port ${firstPort} is in use`);
    } finally {
      owner.close();
    }
  },
  timeout,
);

test(
  "npm run dev goes on with what runs while a file is broken, and builds again when it was mended",
  async () => {
    const [uid = 0] = users;
    const clone = clones.get(uid) ?? freshClone(uid);
    const file = join(clone, "examples", "showcase", "src", "home-page.ts");
    const source = readFileSync(file, "utf8");
    const titled = (title: string): string => source.replace("<h1>Wye</h1>", `<h1>${title}</h1>`);
    const { url, output } = await start(clone, uid, ["run", "dev"]);
    const page = async (): Promise<string> =>
      fetch(url).then(
        (response) => response.text(),
        () => "",
      );
    for (const title of ["Changed", "Mended"]) {
      const failures = output().split("The build has failed").length;
      writeFileSync(file, `${titled(title)}\nconst ( = ;\n`);
      await expect
        .poll(() => output().split("The build has failed").length, waiting)
        .toBeGreaterThan(failures);
      expect(await page()).not.toContain(title);
      // As many editors save: another file takes its place.
      writeFileSync(`${file}.new`, titled(title));
      renameSync(`${file}.new`, file);
      await expect.poll(page, waiting).toContain(`<h1>${title}</h1>`);
    }
  },
  timeout,
);

/** A plain clone in an empty folder that belongs to the user. */
function freshClone(uid: number): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-clone-"));
  const clone = join(folder, "wye");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  mkdirSync(join(folder, "home"));
  clones.set(uid, clone);
  execFileSync("chown", ["-R", String(uid), folder]);
  return clone;
}

/** Runs npm until the showcase prints its address. */
function start(
  cwd: string,
  uid: number,
  args: readonly string[],
): Promise<{ url: string; output: () => string }> {
  const home = join(cwd, "..", "home");
  const env = { ...process.env, HOME: home, npm_config_cache: join(home, ".npm"), CI: "true", PORT: "" };
  const started = spawn("npm", args, {
    cwd,
    uid,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child = started;
  return new Promise((resolve, reject) => {
    let output = "";
    const onData = (data: Buffer): void => {
      output += data.toString();
      const url = /The showcase is at (\S+)/.exec(output)?.[1];
      if (url) resolve({ url, output: () => output });
    };
    started.stdout.on("data", onData);
    started.stderr.on("data", onData);
    started.once("close", () => reject(new Error(`npm ended:\n${output}`)));
    started.once("error", reject);
  });
}
