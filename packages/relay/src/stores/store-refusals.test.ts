import { expect, test } from "vitest";
import { full, item, partial, setUp, start } from "../../test/scripted-store.js";

/** A store that can be asked; its database may refuse things or be away. */
function open() {
  const database = { isThere: true, asked: 0 };
  const all = setUp({
    isFilled: async () => {
      database.asked++;
      if (!database.isThere) throw new Error("no network");
      return true;
    },
  });
  const pass = async (ms: number) => {
    await all.quiet();
    all.clock.advance(ms);
  };
  return { ...all, database, pass };
}

/** One that has a full set. */
async function filled() {
  const all = open();
  all.write(full(item(1), item(1, "b")));
  (await all.next()).answer();
  await all.quiet();
  return all;
}

test("what a database refuses is tried again after pauses that grow to half a minute, and nothing but what is missing is written", async () => {
  const { write, next, pass, writer, errors, clock } = await filled();
  write(partial(item(2)));
  (await next()).fail();
  for (const pause of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    await pass(pause - 1);
    expect(writer.status).toEqual({ state: "INTERRUPTED", stateSince: start });
    await pass(1);
    (await next()).answer([item(1), item(1, "b")]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a2");
    upsert.fail();
  }
  expect(errors).toEqual(["data store: writing some flags failed: no disk"]);
  await pass(30_000);
  (await next()).answer([item(1), item(1, "b")]);
  (await next()).answer([]);
  await pass(0);
  expect(writer.status).toEqual({ state: "VALID", stateSince: clock.now() });
  // The next refusal is another one.
  write(partial(item(3)));
  (await next()).fail();
  await pass(1000);
  expect((await next()).text).toBe("read");
  expect(errors).toHaveLength(2);
});

test("a database that is away is asked each second, and gets what was refused before as soon as it answers", async () => {
  const { write, next, pass, quiet, database, errors } = await filled();
  write(partial(item(2)));
  (await next()).fail();
  for (const pause of [1000, 2000, 4000]) {
    await pass(pause);
    (await next()).answer([item(1), item(1, "b")]);
    (await next()).fail();
  }
  database.isThere = false;
  await pass(8000);
  await quiet();
  database.asked = 0;
  for (let second = 0; second < 60; second++) await pass(1000);
  await quiet();
  expect(database.asked).toBe(60);
  database.isThere = true;
  await pass(1000);
  expect((await next()).text).toBe("read");
  expect(errors).toEqual([
    "data store: writing some flags failed: no disk",
    "data store: asking whether everything is still there failed: no network",
  ]);
});

test("one that is away at the start is asked before it is read again", async () => {
  const { writer, next, pass, quiet, database } = open();
  database.isThere = false;
  writer.start();
  (await next()).fail();
  for (let second = 0; second < 60; second++) await pass(1000);
  await quiet();
  expect(writer.hasAnswered).toBe(false);
  database.isThere = true;
  await pass(1000);
  const read = await next();
  expect(writer.hasAnswered).toBe(false);
  read.answer([]);
  await quiet();
  expect(writer.status.state).toBe("VALID");
  expect(writer.hasAnswered).toBe(true);
});

test("a full set that was refused is asked for before it is written again; one that upstream delivers is written at once", async () => {
  const { write, next, pass, quiet, database } = await filled();
  write(full(item(2)));
  (await next()).fail();
  await quiet();
  expect(database.asked).toBe(0);
  await pass(1000);
  const again = await next();
  expect([again.text, database.asked]).toEqual(["replace a2", 1]);
  again.fail();
  await quiet();
  write(full(item(3)));
  await pass(2000);
  expect([(await next()).text, database.asked]).toEqual(["replace a3", 1]);
});

test("an outage is told of once for each of its reasons, and so is the next one", async () => {
  const { write, writer, next, clock, quiet, errors } = setUp();
  expect(writer.status).toEqual({ state: "INITIALIZING", stateSince: start });
  write(full(item(1)));
  for (let attempt = 0; attempt < 60; attempt++) {
    (await next()).fail();
    await quiet();
    clock.advance(30_000);
  }
  expect(errors).toEqual(["data store: writing all flags failed: no disk"]);
  expect(writer.status).toEqual({ state: "INTERRUPTED", stateSince: start });
  (await next()).answer();
  await quiet();
  expect(writer.status.state).toBe("VALID");
  write(full(item(2)));
  (await next()).fail();
  await quiet();
  expect(errors).toHaveLength(2);
});

test("reasons that are never the same are not remembered for ever, and all of them are told", async () => {
  let failures = 0;
  const { write, next, clock, quiet, errors } = setUp({
    upsert: async () => {
      throw new Error(`request ${++failures}`);
    },
  });
  write(full(item(1)));
  (await next()).answer();
  write(partial(item(2)));
  for (let attempt = 0; attempt < 50; attempt++) {
    await quiet();
    clock.advance(30_000);
    (await next()).answer([item(1)]);
  }
  await quiet();
  expect(errors).toHaveLength(51);
});

test.each([
  { reasons: 20, told: 20 },
  { reasons: 21, told: 42 },
])("of $reasons reasons that come twice in turn $told are told", async ({ reasons, told }) => {
  let failures = 0;
  const { write, next, clock, quiet, errors } = setUp({
    upsert: async () => {
      throw new Error(`request ${failures++ % reasons}`);
    },
  });
  write(full(item(1)));
  (await next()).answer();
  write(partial(item(2)));
  for (let attempt = 1; attempt < 2 * reasons; attempt++) {
    await quiet();
    clock.advance(30_000);
    (await next()).answer([item(1)]);
  }
  await quiet();
  expect([failures, errors.length]).toEqual([2 * reasons, told]);
});

test("a store that takes something again is well, whatever waits to be written", async () => {
  const { writer, write, next, clock, quiet } = setUp();
  write(full(item(1)));
  (await next()).fail();
  await quiet();
  expect(writer.status.state).toBe("INTERRUPTED");
  write(full(item(2)));
  clock.advance(1000);
  const replace = await next();
  write(partial(item(3)));
  replace.answer();
  expect((await next()).text).toBe("upsert a3");
  expect(writer.status).toEqual({ state: "VALID", stateSince: start + 1000 });
});

test("a store that cannot be read is read again after pauses that double", async () => {
  const { writer, next, clock, quiet } = setUp();
  writer.start();
  for (const pauseMs of [1000, 2000, 4000]) {
    (await next()).fail();
    await quiet();
    clock.advance(pauseMs - 1);
    expect(clock.pending).toBe(1);
    clock.advance(1);
  }
  expect((await next()).text).toBe("read");
});

test("when the store fails at filling what was emptied, or at writing what is missing, it is looked at anew, and not everything is written", async () => {
  const filled = [true];
  const { write, next, clock, quiet, errors } = setUp({ isFilled: async () => filled.shift() ?? true });
  write(full(item(1), item(1, "b")));
  (await next()).answer();
  await quiet();
  filled[0] = false;
  clock.advance(5000);
  (await next()).answer([item(1)]);
  const replace = await next();
  expect(replace.text).toBe("replace a1 b1");
  replace.fail("no room");
  for (const pause of [1000, 2000, 4000]) {
    await quiet();
    clock.advance(pause);
    (await next()).answer([item(1)]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert b1");
    upsert.fail("no disk");
  }
  await quiet();
  expect(errors).toEqual([
    "data store: writing all flags again failed: no room",
    "data store: writing what is missing failed: no disk",
  ]);
});

test("that it cannot be noted which keys open the flags is told", async () => {
  const { write, writer, next, quiet, errors } = setUp({
    noteKeys: () => Promise.reject(new Error("no disk")),
  });
  write(full(item(1)));
  (await next()).answer();
  await quiet();
  writer.noteKeys();
  await quiet();
  expect(errors).toEqual(["data store: writing which keys open the flags failed: no disk"]);
  expect(writer.status.state).toBe("INTERRUPTED");
});
