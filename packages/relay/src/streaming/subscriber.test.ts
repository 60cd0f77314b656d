import { PassThrough } from "node:stream";
import { createContext } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { StreamOutput } from "./stream-output.js";
import { Subscriber } from "./subscriber.js";

const context = createContext({ kind: "user", key: "u" });

test("a stream is what was said of its recipient, was told nothing yet, and is not about to be", () => {
  const res = Object.assign(new PassThrough(), { headersSent: false, statusCode: 200, writeHead: () => {} });
  const output = new StreamOutput(res);
  const recipient = {
    channel: "client",
    audience: "browser",
    view: { context, audience: "browser", withReasons: true },
    origin: "https://page.example",
    voucher: "sdk-1",
  } as const;
  expect({ ...new Subscriber(recipient, "digest", output) }).toEqual({
    ...recipient,
    credential: "digest",
    told: undefined,
    due: false,
    output,
  });
});
