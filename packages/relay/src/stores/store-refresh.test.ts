import { type Item, tombstone } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { full, item, partial, setUp } from "../../test/scripted-store.js";

test("a full set that takes several writes is read afterwards, and what was taken away meanwhile is written again", async () => {
  const { write, next, quiet, clock } = setUp({ isPiecemeal: true });
  // However often that happens.
  for (let time = 0; time < 2; time++) {
    write(full(item(1), item(1, "b"), item(1, "c")));
    (await next()).answer();
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([item(1, "c")]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a1 b1");
    upsert.answer([]);
    await quiet();
  }
  expect(clock.pending).toBe(0);
});

test("a full set that takes several writes is written again if nothing is left of it", async () => {
  const { write, next } = setUp({ isPiecemeal: true });
  write(full(item(1)));
  (await next()).answer();
  (await next()).answer(undefined);
  expect((await next()).text).toBe("replace a1");
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
    (await next()).answer([item(4)]);
    await quiet();
    expect(adopted).toEqual(["full a1", "full a2", "partial a4"]);
    expect(clock.pending).toBe(1);
  });

  test("goes on when keys are written meanwhile", async () => {
    const noteKeys = async () => {};
    const { writer, write, next, clock, quiet } = setUp({ cacheTtlMs: 30_000, noteKeys });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(20_000);
    writer.noteKeys();
    await quiet();
    clock.advance(9999);
    await quiet();
    clock.advance(1);
    expect((await next()).text).toBe("read");
  });

  test("over, a store that has become older is filled again, but not with what it does not take", async () => {
    const { write, next, clock, quiet } = setUp({ cacheTtlMs: 30_000 });
    write(full(item(2), item(1, "large")));
    (await next()).answer();
    const readAgain = async (...kept: Item[]) => {
      await quiet();
      clock.advance(30_000);
      const read = await next();
      expect(read.text).toBe("read");
      read.answer(kept);
    };
    const mark = tombstone("flags", "large", 0);
    for (let time = 0; time < 2; time++) {
      await readAgain(item(1), mark);
      const upsert = await next();
      expect(upsert.text).toBe(time === 0 ? "upsert a2 large1" : "upsert a2");
      upsert.answer([]);
      await readAgain(item(2), mark);
      await readAgain(item(2));
    }
    await quiet();
  });

  test("over while upstream is away, what is missing stays so: others may have removed it", async () => {
    const { write, next, clock, quiet, setInTouch } = setUp({ cacheTtlMs: 30_000 });
    write(full(item(1), item(1, "b")));
    (await next()).answer();
    for (const isInTouch of [false, true]) {
      await quiet();
      setInTouch(isInTouch);
      clock.advance(30_000);
      (await next()).answer([item(1)]);
    }
    expect((await next()).text).toBe("upsert b1");
  });

  test("over, what is unknown is taken over only while upstream is away: it may have been removed", async () => {
    const { write, next, clock, quiet, setInTouch, adopted } = setUp({ cacheTtlMs: 30_000 });
    write(full(item(1)));
    (await next()).answer();
    for (const isInTouch of [true, false]) {
      await quiet();
      setInTouch(isInTouch);
      clock.advance(30_000);
      (await next()).answer([item(2), item(1, "gone")]);
    }
    await quiet();
    expect(adopted).toEqual(["partial a2", "partial a2 gone1"]);
  });

  test("over, what others have added is taken over from a store that has been there all the time", async () => {
    let losses = 0;
    const { write, next, clock, quiet, adopted } = setUp({ cacheTtlMs: 30_000, losses: () => losses });
    write(full(item(1)));
    (await next()).answer();
    const readAgain = async (...items: Item[]) => {
      await quiet();
      clock.advance(30_000);
      (await next()).answer(items);
    };
    await readAgain(item(1), item(1, "added"));
    await quiet();
    expect(adopted).toEqual(["partial a1 added1"]);
    losses++;
    const older = [item(1), item(1, "added"), item(1, "gone")];
    await readAgain(...older);
    // Whatever finds out first that the store was lost, it is brought up to date.
    const reading = await next();
    expect(reading.text).toBe("read");
    reading.answer(older);
    const writing = await next();
    expect(writing.text).toBe("replace a1 added1");
    writing.answer();
    await readAgain(item(1), item(1, "added"));
    await quiet();
    expect(adopted).not.toContainEqual(expect.stringContaining("gone"));
  });

  test("over, what others have added and removed again is served no more, unless upstream has told of it or is away", async () => {
    const { write, next, clock, quiet, setInTouch, adopted } = setUp({
      cacheTtlMs: 30_000,
      losses: () => 0,
    });
    write(full(item(1)));
    (await next()).answer();
    const readAgain = async (...items: Item[]) => {
      await quiet();
      clock.advance(30_000);
      (await next()).answer(items);
      await quiet();
    };
    await readAgain(item(1), item(3, "added"), item(2, "told"), item(1, "kept"));
    write(partial(item(2, "told")));
    (await next()).answer([]);
    setInTouch(false);
    await readAgain(item(1), item(2, "told"), item(1, "kept"));
    setInTouch(true);
    await readAgain(item(1), item(2, "told"), item(1, "kept"));
    await readAgain(item(1), item(2, "told"), item(1, "kept"));
    // It may be added anew, and be no newer.
    await readAgain(item(1), item(2, "told"), item(1, "kept"), item(1, "added"));
    expect(adopted).toEqual([
      "partial a1 added3 told2 kept1",
      "partial a1 told2 kept1",
      "partial a1 told2 kept1",
      "full a1 told2 kept1",
      "partial a1 told2 kept1",
      "partial a1 told2 kept1 added1",
    ]);
  });

  test("over, a loss is not forgotten when what follows on reading fails", async () => {
    let losses = 0;
    let isDown = false;
    const { write, next, clock, quiet } = setUp({
      cacheTtlMs: 3000,
      losses: () => losses,
      isFilled: async () => {
        if (isDown) throw new Error("down");
        return true;
      },
    });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    losses++;
    isDown = true;
    clock.advance(3000);
    (await next()).answer([item(1), item(1, "gone")]);
    await quiet();
    isDown = false;
    const asked: string[] = [];
    for (let calls = 0; calls < 2; calls++) {
      clock.advance(1000);
      const call = await next();
      asked.push(call.text);
      call.answer([item(1), item(1, "gone")]);
    }
    expect(asked).toEqual(["read", "replace a1"]);
  });

  test("begins with reading or writing everything: neither items nor questions put it off", async () => {
    let asked = 0;
    const { write, next, clock, quiet } = setUp({
      cacheTtlMs: 30_000,
      async isFilled() {
        asked++;
        return true;
      },
    });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    for (let version = 2; version <= 6; version++) {
      clock.advance(5500);
      write(partial(item(version)));
      (await next()).answer([]);
      await quiet();
    }
    expect(asked).toBe(5);
    clock.advance(2499);
    await quiet();
    clock.advance(1);
    expect((await next()).text).toBe("read");
  });

  test("begins anew with a full set", async () => {
    const { write, next, clock, quiet } = setUp({ cacheTtlMs: 30_000 });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(29_999);
    write(full(item(2)));
    (await next()).answer();
    await quiet();
    clock.advance(29_999);
    await quiet();
    clock.advance(1);
    expect((await next()).text).toBe("read");
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

  test("shows a store that was emptied, which who has lost upstream leaves to others for fifteen seconds", async () => {
    const { write, next, clock, quiet, setInTouch } = setUp({ cacheTtlMs: 1000 });
    write(full(item(1)));
    (await next()).answer();
    setInTouch(false);
    for (let second = 0; second < 16; second++) {
      await quiet();
      clock.advance(1000);
      const read = await next();
      expect(read.text).toBe("read");
      read.answer(undefined);
    }
    expect((await next()).text).toBe("replace a1");
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
