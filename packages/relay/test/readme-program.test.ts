import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { createFakeUpstream } from "../src/testing/fake-upstream.js";
import { bundleProgram } from "./bundle-program.js";

const sdkKey = "sdk-key";

/** The first program of the README, on a free port and in front of another upstream. */
function programOf(readme: string, port: number, roles: object): string {
  const program = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "";
  const changed = program
    .replace("listen(8030)", `listen(${port}, "127.0.0.1")`)
    // Or Node would end a connection on which nothing is said, after a minute.
    .replace("createServer(", "createServer({ headersTimeout: 3_600_000, requestTimeout: 3_600_000 }, ")
    .replace("createRelay({", `createRelay({ upstream: ${JSON.stringify(roles)},`);
  return `${changed}\nconsole.log("ready:", status);`;
}

test("the program of the README ends on SIGTERM: the stream ends, the event that was taken arrives, no silent client holds it", async () => {
  const upstream = await createFakeUpstream({ environments: { [sdkKey]: { flags: {} } } });
  const port = await freePort();
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const file = await bundleProgram(programOf(readme, port, upstream.roles));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await upstream.close();
  });
  const exited = once(child, "exit");
  let output = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("ready: healthy")) resolve();
    });
  });
  // Browsers open connections ahead of need.
  const silent = connect(port, "127.0.0.1");
  await once(silent, "connect");
  silent.on("error", () => {});
  onTestFinished(() => void silent.destroy());
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: sdkKey, "x-launchdarkly-event-schema": "4" };
  const stream = await request(`${url}/all`, { headers, bodyTimeout: 0 });
  const posted = await request(`${url}/bulk`, { method: "POST", headers, body: '[{"kind":"x"}]' });
  expect(posted.statusCode).toBe(202);
  await posted.body.dump();
  child.kill("SIGTERM");
  expect(await stream.body.text()).toContain("event: put");
  expect(await exited).toEqual([0, null]);
  expect((await upstream.takePosts(1))[0]?.body).toEqual([{ kind: "x" }]);
});
