import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { shellPipeline, wye } from "./run-program.js";

// What a server is asked, and users that do not wait for its answer.

const id = "0c2a1f5e-6f0d-4c38-9a55-4f5f0b8f8d61";

/** The arguments that name a server which answers like this, or not at all. */
async function serverThat(answers: RequestListener): Promise<readonly string[]> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return ["--host", `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

test.each(["runs", "wait", "logs", "cancel"])(
  "whoever interrupts %s while a server takes its time is not kept",
  async (command) => {
    const stop = new AbortController();
    const at = await serverThat(() => stop.abort());
    const run = command === "runs" ? [] : [id];
    const { code, out } = await wye(["pipeline", command, ...run, ...at], { interrupted: stop.signal });
    expect([code, out]).toEqual([130, ""]);
  },
);

test.each([
  ["logs", []],
  ["cancel", []],
  ["cancel", ["--wait"]],
])("whoever interrupts %s %j once the run was found is not kept either", async (command, more) => {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const at = await serverThat(({ method, url = "" }, response) => {
    asked.push(method);
    if (asked.length > 1) return stop.abort();
    const run_details = { task_details: [{ task_id: "t1", pod_name: "pod-1" }] };
    response.end(JSON.stringify({ run_id: id, state: "RUNNING", run_details, url }));
  });
  const host = { interrupted: stop.signal };
  expect(await wye(["pipeline", command, id, ...more, ...at], host)).toEqual({ code: 130, out: "", err: "" });
  expect(asked).toEqual(["GET", command === "logs" ? "GET" : "POST"]);
});

test("whoever waits no longer for the end of a run that was asked to end is told that it goes on", async () => {
  const stop = new AbortController();
  const asked: unknown[] = [];
  const at = await serverThat(({ method }, response) => {
    asked.push(method);
    if (asked.length > 2) stop.abort();
    else response.end(JSON.stringify({ run_id: id, state: "RUNNING" }));
  });
  const host = { interrupted: stop.signal };
  const { code, err } = await wye(["pipeline", "cancel", id, "--wait", ...at], host);
  expect([code, asked]).toEqual([130, ["GET", "POST", "GET"]]);
  expect(err).toContain("asked to end: ");
  expect(err).toContain("the run goes on: ");
});

test.each([
  ["5", "5"],
  ["200", "200"],
  ["201", "200"],
])("of %s runs a server is asked for %s at a time", async (limit, size) => {
  const asked: string[] = [];
  const at = await serverThat(({ url = "" }, response) => {
    asked.push(new URL(url, "http://x").searchParams.get("page_size") ?? "");
    response.end("{}");
  });
  expect((await wye(["pipeline", "runs", "--limit", limit, ...at])).err).toBe("no runs\n");
  expect(asked).toEqual([size]);
});

test("whoever interrupts a start is told the id that the run would have", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const at = await serverThat(async (request) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    asked.push(String(JSON.parse(String(Buffer.concat(parts))).run_id));
    stop.abort();
  });
  const { code, out, err } = await wye(["pipeline", "submit", "-", ...at], {
    input: shellPipeline(`printf "$2 $3" > "$1"`),
    interrupted: stop.signal,
  });
  expect([code, out]).toEqual([130, ""]);
  expect(err).toContain(`the run may have been started: wye pipeline wait ${asked[0]}`);
});
