import { describe, expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import { createManualClock } from "../testing/manual-clock.js";
import { startLastingSource } from "./lasting-source.js";
import type { Source, SourceFactory, SourceSink } from "./source.js";

/** A factory that does what the test says, and a sink that notes what it hears, and does then what the test says. */
function create(
  onStart: (sink: SourceSink, start: number) => Source | "usual" = () => "usual",
  onHeard: () => void = () => {},
) {
  const clock = createManualClock();
  const heard: string[] = [];
  const sinks: SourceSink[] = [];
  let closed = 0;
  const factory: SourceFactory = ({ sink }) => {
    sinks.push(sink);
    const made = onStart(sink, sinks.length);
    return made === "usual" ? { close: () => void closed++ } : made;
  };
  const hear = (what: string) => {
    heard.push(what);
    onHeard();
  };
  const sink: SourceSink = {
    apply: async () => hear("apply"),
    interrupted: (kind) => hear(`interrupted ${kind}`),
    refused: (kind) => hear(`refused ${kind}`),
  };
  const context = {
    label: "a",
    sdkKey: "sdk-1",
    filter: undefined,
    sink,
    upstream: resolveOptions({}).upstream,
    logger: silentLogger,
    clock,
    random: () => 0,
  };
  return {
    clock,
    heard,
    sinks,
    start: (tolerant = false) => startLastingSource(factory, context, tolerant),
    get closed() {
      return closed;
    },
  };
}

const change = { extent: "full", items: [] } as const;

describe("after a refusal", () => {
  test("it starts again after ten seconds, then twice as long each time, and at last every ten minutes", () => {
    const lasting = create();
    lasting.start();
    for (const pauseMs of [10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * 1000)) {
      const before = lasting.sinks.length;
      lasting.sinks.at(-1)?.refused("ERROR_RESPONSE", "401");
      lasting.clock.advance(pauseMs - 1);
      expect(lasting.sinks).toHaveLength(before);
      lasting.clock.advance(1);
      expect(lasting.sinks).toHaveLength(before + 1);
    }
    expect(lasting.closed).toBe(9);
    expect(new Set(lasting.heard)).toEqual(new Set(["refused ERROR_RESPONSE"]));
  });

  test("a minute of good service begins a new sequence of pauses", async () => {
    const lasting = create();
    lasting.start();
    lasting.sinks[0]?.refused("ERROR_RESPONSE", "401");
    lasting.clock.advance(10_000);
    await lasting.sinks[1]?.apply(change);
    lasting.clock.advance(60_000);
    lasting.sinks[1]?.refused("ERROR_RESPONSE", "401");
    lasting.clock.advance(10_000);
    expect(lasting.sinks).toHaveLength(3);
  });

  test("flags that cannot be taken are no good service", async () => {
    const lasting = create(undefined, () => {
      if (lasting.heard.at(-1) === "apply") throw new Error("no flags");
    });
    lasting.start();
    lasting.sinks[0]?.refused("ERROR_RESPONSE", "401");
    lasting.clock.advance(10_000);
    await expect(lasting.sinks[1]?.apply(change)).rejects.toThrow("no flags");
    lasting.clock.advance(60_000);
    lasting.sinks[1]?.refused("ERROR_RESPONSE", "401");
    lasting.clock.advance(19_999);
    expect(lasting.sinks).toHaveLength(2);
    lasting.clock.advance(1);
    expect(lasting.sinks).toHaveLength(3);
  });

  test("the source that was there before is not heard any more", async () => {
    const lasting = create();
    lasting.start();
    const [old] = lasting.sinks;
    old?.refused("ERROR_RESPONSE", "401");
    await old?.apply(change);
    old?.refused("ERROR_RESPONSE", "401");
    old?.interrupted("NETWORK_ERROR", "x");
    expect(lasting.heard).toEqual(["refused ERROR_RESPONSE"]);
    lasting.clock.advance(10_000);
    await old?.apply(change);
    expect(lasting.heard).toHaveLength(1);
    expect(lasting.sinks).toHaveLength(2);
  });

  test("closed during the pause it does not start again", () => {
    const lasting = create();
    const source = lasting.start();
    lasting.sinks[0]?.refused("ERROR_RESPONSE", "401");
    source.close();
    expect(lasting.clock.pending).toBe(0);
    lasting.clock.advance(100_000);
    expect([lasting.sinks.length, lasting.closed]).toEqual([1, 1]);
  });

  test.each([
    { heard: ["refused ERROR_RESPONSE"] },
    { heard: ["refused ERROR_RESPONSE", "interrupted UNKNOWN"] },
  ])("closed by who hears the last of $heard it does not start again", ({ heard }) => {
    const lasting = create(
      (_, start) => {
        if (start === 2) throw new Error("no");
        return "usual";
      },
      () => (lasting.heard.length === heard.length ? source.close() : undefined),
    );
    const source = lasting.start();
    lasting.sinks[0]?.refused("ERROR_RESPONSE", "401");
    lasting.clock.advance(10_000);
    expect([lasting.heard, lasting.clock.pending, lasting.sinks.length]).toEqual([heard, 0, heard.length]);
  });

  test("a source that refuses before it is there is closed when it comes", () => {
    const lasting = create((sink, start) => {
      if (start === 1) sink.refused("ERROR_RESPONSE", "401");
      return "usual";
    });
    lasting.start();
    expect(lasting.closed).toBe(1);
    lasting.clock.advance(10_000);
    expect(lasting.sinks).toHaveLength(2);
    expect(lasting.closed).toBe(1);
  });
});

describe("a factory of the host", () => {
  const rubbish = [
    {
      name: "throws",
      onStart: () => {
        throw new Error("no");
      },
    },
    {
      name: "throws when its source has already been refused",
      onStart: ({ refused }: SourceSink) => {
        refused("ERROR_RESPONSE", "401");
        throw new Error("no");
      },
      heard: ["refused ERROR_RESPONSE", "interrupted UNKNOWN"],
    },
    { name: "gives nothing", onStart: () => null as never },
    { name: "gives something without close", onStart: () => ({}) as never },
  ];
  for (const { name, onStart, heard = ["interrupted UNKNOWN"] } of rubbish) {
    test(`that ${name} is heard of at the very start, and nothing is left`, () => {
      const lasting = create(onStart);
      expect(() => lasting.start()).toThrow();
      expect(lasting.clock.pending).toBe(0);
    });

    test(`that ${name} later is a failure that may pass`, () => {
      let good = false;
      const lasting = create((sink) => (good ? "usual" : onStart(sink)));
      lasting.start(true);
      expect(lasting.heard).toEqual(heard);
      good = true;
      lasting.clock.advance(20_000);
      expect(lasting.sinks).toHaveLength(2);
      expect(lasting.clock.pending).toBe(0);
    });
  }

  test("whose source throws when it is closed does no harm", () => {
    const lasting = create(() => ({
      close: () => {
        throw new Error("no");
      },
    }));
    expect(() => lasting.start().close()).not.toThrow();
  });

  test("whose source throws when it is closed because it was refused at once does no harm either", () => {
    const lasting = create((sink, start) => {
      if (start === 1) sink.refused("ERROR_RESPONSE", "401");
      return {
        close: () => {
          throw new Error("no");
        },
      };
    });
    lasting.start();
    lasting.clock.advance(10_000);
    expect([lasting.heard, lasting.sinks.length]).toEqual([["refused ERROR_RESPONSE"], 2]);
  });
});

test("what cannot be taken is told to a source that looks at it, and ends nothing where none does", async () => {
  const lasting = create(undefined, () => {
    throw new Error("no flags");
  });
  lasting.start();
  const [sink] = lasting.sinks;
  const told: unknown[] = [];
  const ends = (reason: unknown) => void told.push(reason);
  process.on("unhandledRejection", ends);
  onTestFinished(() => void process.off("unhandledRejection", ends));
  void sink?.apply(change);
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect([lasting.heard, told]).toEqual([["apply"], []]);
  await expect(sink?.apply(change)).rejects.toThrow("no flags");
});
