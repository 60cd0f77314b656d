import { tombstone } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { full, item, never, partial, setUp, start } from "../../test/scripted-store.js";
import { createDeadline } from "../deadline.js";
import { silentLogger } from "../logger.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { FlagStore } from "./flag-store.js";
import { StoreWriter } from "./store-writer.js";

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
      clock.advance(1000 * 2 ** attempt);
    }
    (await next()).fail();
    await quiet();
    write(full(item(1)));
    clock.advance(8000);
    const call = await next();
    expect(call.text).toBe("replace a1");
    call.answer();
    await quiet();
    expect(writer.status).toEqual({ state: "VALID", stateSince: start + 15_000 });
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

  test("that others have overtaken do not undo a full set that has come since", async () => {
    const { write, next, adopted, quiet } = setUp();
    write(full(item(1), item(1, "gone")));
    (await next()).answer();
    write(partial(item(2, "gone")));
    const upsert = await next();
    write(full(item(1)));
    upsert.answer([item(3, "gone")]);
    expect((await next()).text).toBe("replace a1");
    await quiet();
    expect(adopted).toEqual([]);
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
    expect(writer.status).toEqual({ state: "INITIALIZING", stateSince: start });
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

describe("after a failure", () => {
  test("the log names the store, of whichever task and at the end as well", async () => {
    const about = { database: "redis", dbServer: "redis://db", dbPrefix: "ld" } as const;
    const warnings: string[] = [];
    const { writer, next, errors, quiet } = setUp({ about }, { warn: (message) => warnings.push(message) });
    writer.start();
    (await next()).fail();
    await quiet();
    expect(errors).toEqual(['data store: redis at redis://db, prefix "ld": reading failed: no disk']);
    const closing = writer.close(never);
    (await next()).fail();
    await closing;
    expect(warnings).toEqual(['data store: redis at redis://db, prefix "ld": closing failed: no disk']);
  });

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

  test("of writing an item, what is newer in the store is taken over, and what it lacks is written", async () => {
    const { write, next, clock, quiet, adopted, writer } = setUp();
    write(full(item(1), item(1, "b"), item(1, "d")));
    (await next()).answer();
    write(partial(item(2)));
    (await next()).fail();
    await quiet();
    expect(writer.status.state).toBe("INTERRUPTED");
    clock.advance(1000);
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([item(1), item(5, "b"), tombstone("flags", "c", 1)]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a2 d1");
    expect(adopted).toEqual(["partial a1 b5"]);
    upsert.answer([]);
    await quiet();
    expect(writer.status.state).toBe("VALID");
    expect(clock.pending).toBe(0);
  });

  test("of writing items while upstream is lost, they alone are written: others may have removed the rest", async () => {
    const { write, next, clock, quiet, setInTouch } = setUp();
    write(full(item(1), item(1, "gone")));
    (await next()).answer();
    write(partial(item(2), item(1, "b")));
    const failing = await next();
    write(partial(item(3)));
    failing.fail();
    setInTouch(false);
    await quiet();
    for (let time = 0; time < 2; time++) {
      clock.advance(1000 + 1000 * time);
      const upsert = await next();
      expect(upsert.text).toBe("upsert a3 b1");
      if (time === 0) upsert.fail();
      else upsert.answer([]);
      await quiet();
    }
  });

  test("of writing everything, and upstream lost, only what is older in the store is written: others may have removed the rest", async () => {
    const { write, writer, next, clock, quiet, setInTouch, adopted } = setUp();
    write(full(item(1), item(1, "gone"), item(5, "b"), item(1, "c")));
    (await next()).fail();
    setInTouch(false);
    await quiet();
    clock.advance(1000);
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([item(2), item(4, "b"), item(1, "new")]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert b5");
    expect(adopted).toEqual(["partial a2 b4 new1"]);
    upsert.answer([]);
    await quiet();
    expect(writer.status.state).toBe("VALID");
    // What upstream says counts again.
    setInTouch(true);
    write(full(item(3)));
    expect((await next()).text).toBe("replace a3");
  });

  test("of writing everything, and upstream lost, what has nothing by then gets it all the same", async () => {
    const { write, next, clock, quiet, setInTouch } = setUp();
    write(full(item(1)));
    (await next()).fail();
    setInTouch(false);
    await quiet();
    clock.advance(1000);
    (await next()).answer(undefined);
    expect((await next()).text).toBe("replace a1");
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

  test("a full set that waits is written whatever the store has by then", async () => {
    const { write, next, clock, quiet } = setUp();
    write(full(item(9)));
    (await next()).answer();
    write(partial(item(10)));
    const failing = await next();
    write(full(item(1)));
    failing.fail();
    await quiet();
    clock.advance(1000);
    expect((await next()).text).toBe("replace a1");
  });

  test("what was read is not taken over once a full set has come, not even if it has to wait for its turn", async () => {
    const { writer, write, next, quiet, adopted, adoptAfter } = setUp();
    let through = () => {};
    adoptAfter(new Promise((resolve) => (through = resolve)));
    writer.start();
    (await next()).answer([item(5)]);
    await quiet();
    write(full(item(1)));
    through();
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

  test("writes a full set that waits", async () => {
    const { writer, write, next } = setUp();
    write(full(item(1)));
    const first = await next();
    write(full(item(2)));
    const closed = writer.close(never);
    first.answer();
    const second = await next();
    expect(second.text).toBe("replace a2");
    second.answer();
    (await next()).answer();
    await closed;
  });

  test("does not try again what fails at the end, and leaves no timer", async () => {
    const { writer, write, next, clock, quiet } = setUp({ cacheTtlMs: 5000 });
    write(full(item(1)));
    const failing = await next();
    const closed = writer.close(never);
    failing.fail();
    const close = await next();
    expect(close.text).toBe("close");
    close.answer();
    await closed;
    expect(clock.pending).toBe(0);
    clock.advance(60_000);
    await quiet();
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
    random: Math.random,
    logger: silentLogger,
    answered: () => {},
    current: () => [],
    isInTouch: () => true,
    adopt: () => undefined,
  });
  writer.start();
  writer.write(full(item(1)), () => expect.fail("nobody needs what was served before"));
  await writer.close(never);
  expect(writer.status).toEqual({ state: "VALID", stateSince: start });
  expect(clock.pending).toBe(0);
});

test("nothing is written, nor asked, that comes after the end", async () => {
  let noted = 0;
  const { writer, next, quiet, clock, write } = setUp({ noteKeys: async () => void noted++ });
  writer.start();
  (await next()).answer([]);
  await quiet();
  const closed = writer.close(never);
  write(full(item(1)));
  writer.noteKeys();
  const last = await next();
  expect(last.text).toBe("close");
  await quiet();
  last.answer();
  await closed;
  expect([clock.pending, noted]).toEqual([0, 0]);
});

test("whoever has the name next waits until the store of the one before is closed, or until the deadline", async () => {
  for (const end of ["closed", "deadline"] as const) {
    const clock = createManualClock();
    const deadline = createDeadline(clock, 1000);
    const said: string[] = [];
    let closed = () => {};
    const store: FlagStore = {
      read: async () => [],
      replace: async () => {},
      upsert: async () => [],
      close: () =>
        new Promise((resolve) => {
          said.push("closing");
          closed = resolve;
        }),
    };
    const holder = { turn: undefined, done: () => void said.push("released") };
    const served = { current: () => [], isInTouch: () => true, adopt: () => undefined, answered: () => {} };
    const writer = new StoreWriter(store, {
      ...served,
      clock,
      random: Math.random,
      logger: silentLogger,
      holder,
    });
    const done = writer.close(deadline.reached);
    await expect.poll(() => said).toEqual(["closing"]);
    if (end === "closed") closed();
    else clock.advance(1000);
    await done;
    expect(said).toEqual(["closing", "released"]);
  }
});
