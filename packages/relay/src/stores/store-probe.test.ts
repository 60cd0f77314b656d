import { describe, expect, test } from "vitest";
import { full, item, never, partial, setUp, start } from "../../test/scripted-store.js";

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
    return { ...all, probe, answers };
  }

  test("is asked every five seconds while nothing else is done, and left alone as long as it is", async () => {
    const { probe, quiet, next, writer, clock } = await filled();
    (await probe()).give(true);
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

  test("is asked although items are written all the time, which tells nothing of the others", async () => {
    const { next, write, clock, quiet, answers } = await filled();
    for (let version = 2; version <= 4; version++) {
      clock.advance(1250);
      write(partial(item(version)));
      (await next()).answer([]);
      await quiet();
    }
    clock.advance(1250);
    await quiet();
    answers.pop()?.give(false);
    expect((await next()).text).toBe("read");
  });

  test("is asked before items that wait are written, because there may always be more of them", async () => {
    const { next, write, clock, quiet, answers } = await filled();
    write(partial(item(2)));
    const upsert = await next();
    write(partial(item(3)));
    clock.advance(5000);
    upsert.answer([]);
    await quiet();
    expect(answers).toHaveLength(1);
    answers.pop()?.give(true);
    expect((await next()).text).toBe("upsert a3");
  });

  test("is filled again when somebody has emptied it, or has taken away a part of it", async () => {
    const { probe, next, write, adopted } = await filled();
    write(partial(item(2)));
    (await next()).answer([]);
    (await probe()).give(false);
    (await next()).answer(undefined);
    expect((await next()).text).toBe("replace a2 b1");
    expect(adopted).toEqual([]);
  });

  test("is not deprived of what is newer in it when it is filled again", async () => {
    const { probe, next, adopted } = await filled();
    (await probe()).give(false);
    const read = await next();
    expect(read.text).toBe("read");
    read.answer([item(7, "b")]);
    expect((await next()).text).toBe("replace a1 b7");
    expect(adopted).toEqual(["partial b7"]);
  });

  test("is asked after each reading as well: what is read does not tell what is missing", async () => {
    const answers = [true, false];
    const { next, write, clock, quiet } = setUp({
      cacheTtlMs: 2000,
      isFilled: async () => answers.shift() ?? true,
    });
    write(full(item(1), item(1, "b")));
    (await next()).answer();
    for (let time = 0; time < 2; time++) {
      await quiet();
      clock.advance(2000);
      (await next()).answer([item(1), item(1, "b")]);
    }
    (await next()).answer(undefined);
    expect((await next()).text).toBe("replace a1 b1");
  });

  test("is interrupted while it does not answer, and nothing is brought back that others may have deleted once upstream is lost", async () => {
    const { probe, writer, clock, quiet, answers, setInTouch } = await filled();
    const pass = async () => {
      await quiet();
      clock.advance(1000);
      await quiet();
      expect(answers).toHaveLength(1);
    };
    setInTouch(false);
    (await probe()).fail();
    for (let second = 0; second < 7; second++) {
      await pass();
      expect(writer.status).toEqual({ state: "INTERRUPTED", stateSince: start + 5000 });
      if (second < 6) answers.pop()?.fail();
    }
    answers.pop()?.give(true);
    await quiet();
    expect(writer.status).toEqual({ state: "VALID", stateSince: start + 12_000 });
  });

  test("is filled by who has lost upstream only if nobody does who has not", async () => {
    const { probe, next, quiet, setInTouch } = await filled();
    setInTouch(false);
    const empty = async (times: number) => {
      for (let time = 0; time < times; time++) (await probe()).give(false);
    };
    await empty(3);
    // Somebody has.
    (await probe()).give(true);
    await empty(3);
    await quiet();
    await empty(1);
    (await next()).answer(undefined);
    expect((await next()).text).toBe("replace a1 b1");
  });

  test("is left as it is by who has lost upstream, if only a part is gone: others may have removed the last of it", async () => {
    const { probe, next, quiet, setInTouch, adopted, writer } = await filled();
    setInTouch(false);
    for (let time = 0; time < 4; time++) (await probe()).give(false);
    (await next()).answer([item(2)]);
    await quiet();
    expect(adopted).toEqual(["partial a2"]);
    expect(writer.status.state).toBe("VALID");
    (await probe()).give(true);
    await quiet();
  });

  test("may come back as it was some time ago: what it lacks is written again while upstream tells of every change", async () => {
    const { probe, next, clock, quiet, answers } = await filled();
    (await probe()).fail();
    await quiet();
    clock.advance(1000);
    await quiet();
    answers.pop()?.give(true);
    (await next()).answer([]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a1 b1");
    upsert.answer([]);
    // Then there is no doubt any more.
    (await probe()).give(true);
    await quiet();
  });

  test("may have come back with everything: then nothing is written", async () => {
    const { probe, next, clock, quiet, answers, writer } = await filled();
    (await probe()).fail();
    await quiet();
    clock.advance(1000);
    await quiet();
    answers.pop()?.give(true);
    (await next()).answer([item(1), item(1, "b")]);
    await quiet();
    expect(writer.status.state).toBe("VALID");
    (await probe()).give(true);
    await quiet();
  });

  test("is doubted when it could not be read: it is asked before it is read again", async () => {
    const asked: string[] = [];
    const { write, next, clock, quiet } = setUp({
      cacheTtlMs: 6000,
      isFilled: async () => asked.push("probe") > 0,
    });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(5000);
    await quiet();
    clock.advance(1000);
    (await next()).fail();
    await quiet();
    expect(asked).toHaveLength(1);
    clock.advance(1000);
    (await next()).answer([item(1), item(1, "gone")]);
    expect(asked).toHaveLength(2);
    expect((await next()).text).toBe("replace a1");
  });

  test("gives way to everything if it cannot be read either, once that was told, while upstream tells of every change", async () => {
    const { probe, next, clock, quiet, answers, errors, writer, setInTouch } = await filled();
    const retry = async (ms: number) => {
      await quiet();
      clock.advance(ms);
      await quiet();
      answers.pop()?.give(false);
    };
    (await probe()).give(false);
    (await next()).fail();
    await quiet();
    expect(errors).toEqual(["data store: writing all flags again failed: no disk"]);
    expect(writer.status.state).toBe("INTERRUPTED");
    setInTouch(false);
    await retry(1000);
    for (const ms of [5000, 5000]) await retry(ms);
    await retry(5000);
    (await next()).fail();
    setInTouch(true);
    await retry(2000);
    const replace = await next();
    expect(replace.text).toBe("replace a1 b1");
    replace.answer();
    await quiet();
    expect(writer.status.state).toBe("VALID");
  });

  test("gets what was to be written while it did not answer", async () => {
    const { probe, next, write, clock, quiet, answers, setInTouch } = await filled();
    setInTouch(false);
    (await probe()).fail();
    await quiet();
    write(partial(item(2)));
    await quiet();
    clock.advance(1000);
    await quiet();
    answers.pop()?.give(true);
    expect((await next()).text).toBe("upsert a2");
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

describe("a store that was lost and found again between two questions", () => {
  async function filled() {
    const store = { lost: 0 };
    const all = setUp({ isFilled: async () => true, losses: () => store.lost });
    all.write(full(item(2), item(1, "b")));
    (await all.next()).answer();
    await all.quiet();
    const pass = async () => {
      all.clock.advance(5000);
      await all.quiet();
    };
    return { ...all, store, pass };
  }

  test("is looked at once, and gets what it lacks, if it does", async () => {
    const { store, next, clock, quiet, pass, writer, errors } = await filled();
    store.lost++;
    clock.advance(5000);
    (await next()).answer([item(2), item(1, "b")]);
    await quiet();
    await pass();
    store.lost++;
    clock.advance(5000);
    (await next()).answer([item(1)]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a2 b1");
    // Lost again meanwhile: nobody knows when exactly.
    store.lost++;
    upsert.answer([]);
    await quiet();
    clock.advance(5000);
    (await next()).answer([item(2), item(1, "b")]);
    await quiet();
    await pass();
    expect(errors).toEqual([]);
    expect(writer.status).toEqual({ state: "VALID", stateSince: start });
  });

  test("is written whole when it has what upstream has removed, which is not served again", async () => {
    const { store, next, write, clock, quiet, adopted } = await filled();
    write(full(item(5), item(1, "b")));
    (await next()).answer();
    await quiet();
    store.lost++;
    clock.advance(5000);
    (await next()).answer([item(4), item(2, "b"), item(1, "gone")]);
    const replace = await next();
    expect(replace.text).toBe("replace a5 b2");
    expect(adopted).toEqual(["partial a4 b2"]);
    replace.answer();
    await quiet();
  });

  test("is looked at when that was while everything was written or read, which may have been before or after", async () => {
    const { store, next, write, clock, quiet, pass, adopted } = await filled();
    write(full(item(5), item(1, "b")));
    const replace = await next();
    store.lost++;
    replace.answer();
    await quiet();
    clock.advance(5000);
    const read = await next();
    expect(read.text).toBe("read");
    // And once more.
    store.lost++;
    read.answer([item(5), item(1, "b")]);
    await quiet();
    clock.advance(5000);
    (await next()).answer([item(2)]);
    const upsert = await next();
    expect(upsert.text).toBe("upsert a5 b1");
    upsert.answer([]);
    await quiet();
    // Then there is no doubt any more.
    await pass();
    expect(adopted).not.toContainEqual(expect.stringContaining("full"));
  });

  test("is looked at when that was while it was asked", async () => {
    const store = { lost: 0 };
    const answers: ((isFilled: boolean) => void)[] = [];
    const { next, write, clock, quiet } = setUp({
      isFilled: () => new Promise((resolve) => answers.push(resolve)),
      losses: () => store.lost,
    });
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(5000);
    await quiet();
    store.lost++;
    answers.pop()?.(true);
    expect((await next()).text).toBe("read");
  });

  test("before anything was written is written whole, and not looked at after that", async () => {
    const store = { lost: 0 };
    const { next, write, quiet, clock } = setUp({ isFilled: async () => true, losses: () => store.lost });
    store.lost++;
    write(full(item(1)));
    (await next()).answer();
    await quiet();
    clock.advance(5000);
    await quiet();
  });

  test("is looked at when upstream tells of every change again: others may have removed what it lacks", async () => {
    const { store, next, clock, pass, setInTouch } = await filled();
    store.lost++;
    setInTouch(false);
    await pass();
    await pass();
    setInTouch(true);
    clock.advance(5000);
    (await next()).answer([item(2)]);
    expect((await next()).text).toBe("upsert b1");
  });
});
