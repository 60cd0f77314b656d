import { expect, test } from "vitest";
import { clientSettings } from "./client-settings.js";
import type { VehicleClientOptions } from "./vehicle-client-options.js";

const given = { baseUrl: "https://example.org", apiKey: "secret" };

/** The largest body that a cache keeps. */
function keptBytes(cache: ReturnType<typeof clientSettings>["cache"]): number {
  const fits = (bytes: number) => {
    cache?.set("", { etag: "", text: "", bytes });
    return cache?.get("") !== undefined;
  };
  let [low, high] = [0, 2 ** 30];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

test("what is not given is what the options promise", () => {
  expect(clientSettings(given)).toMatchObject({
    timeoutMs: 10_000,
    deadlineMs: 60_000,
    maxBodyBytes: 16 * 1024 * 1024,
    maxUrlLength: 8000,
    maxPages: 10_000,
    retry: { limit: 3, baseDelayMs: 300, maxDelayMs: 20_000 },
    cache: undefined,
    hooks: {},
  });
  expect(clientSettings({ ...given, retry: false }).retry.limit).toBe(0);
});

test.each([true, {}])(
  "a cache that is asked for by %j keeps four megabytes, of which an entry takes a little",
  (cache) => {
    expect(keptBytes(clientSettings({ ...given, cache }).cache)).toBe(4 * 1024 * 1024 - 512);
  },
);

test("what is given counts, and the rest stays as it is", () => {
  const numbers = { timeoutMs: 1, deadlineMs: 2, maxBodyBytes: 3, maxUrlLength: 4, maxPages: 5 };
  expect(clientSettings({ ...given, ...numbers, retry: { baseDelayMs: 7 } })).toMatchObject({
    ...numbers,
    retry: { limit: 3, baseDelayMs: 7, maxDelayMs: 20_000 },
  });
});

test.each(["\u0080", "\u00ff", "~", "a b"])("the key %j fits in a header", (key) => {
  expect(clientSettings({ ...given, apiKey: ` ${key}a ` }).apiKey).toBe(`${key}a`);
});

test("what is taken out of messages is the key as it is sent, without what stood around it", () => {
  const { apiKey, redactor } = clientSettings({ ...given, apiKey: " \tsecret\r\n" });
  expect([apiKey, redactor.text("the key secret is wrong")]).toEqual([
    "secret",
    "the key [redacted] is wrong",
  ]);
});

test.each(["\u0100", "\u007f", "\n", "\u001f"])("the key %j does not", (key) => {
  expect(() => clientSettings({ ...given, apiKey: `a${key}a` })).toThrow("apiKey must be a text that fits");
});

test.each([
  ["https://example.org", "https://example.org"],
  ["https://example.org/", "https://example.org"],
  ["https://example.org/api/", "https://example.org/api"],
  ["http://EXAMPLE.org:80/api@2", "http://example.org/api@2"],
])("the address %s has no slash at its end", (baseUrl, read) => {
  expect(clientSettings({ ...given, baseUrl }).baseUrl).toBe(read);
  expect(clientSettings({ ...given, baseUrl: new URL(baseUrl) }).baseUrl).toBe(read);
});

test("a hook that is there and is none is no hook", () => {
  const hooks = { request: undefined, response: undefined, retry: undefined };
  expect(clientSettings({ ...given, hooks } as VehicleClientOptions).hooks).toBe(hooks);
});
