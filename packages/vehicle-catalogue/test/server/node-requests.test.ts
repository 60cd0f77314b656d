import { describe, expect, test } from "vitest";
import type { NodeRequest } from "../../src/server/index.js";
import { fullKey, openRouter } from "./listening.js";

/** What a response was given that stands in for one of Node. */
async function answerTo(
  request: NodeRequest,
): Promise<readonly [status: number, headers: Readonly<Record<string, string>>, body: string]> {
  return new Promise((resolve) => {
    let head: [number, Record<string, string>] = [0, {}];
    openRouter().node(request, {
      headersSent: false,
      writeHead: (status, headers) => {
        head = [status, headers];
      },
      end: (body?: string | Uint8Array) =>
        resolve([...head, typeof body === "string" ? body : new TextDecoder().decode(body)]),
    });
  });
}

const url = "/v2/vehicle_brands";
const headers = { "api-key": fullKey };

describe("of a request that lacks things, or has them several times,", () => {
  test("several headers of one name are one list", async () => {
    const [, { ETag: tag = "" }] = await answerTo({ method: "GET", url, headers });
    expect(tag).toMatch(/^".+"$/);
    const statusFor = async (tags: string | readonly string[]) =>
      (await answerTo({ method: "GET", url, headers: { ...headers, "if-none-match": tags } }))[0];
    expect(await statusFor(['"other"', tag])).toBe(304);
    expect(await statusFor([tag, '"other"'])).toBe(304);
    expect(await statusFor([tag])).toBe(304);
    expect(await statusFor(['"other"', '"another"'])).toBe(200);
    expect(await statusFor([])).toBe(200);
    const accept = ["text/html", "application/json"];
    const [status, { "Content-Type": type }] = await answerTo({ url, headers: { ...headers, accept } });
    expect([status, type]).toEqual([200, "application/json"]);
  });

  test("the method is GET and the path is the root", async () => {
    const [status, , body] = await answerTo({ url, headers });
    expect([status, body]).toEqual([200, (await answerTo({ method: "GET", url, headers }))[2]]);
    expect(await answerTo({ headers })).toEqual(await answerTo({ method: "GET", url: "/", headers }));
    expect((await answerTo({ headers }))[0]).toBe(404);
  });
});
