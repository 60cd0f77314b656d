import { describe, expect, test, vi } from "vitest";
import { isRelayError, malformedData } from "../error.js";
import { silentLogger } from "../logger.js";
import type { RelayOptions } from "./options.js";
import { offlineFileFrom } from "./resolve-configuration.js";
import { resolveOptions } from "./resolve-options.js";

const environments = { a: { sdkKey: "sdk-1" } };
const remedy = "both say which environments there are; leave one of them out, or serve them with two relays";

describe("what says which environments there are", () => {
  // What a program without types may pass.
  const rows: { name: string; options: unknown; problems: readonly string[] }[] = [
    {
      name: "automatic configuration and environments",
      options: { autoConfig: { key: "rel-1" }, environments },
      problems: [`options: autoConfig and environments ${remedy}`],
    },
    {
      name: "a file and environments",
      options: { offline: { file: "a.tar" }, environments },
      problems: [`options: offline and environments ${remedy}`],
    },
    {
      name: "automatic configuration and a file",
      options: { autoConfig: { key: "rel-1" }, offline: { file: "a.tar" } },
      problems: [`options: autoConfig and offline ${remedy}`],
    },
    {
      name: "automatic configuration without a key",
      options: { autoConfig: { allowedOrigins: ["https://a.example"] } },
      problems: ["autoConfig: key is required: the key of the automatic configuration"],
    },
    {
      name: "automatic configuration that is undefined",
      options: { autoConfig: undefined },
      problems: ["autoConfig must be an object"],
    },
    {
      name: "keys where upstream names them",
      options: { autoConfig: { key: "rel-1", sdkKey: "sdk-1" } },
      problems: ["autoConfig: sdkKey is not an option; there are key, onError, allowedOrigins"],
    },
    {
      name: "a key with a blank, and what is no function",
      options: { autoConfig: { key: "a b", onError: 5, store: {} } },
      problems: [
        "autoConfig: key must not be empty, and have no blanks",
        "autoConfig: store must be a function",
        "autoConfig: onError must be a function",
      ],
    },
    {
      name: "a file without a path",
      options: { offline: { checkInterval: "1m" } },
      problems: [
        'offline: file must be the path of an archive or of a file of flags, such as "/data/flags.yaml"',
      ],
    },
    {
      name: "a file that is undefined",
      options: { offline: undefined },
      problems: ["offline must be an object", "offline: file must be the path"],
    },
    {
      name: "looks that are too frequent",
      options: { offline: { file: "a", checkInterval: "99ms" } },
      problems: ['offline: checkInterval must be "100ms" at least'],
    },
    {
      name: "keys of a file, without an SDK key",
      options: { offline: { file: "a", keys: { envId: "e" }, maxBytes: 0 } },
      problems: [
        "offline: maxBytes must be a whole number above zero",
        "offline.keys: sdkKey is required: the key of server-side SDKs",
      ],
    },
    {
      name: "a source where the file is one",
      options: { offline: { file: "a", source: () => {} } },
      problems: ["offline: source is not an option"],
    },
    {
      name: "events that should go to upstream",
      options: { offline: { file: "a" }, events: { capacity: 5 } },
      problems: ['options: events are sent nowhere with offline: leave them out, or say "discard" or false'],
    },
    {
      name: "what people call an environment",
      options: { environments: { a: { sdkKey: "sdk-1", about: { envName: 5, name: "x" } } } },
      problems: [
        "environments.a.about: name is not an option",
        "environments.a.about: envName must be a string",
      ],
    },
  ];
  for (const { name, options, problems } of rows) {
    test(`refused: ${name}`, () => {
      let thrown: unknown;
      try {
        resolveOptions(options as RelayOptions);
      } catch (error) {
        thrown = error;
      }
      expect(isRelayError(thrown) ? thrown.problems : thrown).toEqual(
        problems.map((problem) => expect.stringContaining(problem)),
      );
    });
  }

  test.each(["", "a\0b", 5])("refused: %j as a file", (file) => {
    const path = 'file must be the path of an archive or of a file of flags, such as "/data/flags.yaml"';
    // What a program without types may pass.
    const refuse = () => offlineFileFrom(file, { keys: {}, x: 1 });
    expect(refuse).toThrow(`checkOfflineFile: ${path}`);
    expect(refuse).toThrow("the options of checkOfflineFile: x is not an option; there are keys");
    expect(refuse).toThrow("the options of checkOfflineFile.keys: sdkKey is required");
  });

  test("what is set arrives", () => {
    const [source, store, bigSegments, announcements, contents] = [
      vi.fn(),
      vi.fn(),
      vi.fn(),
      vi.fn(),
      vi.fn(),
    ];
    const pages = {
      allowedOrigins: ["https://a.example"],
      allowedHeaders: ["X-A"],
      clientStream: "ping",
    } as const;
    const onError = expect.any(Function);
    const defaults = { ...pages, store, source, bigSegments };
    expect(
      resolveOptions({ autoConfig: { key: "rel-1", announcements, ...defaults } }).configuration,
    ).toStrictEqual({ kind: "auto", key: "rel-1", announcements, defaults, onError });
    const keys = { sdkKey: "sdk-1", mobileKey: "mob-1", envId: "e" };
    const offline = { file: "a", maxBytes: 5, keys, contents };
    expect(
      resolveOptions({ offline: { ...offline, checkInterval: "100ms", ...pages, store } }).configuration,
    ).toStrictEqual({ kind: "offline", ...offline, checkMs: 100, defaults: { ...pages, store }, onError });
    expect(offlineFileFrom("a", { keys })).toStrictEqual({ path: "a", keys });
    expect(offlineFileFrom("a", {})).toStrictEqual({ path: "a", keys: undefined });
  });

  test("what is not set has the defaults of the documentation", () => {
    const defaults = { allowedOrigins: [], allowedHeaders: [], clientStream: "evaluated" };
    const onError = expect.any(Function);
    const announcements = undefined;
    expect(resolveOptions({ autoConfig: { key: "rel-1" } }).configuration).toStrictEqual({
      kind: "auto",
      key: "rel-1",
      announcements,
      defaults,
      onError,
    });
    const none = { keys: undefined, contents: undefined };
    expect(resolveOptions({ offline: { file: "a" } }).configuration).toStrictEqual({
      kind: "offline",
      file: "a",
      checkMs: 1000,
      maxBytes: 1024 ** 3,
      ...none,
      defaults,
      onError,
    });
  });

  test("the host hears of errors, and what it throws then is logged", () => {
    const lines: string[] = [];
    const logger = { ...silentLogger, error: (line: string) => void lines.push(line) };
    const heard: unknown[] = [];
    const error = malformedData("no flags");
    const onError = (one: unknown) => {
      heard.push(one);
      throw new Error("not now");
    };
    resolveOptions({ logger, offline: { file: "a", onError } }).configuration?.onError(error);
    resolveOptions({ logger, autoConfig: { key: "rel-1" } }).configuration?.onError(error);
    expect([heard, lines]).toEqual([[error], ["onError threw: not now"]]);
  });

  test("events are discarded where there is no upstream, and where the host says so", () => {
    const eventsOf = (options: RelayOptions) => resolveOptions(options).events;
    expect(eventsOf({ offline: { file: "a" } })).toBe("discard");
    expect(eventsOf({ offline: { file: "a" }, events: false })).toBe(false);
    expect(eventsOf({ environments, events: "discard" })).toBe("discard");
    expect(eventsOf({ autoConfig: { key: "rel-1" } })).toMatchObject({ capacity: 10_000 });
  });
});
