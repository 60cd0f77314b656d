import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRunBoard, type RunBoard } from "./create-run-board.js";
import type { RunPicture } from "./live-run.js";

const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
const opened: { readonly board: RunBoard; readonly server: Server }[] = [];
let origin: string;

async function open(stepMs: number): Promise<string> {
  const board = createRunBoard({ prefix: "/run", publicFolder, stepMs });
  const server = createServer((request, response) =>
    board.handler(request, response, () => response.writeHead(404).end("none")),
  );
  opened.push({ board, server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/run`;
}

beforeEach(async () => {
  origin = await open(5);
});
afterEach(async () => {
  for (const { board, server } of opened.splice(0)) {
    await board.close();
    server.closeAllConnections();
    server.close();
  }
});

const post = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}/${path}`, { method: "POST", headers });

/** The pictures that a page is sent, until one is as wished. */
async function picturesUntil(isWished: (picture: RunPicture) => boolean): Promise<readonly RunPicture[]> {
  const response = await fetch(`${origin}/events`);
  const pictures: RunPicture[] = [];
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.startsWith("data: ")) pictures.push(JSON.parse(part.slice(6)));
    const last = pictures.at(-1);
    if (last !== undefined && isWished(last)) return pictures;
  }
  throw new Error("the stream has ended");
}

const hasEnded = (run: number) => (picture: RunPicture) =>
  picture.run === run && !["RUNNING", "CANCELLING"].includes(picture.state) && picture.hasReport;

test("a run is started, watched to its end, and run again", async () => {
  expect((await fetch(`${origin}/report`)).status).toBe(404);
  expect(await (await fetch(`${origin}/graph.svg`)).text()).toContain('data-box="/for-each-region/fit"');

  const watched = picturesUntil(hasEnded(1));
  expect((await post("start?withoutData=east")).status).toBe(202);
  const pictures = await watched;
  const last = new Map(pictures.at(-1)?.notes);
  expect(pictures.at(-1)?.state).toBe("FAILED");
  expect(last.get("/for-each-region")).toMatchObject({
    state: "FAILED",
    sign: "✗",
    note: expect.stringContaining("4/4"),
  });
  expect(last.get("/clean-up")?.state).toBe("SUCCEEDED");
  const report = await fetch(`${origin}/report`);
  expect(report.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await report.text()).toContain("there are no rows for east");

  const again = picturesUntil(hasEnded(2));
  expect((await post("start")).status).toBe(202);
  expect((await again).at(-1)?.state).toBe("SUCCEEDED");
});

test("a run that is under way is shown, not started twice, stopped in the middle, and another follows", async () => {
  // No step ends by itself before the test does.
  origin = await open(1_000_000);
  for (const number of [1, 2]) {
    const begun = picturesUntil(
      ({ run, notes }) => run === number && notes.some(([, { state }]) => state === "RUNNING"),
    );
    expect((await post("start")).status).toBe(202);
    await begun;
    expect((await post("start")).status).toBe(409);
    const stopped = picturesUntil(hasEnded(number));
    expect((await post("stop")).status).toBe(202);
    expect((await stopped).at(-1)?.state).toBe("CANCELLED");
  }
});

test.each([
  [{ "sec-fetch-site": "cross-site" }],
  [{ origin: "http://elsewhere.example" }],
  [{ origin: "null" }],
])("no page of another site starts anything: %o", async (headers) => {
  expect((await post("start", headers)).status).toBe(403);
});

test.each(["constructor", "elsewhere", "graph.svg/"])("what is not there goes on: %s", async (path) => {
  expect(await (await fetch(`${origin}/${path}`)).text()).toBe("none");
});
