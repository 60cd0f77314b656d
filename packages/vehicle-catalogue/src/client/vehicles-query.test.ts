import { expect, test } from "vitest";
import { limits } from "../protocol.js";
import type { VehiclesRequest } from "./vehicle-requests.js";
import { vehiclesQuery, vehiclesUrl } from "./vehicles-query.js";

const parametersOf = (request: VehiclesRequest) =>
  Object.fromEntries(new URL(vehiclesUrl("http://x", vehiclesQuery(request))).searchParams);

test.each([
  { number: 1, asked: {} },
  { number: 2, asked: { "page[number]": "2" } },
  { number: 0, asked: { "page[number]": "0" } },
  { number: -1, asked: { "page[number]": "-1" } },
  { number: 1.5, asked: { "page[number]": "1.5" } },
])(
  "of page $number the first alone goes without saying: what there is none of is left to the API to refuse",
  ({ number, asked }) => {
    const { "page[size]": size, ...rest } = parametersOf({ number });
    expect(size).toMatch(/^\d+$/);
    expect(rest).toEqual(asked);
  },
);

test.each([
  { size: 0, asked: "0" },
  { size: 1, asked: "1" },
  { size: 5000, asked: "5000" },
])("a page of $size is asked for as it is", ({ size, asked }) => {
  expect(parametersOf({ size })["page[size]"]).toBe(asked);
});

test.each([{ size: 0 }, { size: 1001 }, { size: 1.5 }, { number: 0 }])(
  "what %o asks of a list of ids there is none of, which is told with the most that there is",
  (page) => {
    const told = `size must be a whole number from 1 to ${limits.maxPageSize}, number one from 1`;
    expect(() => vehiclesQuery({ ...page, filter: { id: ["a"] } })).toThrow(new TypeError(told));
  },
);
