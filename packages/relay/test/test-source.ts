import type { SourceFactory, SourceSink } from "../src/sources/source.js";

/** A source of which nothing comes but what the test delivers. */
export interface TestSource {
  readonly source: SourceFactory;
  /** What the relay takes deliveries with: that of the source which it has started last. */
  readonly sink: SourceSink;
}

export function createTestSource(): TestSource {
  let given: SourceSink | undefined;
  return {
    source({ sink }) {
      given = sink;
      return { close() {} };
    },
    get sink() {
      if (given === undefined) throw new Error("no source was asked for");
      return given;
    },
  };
}
