import { describe, expect, test } from "vitest";
import { createPipelineClient, type PipelineClient, type PipelineClientError } from "../src/index.js";
import { SkippingClock } from "./skipping-clock.js";

const run = { id: "r" };
const clientOf = (respond: () => Response) =>
  createPipelineClient({
    host: "http://kfp.example",
    clock: new SkippingClock(),
    fetch: async () => respond(),
  });
const rejection = (promise: Promise<unknown>): Promise<PipelineClientError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: PipelineClientError) => error,
  );

describe("a log", () => {
  const details = "error_details";
  test.each<string>([
    "",
    "line\nline\n",
    "ünï\u0000",
    '{"error_message": broken',
    '{"error_message":"x"}',
    `{"error_message":5,"${details}":"d"}`,
    `["error_message","${details}"]`,
    ` {"error_message":"x","${details}":"d"}`,
    `{"${details}":"d","error_message":"x"}`,
  ])("is given as it is: %j", async (text) => {
    const log = await clientOf(() => new Response(text)).runs.log(run, { nodeId: "n" });
    expect(log).toBe(text);
  });

  test.each([
    ["BadRequestError: no log is kept", "bad_request", "no log is kept"],
    ["log not found", "not_found", "log not found"],
    ["ResourceNotFound", "not_found", "ResourceNotFound"],
    ["no NOT FOUND pod", "not_found", "no NOT FOUND pod"],
    ["Run not found: BadRequestError: no disk", "bad_request", "no disk"],
    ["BadRequestError: run is wrong", "bad_request", "run is wrong"],
  ])("that cannot be had is an error: %s", async (message, code, reason) => {
    const body = JSON.stringify({ error_message: message, error_details: "d" });
    const found = clientOf(() => new Response(body)).runs.log(run, { podName: "p" });
    expect(await rejection(found)).toMatchObject({
      code,
      status: 200,
      message: `the log cannot be had: ${reason}`,
      serverMessage: message,
    });
  });

  test.each<unknown>([
    {},
    { nodeId: "" },
    { podName: "" },
    { nodeId: 5 },
    { nodeId: "", podName: "p" },
    null,
    "n",
    { nodeId: undefined },
  ])("is not that of %j", async (source) => {
    const client = clientOf(() => expect.unreachable("nothing is sent"));
    await expect(client.runs.log(run, source as never)).rejects.toThrow(
      new TypeError("a log is that of a node, `{ nodeId }`, or of a pod, `{ podName }`"),
    );
  });
});

describe("an artifact", () => {
  test.each<readonly [body: object, bytes: readonly number[]]>([
    [{ data: "aGk=" }, [104, 105]],
    [{ data: "/wA=" }, [255, 0]],
    [{ data: "" }, []],
    [{}, []],
  ])("%j has the bytes %j", async (body, bytes) => {
    const found = await clientOf(() => Response.json(body)).runs.artifact(run, "n", "a");
    expect([...found]).toEqual(bytes);
  });

  test("that is no base64 is an answer of no use", async () => {
    const error = await rejection(clientOf(() => Response.json({ data: "%" })).runs.artifact(run, "n", "a"));
    expect(error).toMatchObject({
      code: "invalid_response",
      message: expect.stringMatching(/^the data of the artifact are not base64 \(GET http/),
      cause: expect.any(Error),
    });
  });
});

test.each<readonly [what: string, call: (client: PipelineClient) => Promise<unknown>]>([
  ["a log of a node", (client) => client.runs.log(run, { nodeId: "n" })],
  ["a log of a pod", (client) => client.runs.log(run, { podName: "p" })],
  ["an artifact", (client) => client.runs.artifact(run, "n", "a")],
])("%s is asked for again when a server fails", async (_, call) => {
  let asked = 0;
  const busy = () => (asked++ === 0 ? Response.json({}, { status: 503 }) : Response.json({}));
  await call(clientOf(busy));
  expect(asked).toBe(2);
});
