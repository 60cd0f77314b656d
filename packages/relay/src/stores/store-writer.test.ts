import { compileFlags, type Evaluator, type Item, parseItem } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import type { Change } from "../change.js";
import { createDeadline } from "../deadline.js";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { FlagStore } from "./flag-store.js";
import { StoreWriter } from "./store-writer.js";

const start = 1_700_000_000_000;
const item = (version: number, key = "a") => parseItem("flags", key, `{"version":${version}}`);
const full = (...items: Item[]): Change => ({ extent: "full", items });
const partial = (...items: Item[]): Change => ({ extent: "partial", items });
const named = (items: readonly Item[]) => items.map(({ key, version }) => `${key}${version}`).join(" ");
const never = new Promise<void>(() => {});

/** One call that a store got, to be answered by the test. */
interface Call {
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  answer(result?: readonly Item[] | undefined): void;
  fail(): void;
}

/** A writer before a store whose answers the test gives. */
function setUp(options: Partial<FlagStore> = {}) {
  const clock = createManualClock(start);
  const calls: Call[] = [];
  let wake = () => {};
  const ask = <Result>(text: string, signal?: AbortSignal): Promise<Result> =>
    new Promise((resolve, reject) => {
      calls.push({
        text,
        signal,
        answer: (result) => resolve(result as Result),
        fail: () => reject(new Error("no disk")),
      });
      wake();
    });
  const store: FlagStore = {
    read: (signal) => ask("read", signal),
    replace: (items, signal) => ask(`replace ${named(items)}`, signal),
    upsert: (items, signal) => ask(`upsert ${named(items)}`, signal),
    close: () => ask("close"),
    ...options,
  };
  let served: Evaluator = compileFlags({});
  const adopted: string[] = [];
  const writer = new StoreWriter(store, {
    clock,
    logger: silentLogger,
    current: () => served.items("flags"),
    adopt(change) {
      adopted.push(`${change.extent} ${named([...change.items])}`);
      served = served.apply(change);
    },
  });
  return {
    clock,
    calls,
    adopted,
    writer,
    /** Upstream delivers. */
    write(change: Change) {
      served = served.apply(change);
      writer.write(change);
    },
    /** The next call of the store. */
    async next(): Promise<Call> {
      while (calls.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return calls.shift() as Call;
    },
    /** Nothing more is asked, however long one listens. */
    async quiet(): Promise<void> {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(calls.map(({ text }) => text)).toEqual([]);
    },
  };
}

describe("what the store has before upstream delivers", () => {
  test("is taken over whole", async () => {
    const { writer, next, adopted, quiet } = setUp();
    writer.start();
    (await next()).answer([item(1), item(2, "b")]);
    await quiet();
    expect(adopted).toEqual(["full a1 b2"]);
  });

  test("is asked for again when it cannot be read, until upstream delivers", async () => {
    const { writer, next, clock, quiet, write } = setUp();
    writer.start();
    for (let attempt = 0; attempt < 3; attempt++) {
      const call = await next();
      expect(call.text).toBe("read");
      call.fail();
      await quiet();
      expect(writer.status).toMatchObject({ state: "INTERRUPTED", stateSince: start });
      clock.advance(1000);
    }
    (await next()).fail();
    await quiet();
    write(full(item(1)));
    clock.advance(1000);
    const call = await next();
    expect(call.text).toBe("replace a1");
    call.answer();
    await quiet();
    expect(writer.status).toEqual({ state: "VALID", stateSince: start + 4000 });
    expect(clock.pending).toBe(0);
  });

  test("does not count any more when the answer comes after upstream's", async () => {
    const { writer, next, adopted, quiet, write } = setUp();
    writer.start();
    const read = await next();
    write(full(item(1)));
    expect(read.signal?.aborted).toBe(true);
    (await next()).answer();
    read.answer([item(9)]);
    await quiet();
    expect(adopted).toEqual([]);
    expect(writer.status.state).toBe("VALID");
  });

  test("is added to, when a source delivers single items: no full set is made of them", async () => {
    const { write, next, clock, quiet } = setUp();
    write(partial(item(3)));
    (await next()).fail();
    await quiet();
    clock.advance(1000);
    (await next()).answer(undefined);
    expect((await next()).text).toBe("upsert a3");
  });
});

describe("changes", () => {
  test("of one turn are one call, and so are those that come while another call is under way", async () => {
    const { write, next, quiet } = setUp();
    write(full(item(1)));
    write(partial(item(2)));
    write(partial(item(1, "b")));
    const first = await next();
    expect(first.text).toBe("replace a2 b1");
    for (let version = 3; version < 203; version++)
      write(partial(item(version), item(version, "b"), item(version, "c")));
    await quiet();
    first.answer();
    const second = await next();
    expect(second.text).toBe("upsert a202 b202 c202");
    second.answer([]);
    await quiet();
  });

  test("that others have overtaken in the store are replaced by what it has", async () => {
    const { write, next, adopted, quiet } = setUp();
    write(full(item(1)));
    (await next()).answer();
    write(partial(item(2), item(2, "b")));
    (await next()).answer([item(7)]);
    await quiet();
    expect(adopted).toEqual(["partial a7"]);
  });

  test("wait neither for a store that never answers nor for the time it is given", async () => {
    const { write, writer, next, clock, quiet } = setUp({ timeoutMs: 3000 });
    write(full(item(1)));
    const hanging = await next();
    write(partial(item(2)));
    await quiet();
    clock.advance(2999);
    await quiet();
    expect(hanging.signal?.aborted).toBe(false);
    expect(writer.status.state).toBe("VALID");
    clock.advance(1);
    await quiet();
    expect(hanging.signal?.aborted).toBe(true);
    expect(writer.status).toEqual({ state: "INTERRUPTED", stateSince: start + 3000 });
    clock.advance(1000);
    expect((await next()).text).toBe("replace a2");
  });

  test("that come in the pause after a failure wait for its end", async () => {
    const { write, next, clock, quiet } = setUp();
    write(full(item(1)));
    (await next()).fail();
    await quiet();
    write(partial(item(2)));
    write(full(item(3)));
    await quiet();
    clock.advance(1000);
    expect((await next()).text).toBe("replace a3");
  });
});

describe("a store that can be asked whether it is filled", () => {
  /** It is asked after the first full set was written. */
  async function filled() {
    const answers: { text: string; give(filled: boolean): void; fail(): void }[] = [];
    const all = setUp({
      isFilled: () =>
        new Promise((resolve, reject) => {
          answers.push({ text: "probe", give: resolve, fail: () => reject(new Error("no disk")) });
        }),
    });
    all.write(full(item(1), item(1, "b")));
    (await all.next()).answer();
    await all.quiet();
    const probe = async () => {
      await all.quiet();
      all.clock.advance(4999);
      await all.quiet();
      expect(answers).toEqual([]);
      all.clock.advance(1);
      await all.quiet();
      return answers.pop() ?? expect.fail("it was not asked");
    };
    return { ...all, probe };
  }

  test("is asked every five seconds while nothing else is done, and left alone as long as it is", async () => {
    const { probe, quiet, write, next, writer, clock } = await filled();
    (await probe()).give(true);
    await quiet();
    (await probe()).give(true);
    await quiet();
    clock.advance(4000);
    write(partial(item(2)));
    (await next()).answer([]);
    await quiet();
    (await probe()).give(true);
    await quiet();
    expect(writer.status).toEqual({ state: "VALID", stateSince: start });
    expect(clock.pending).toBe(1);
    const closing = writer.close(never);
    (await next()).answer();
    await closing;
    expect(clock.pending).toBe(0);
  });

  test("is filled again when somebody has emptied it", async () => {
    const { probe, next, write } = await filled();
    write(partial(item(2)));
    (await next()).answer([]);
    (await probe()).give(false);
    expect((await next()).text).toBe("replace a2 b1");
  });

  test("is interrupted when it does not answer, and written to as after any other failure", async () => {
    const { probe, next, writer, clock, quiet } = await filled();
    (await probe()).fail();
    await quiet();
    expect(writer.status.state).toBe("INTERRUPTED");
    clock.advance(1000);
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([]);
    expect((await next()).text).toBe("replace a1 b1");
  });

  test("does not keep the end or a full set waiting", async () => {
    const { probe, next, writer, write } = await filled();
    await probe();
    write(full(item(3)));
    const replace = await next();
    expect(replace.text).toBe("replace a3");
    replace.answer();
    await probe();
    const closing = writer.close(never);
    (await next()).answer();
    await closing;
  });

  test("is not filled by somebody who has nothing", async () => {
    const isFilled = async () => false;
    const { next, writer, quiet, clock } = setUp({ isFilled });
    writer.start();
    (await next()).answer(undefined);
    await quiet();
    clock.advance(5000);
    await quiet();
  });
});

describe("after a failure", () => {
  test("of writing everything, everything is written, never an item alone", async () => {
    const { write, next, clock, quiet } = setUp();
    write(full(item(1), item(1, "b")));
    const failing = await next();
    write(partial(item(2)));
    failing.fail();
    await quiet();
    clock.advance(1000);
    const again = await next();
    expect(again.text).toBe("replace a2 b1");
    again.answer();
    await quiet();
  });

  test("of writing an item, what is newer in the store is taken over before everything is written", async () => {
    const { write, next, clock, quiet, adopted, writer } = setUp();
    write(full(item(1), item(1, "b")));
    (await next()).answer();
    write(partial(item(2)));
    (await next()).fail();
    await quiet();
    expect(writer.status.state).toBe("INTERRUPTED");
    clock.advance(1000);
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([item(1), item(5, "b"), item(1, "c")]);
    const replace = await next();
    expect(replace.text).toBe("replace a2 b5 c1");
    expect(adopted).toEqual(["partial a1 b5 c1"]);
    replace.answer();
    await quiet();
    expect(writer.status.state).toBe("VALID");
    expect(clock.pending).toBe(0);
  });

  test("a full set that came meanwhile counts, whatever the store has", async () => {
    const { write, next, clock, quiet } = setUp();
    write(full(item(9)));
    (await next()).answer();
    write(partial(item(10)));
    (await next()).fail();
    await quiet();
    write(full(item(1)));
    clock.advance(1000);
    expect((await next()).text).toBe("replace a1");
  });

  test("a full set that comes while the store is read again counts as well", async () => {
    const { write, next, clock, quiet, adopted } = setUp();
    write(full(item(9)));
    (await next()).answer();
    write(partial(item(10)));
    (await next()).fail();
    await quiet();
    clock.advance(1000);
    const read = await next();
    expect(read.text).toBe("read");
    write(full(item(1)));
    read.answer([item(11)]);
    expect((await next()).text).toBe("replace a1");
    expect(adopted).toEqual([]);
  });

  const rubbish = {
    "throws at once": () => {
      throw new Error("broken");
    },
    "gives nothing": async () => undefined,
    "gives what is no item": async () => [{ kind: "flags", key: "a", version: 99 }],
  };
  for (const [name, upsert] of Object.entries(rubbish)) {
    test(`a store that ${name} counts as failing`, async () => {
      // The type system does not reach every author of a store.
      const { write, next, writer, quiet } = setUp({ upsert: upsert as unknown as FlagStore["upsert"] });
      write(full(item(1)));
      (await next()).answer();
      write(partial(item(2)));
      await quiet();
      expect(writer.status.state).toBe("INTERRUPTED");
    });
  }
});

describe("the time for which contents count", () => {
  test("over, the store is read again: before upstream all of it counts, afterwards what is newer", async () => {
    const { writer, write, next, clock, quiet, adopted } = setUp({ cacheTtlMs: 30_000 });
    writer.start();
    (await next()).answer([item(1)]);
    await quiet();
    clock.advance(29_999);
    await quiet();
    clock.advance(1);
    (await next()).answer([item(2)]);
    await quiet();
    write(full(item(3)));
    (await next()).answer();
    await quiet();
    clock.advance(30_000);
    (await next()).answer([item(2)]);
    await quiet();
    expect(adopted).toEqual(["full a1", "full a2", "partial a2"]);
    expect(clock.pending).toBe(1);
  });

  test("is at least a second, and without end unless the store says so", async () => {
    const short = setUp({ cacheTtlMs: 0 });
    short.writer.start();
    (await short.next()).answer([]);
    await short.quiet();
    short.clock.advance(999);
    await short.quiet();
    short.clock.advance(1);
    expect((await short.next()).text).toBe("read");
    const endless = setUp();
    endless.writer.start();
    (await endless.next()).answer([]);
    await endless.quiet();
    expect(endless.clock.pending).toBe(0);
  });

  test("shows a store that was emptied, which is filled again", async () => {
    const { write, next, clock, quiet } = setUp({ cacheTtlMs: 1000 });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(1000);
    (await next()).answer(undefined);
    expect((await next()).text).toBe("replace a1");
  });
});

describe("closing", () => {
  test("writes what waits, then closes the store, and leaves no timer", async () => {
    const { writer, write, next, clock, quiet } = setUp({ cacheTtlMs: 5000 });
    write(full(item(1)));
    const first = await next();
    write(partial(item(2)));
    const closed = writer.close(never);
    write(partial(item(9, "late")));
    await quiet();
    first.answer();
    const second = await next();
    expect(second.text).toBe("upsert a2");
    second.answer([]);
    const close = await next();
    expect(close.text).toBe("close");
    close.answer();
    await closed;
    write(partial(item(3)));
    clock.advance(60_000);
    await quiet();
    expect(clock.pending).toBe(0);
  });

  test("ends at the deadline, however the store hangs", async () => {
    const { writer, write, next, clock, quiet } = setUp({ timeoutMs: 60_000 });
    write(full(item(1)));
    const hanging = await next();
    write(partial(item(2)));
    const closed = writer.close(createDeadline(clock, 5000).reached);
    clock.advance(5000);
    await closed;
    expect(hanging.signal?.aborted).toBe(true);
    expect((await next()).text).toBe("close");
    await quiet();
    expect(clock.pending).toBe(0);
  });

  test("lets go of the time at which the store would be read again", async () => {
    const { writer, write, next, clock, quiet } = setUp({ cacheTtlMs: 5000 });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    expect(clock.pending).toBe(1);
    void writer.close(never);
    expect(clock.pending).toBe(0);
  });

  test("does not try again what fails anyway, nor waits for a read", async () => {
    const failing = setUp();
    failing.write(full(item(1)));
    (await failing.next()).fail();
    await failing.quiet();
    const closed = failing.writer.close(never);
    const close = await failing.next();
    expect(close.text).toBe("close");
    close.fail();
    await closed;
    expect(failing.clock.pending).toBe(0);
    const reading = setUp();
    reading.writer.start();
    const read = await reading.next();
    void reading.writer.close(never);
    expect((await reading.next()).text).toBe("close");
    expect(read.signal?.aborted).toBe(true);
  });
});

test("without a store there is nothing to do and nothing wrong", async () => {
  const clock = createManualClock(start);
  const writer = new StoreWriter(undefined, {
    clock,
    logger: silentLogger,
    current: () => [],
    adopt: () => {},
  });
  writer.start();
  writer.write(full(item(1)));
  await writer.close(never);
  expect(writer.status).toEqual({ state: "VALID", stateSince: start });
  expect(clock.pending).toBe(0);
});
