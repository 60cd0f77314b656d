import { expect, test } from "vitest";
import { type CommonStoreOptions, checkStoreOptions } from "./check-store-options.js";

interface Options extends CommonStoreOptions {
  readonly url?: string;
}

function check(options: unknown) {
  // Programs without types pass what they like.
  return checkStoreOptions<Options>(options as Options, {
    caller: "someStore",
    known: ["url", "cacheTtl"],
    look: ({ url }, report, reader) => {
      if (url === "") report("url must not be empty");
      reader.string("url");
    },
  });
}

test.each([
  [{}, undefined],
  [{ url: "x" }, undefined],
  [{ cacheTtl: undefined }, undefined],
  [{ cacheTtl: "1s" }, 1000],
  [{ cacheTtl: 1000 }, 1000],
  [{ cacheTtl: "5m" }, 300_000],
])("%j are options", (options, cacheTtlMs) => {
  expect(check(options)).toEqual({ cacheTtlMs });
});

test.each([
  [{ url: 5 }, ["someStore: url must be a string"]],
  [null, ["someStore: the options must be an object"]],
  [undefined, ["someStore: the options must be an object"]],
  ["redis://x", ["someStore: the options must be an object"]],
  [["x"], ["someStore: the options must be an object"]],
  [{ cacheTtl: "999ms" }, ['someStore: cacheTtl must be a time span of at least "1s"']],
  [{ cacheTtl: 0 }, ['someStore: cacheTtl must be a time span of at least "1s"']],
  [{ cacheTtl: null }, ['someStore: cacheTtl must be a time span of at least "1s"']],
  [
    { url: "", host: "x", cacheTtl: "soon" },
    [
      'someStore: there is no option "host"; there are url, cacheTtl',
      "someStore: url must not be empty",
      'someStore: cacheTtl must be a time span of at least "1s"',
    ],
  ],
])("of %j every mistake is named at once", (options, problems) => {
  expect(() => check(options)).toThrow(
    expect.objectContaining({ code: "invalid_options", problems, message: problems.join("\n") }),
  );
});
