import { expect, test } from "vitest";
import {
  gatewayRefusal,
  internalError,
  invalid,
  Refusal,
  refusal,
  unknown,
  uploadRefusal,
} from "./refusal.js";

const type = "type.googleapis.com/google.rpc.Status";
const of = ({ status, body, contentType }: Refusal): unknown => [status, JSON.parse(body), contentType];
const json = "application/json";
const plain = "text/plain; charset=utf-8";

test.each([
  [3, 400],
  [5, 404],
  [6, 409],
  [7, 403],
  [9, 400],
  [10, 409],
  [12, 501],
  [13, 500],
  [14, 503],
  [16, 401],
  [2, 500],
])("what has the code %d has the status %d", (code, status) => {
  expect([refusal(code, "m").status, gatewayRefusal(code, "m").status]).toEqual([status, status]);
});

test.each<readonly [what: string, refused: Refusal, told: unknown]>([
  [
    "of a service",
    refusal(5, "m", "d"),
    [404, { code: 5, message: "m", details: [{ "@type": type, code: 5, message: "d" }] }, json],
  ],
  [
    "of a service, without a detail",
    refusal(3, "m"),
    [400, { code: 3, message: "m", details: [{ "@type": type, code: 3, message: "m" }] }, json],
  ],
  [
    "of a service that has failed",
    refusal(13, "m"),
    [
      500,
      { code: 13, message: "m", details: [{ "@type": type, code: 13, message: "Internal Server Error" }] },
      json,
    ],
  ],
  [
    "that nobody has expected",
    internalError("m"),
    [
      500,
      {
        code: 13,
        message: "Internal error: m\n<stack>",
        details: [{ "@type": type, code: 2, message: "Internal error: m\n<stack>" }],
      },
      json,
    ],
  ],
  ["of the gateway", gatewayRefusal(12, "m"), [501, { code: 12, message: "m" }, json]],
  [
    "of an upload",
    uploadRefusal(400, "m"),
    [400, { error_message: "m", error_details: "m\n<stack>" }, plain],
  ],
  [
    "of an upload, with details",
    uploadRefusal(404, "m", "d"),
    [404, { error_message: "m", error_details: "d" }, plain],
  ],
  [
    "of what is not there",
    unknown("Run", "r", "w"),
    [
      404,
      {
        code: 5,
        message: "w: ResourceNotFoundError: Run r not found",
        details: [{ "@type": type, code: 5, message: "Run r not found" }],
      },
      json,
    ],
  ],
  [
    "of a mistake",
    invalid("w", "r"),
    [
      400,
      { code: 3, message: "w: Invalid input error: r", details: [{ "@type": type, code: 3, message: "r" }] },
      json,
    ],
  ],
  [
    "of a mistake that nothing is told of before",
    invalid("", "r"),
    [
      400,
      { code: 3, message: "Invalid input error: r", details: [{ "@type": type, code: 3, message: "r" }] },
      json,
    ],
  ],
])("a refusal %s", (_, refused, told) => {
  expect(refused).toBeInstanceOf(Error);
  expect(of(refused)).toEqual(told);
  expect(refused.message).toBe(refused.body);
});

test("a refusal is JSON unless something else is said", () => {
  expect(of(new Refusal(418, "{}"))).toEqual([418, {}, json]);
});
