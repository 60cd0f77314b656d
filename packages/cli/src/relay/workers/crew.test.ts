import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMember } from "../../../test/create-member.js";
import { type Crew, type Member, startCrew } from "./crew.js";
import type { FromWorker } from "./messages.js";

/** A crew of workers that start when they are told to, with a clock that the test moves. */
function createCrew(size: number) {
  const forked: { readonly number: number; readonly worker: ReturnType<typeof createMember> }[] = [];
  const attached = new Set<Member>();
  const pauses: { readonly ms: number; readonly over: () => void; readonly signal: AbortSignal }[] = [];
  const looks: { readonly over: () => void }[] = [];
  const lines: string[] = [];
  let now = 0;
  const crew: Crew = startCrew({
    size,
    fork(number) {
      const worker = createMember();
      forked.push({ number, worker });
      return worker.member;
    },
    attach(member) {
      attached.add(member);
      return () => attached.delete(member);
    },
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const over = () => {
          signal.removeEventListener("abort", over);
          resolve();
        };
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", over);
        // Every worker is looked at again and again; that is the subject of one test.
        if (ms === lookMs) looks.push({ over });
        else pauses.push({ ms, over, signal });
      }),
    now: () => now,
    log: { info: (line) => void lines.push(line), error: (line) => void lines.push(line) },
  });
  const settle = () => new Promise(setImmediate);
  return {
    crew,
    forked,
    attached,
    pauses,
    looks,
    lines,
    settle,
    at(ms: number) {
      now = ms;
    },
    latest: () => forked.at(-1)?.worker as ReturnType<typeof createMember>,
  };
}

const lookMs = 10_000;
const live = { method: "GET", path: "/live" };
const serving: FromWorker = { type: "serving", port: 8030 };

describe("a crew", () => {
  test("of several workers the first that answers is enough", async () => {
    const { crew, forked, settle } = createCrew(3);
    for (const { worker } of forked) worker.say(serving);
    const asked = crew.askAny(live);
    const [hanging, busy, quick] = forked.map(({ worker }) => worker);
    const questionOf = (worker: typeof quick) =>
      worker?.told.flatMap((one) => (one.type === "ask" ? [one.question] : [])).at(-1) ?? 0;
    hanging?.end("SIGKILL");
    await settle();
    quick?.say({
      type: "answer",
      question: questionOf(quick),
      answer: { status: 200, headers: {}, body: "quick" },
    });
    expect(await asked).toMatchObject({ body: "quick" });
    const nobody = crew.askAny(live);
    for (const worker of [busy, quick]) worker?.end("SIGKILL");
    expect(await nobody).toBeUndefined();
  });

  test("questions to a worker leave nothing behind while it lives", async () => {
    const { crew, latest } = createCrew(1);
    const { told, say, waiting, takers } = latest();
    say(serving);
    const before = { waiting: waiting(), takers: takers.size };
    for (let n = 0; n < 100; n++) {
      const asked = crew.ask(live);
      const question = told.flatMap((one) => (one.type === "ask" ? [one.question] : [])).at(-1) ?? 0;
      say({ type: "answer", question, answer: { status: 200, headers: {}, body: "" } });
      expect([...(await asked).values()]).toHaveLength(1);
    }
    expect({ waiting: waiting(), takers: takers.size }).toEqual(before);
  });

  test("serves when all of its workers do", async () => {
    const { crew, forked, settle } = createCrew(2);
    let port: unknown = "not yet";
    void crew.serving.then((given) => {
      port = given;
    });
    forked[0]?.worker.say(serving);
    await settle();
    expect(port).toBe("not yet");
    forked[1]?.worker.say(serving);
    await settle();
    expect([port, forked.map(({ number }) => number)]).toEqual([8030, [1, 2]]);
  });

  test("that cannot start says so, with the code of the worker that could not", async () => {
    const { crew, forked, settle, pauses } = createCrew(2);
    forked[1]?.worker.end(2);
    expect(await crew.serving).toBeUndefined();
    await settle();
    // It is not tried again.
    expect(pauses).toEqual([]);
    const code = crew.end(1000);
    expect(await forked[0]?.worker.member.ended).toBe("SIGKILL");
    await settle();
    expect([await code, forked.length, pauses.map(({ ms }) => ms)]).toEqual([2, 2, [1000]]);
    // Nothing goes on until the time is over for those that have ended before.
    expect(pauses.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  test.each([
    [1, 1],
    [2, 2],
    [0, 1],
    ["SIGSEGV", 1],
  ])("that has ended with %s before it served ends with %i", async (how, code) => {
    const { crew, latest, lines } = createCrew(1);
    latest().end(how);
    expect(await crew.serving).toBeUndefined();
    expect([await crew.end(0), lines]).toEqual([code, []]);
  });

  test("replaces a worker that ends, after ever longer pauses while none lasts", async () => {
    const { crew, forked, latest, pauses, lines, settle, at, attached } = createCrew(1);
    latest().say(serving);
    for (const [wait, lived] of [
      [1000, 0],
      [2000, 59_999],
      [4000, 0],
      [8000, 0],
      [16_000, 0],
      [30_000, 0],
      [30_000, 0],
      [1000, 60_000],
      [2000, 0],
    ] as const) {
      const begun = forked.length;
      at(begun * 1_000_000 + lived);
      latest().end("SIGSEGV");
      await settle();
      expect([pauses.at(-1)?.ms, attached.size, forked.length]).toEqual([wait, 0, begun]);
      at((begun + 1) * 1_000_000);
      pauses.at(-1)?.over();
      await settle();
      expect([forked.length, attached.size, forked.at(-1)?.number]).toEqual([begun + 1, 1, 1]);
    }
    expect(lines[0]).toBe("worker 1 has ended (SIGSEGV); another takes its place");
    void crew.end(0);
  });

  test("asks every worker that is there, and waits five seconds for none", async () => {
    const { crew, forked, pauses, settle } = createCrew(3);
    const asked = crew.ask({ method: "PUT", path: "/status" });
    const [first, second, third] = forked.map(({ worker }) => worker);
    const answer = { status: 200, headers: {}, body: "{}" };
    const question = {
      type: "ask",
      question: expect.any(Number),
      request: { method: "PUT", path: "/status" },
    };
    expect([first?.told, second?.told, third?.told]).toEqual([[question], [question], [question]]);
    const [message] = third?.told ?? [];
    third?.say({ type: "answer", question: message && "question" in message ? message.question : 0, answer });
    first?.say({ type: "answer", question: -1, answer });
    second?.end(0);
    await settle();
    expect(pauses.map(({ ms }) => ms)).toContain(5000);
    for (const { ms, over } of pauses) if (ms === 5000) over();
    expect([...(await asked).values()]).toEqual([undefined, undefined, answer]);
  });

  test("ends a worker that has come to hang", async () => {
    const { latest, pauses, looks, settle, lines } = createCrew(1);
    latest().say(serving);
    const { member, told, say } = latest();
    const passed: number[] = [];
    const pass = async (answers: boolean) => {
      await settle();
      looks.at(-1)?.over();
      await settle();
      const message = told.at(-1);
      const question = message && "question" in message ? message.question : 0;
      passed.push(question);
      const answer = { status: 200, headers: {}, body: "{}" };
      if (answers) say({ type: "answer", question, answer });
      else
        pauses
          .filter(({ ms }) => ms === 5000)
          .at(-1)
          ?.over();
    };
    for (const answers of [false, false, true, false, false]) await pass(answers);
    await settle();
    expect(lines).toEqual([]);
    await pass(false);
    expect(await member.ended).toBe("SIGKILL");
    expect(lines[0]).toBe("worker 1 does not answer any more and is ended");
    expect(new Set(passed).size).toBe(6);
  });

  test("asks no worker whether it hangs that does not serve yet", async () => {
    const { latest, looks, settle } = createCrew(1);
    looks.at(-1)?.over();
    await settle();
    expect([latest().told, looks.length]).toEqual([[], 2]);
    latest().say(serving);
    looks.at(-1)?.over();
    await settle();
    expect(latest().told).toMatchObject([{ type: "ask", request: live }]);
  });

  test("ends no worker that has ended while it was asked whether it hangs", async () => {
    const { latest, pauses, looks, settle, lines } = createCrew(1);
    latest().say(serving);
    for (let misses = 0; misses < 2; misses++) {
      looks.at(-1)?.over();
      await settle();
      pauses.at(-1)?.over();
      await settle();
    }
    looks.at(-1)?.over();
    await settle();
    latest().end(0);
    await settle();
    expect(lines).toEqual(["worker 1 has ended (0); another takes its place"]);
  });

  test("is asked in the order of numbers, also when another has taken the place of a worker", async () => {
    const { crew, forked, latest, pauses, settle } = createCrew(2);
    for (const { worker } of forked) worker.say(serving);
    forked[0]?.worker.end(0);
    await settle();
    pauses[0]?.over();
    await settle();
    const asked = crew.ask(live);
    for (const { ms, over } of pauses) if (ms === 5000) over();
    expect([...(await asked).keys()]).toEqual([latest().member, forked[1]?.worker.member]);
  });

  test("may be asked by any number of operators at once", async () => {
    const warned = vi.fn();
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const { crew, latest, settle } = createCrew(1);
    const asked = Array.from({ length: 50 }, () => crew.askAny(live));
    latest().end(0);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
    await settle();
    expect(warned.mock.calls.flat()).not.toContainEqual(
      expect.objectContaining({ name: "MaxListenersExceededWarning" }),
    );
  });

  test("ends by force those that take too long", async () => {
    const { crew, forked, pauses, lines, settle } = createCrew(2);
    for (const { worker } of forked) worker.say(serving);
    const code = crew.end(15_000);
    forked[0]?.worker.end(0);
    await settle();
    expect(pauses.map(({ ms }) => ms)).toEqual([15_000]);
    pauses[0]?.over();
    expect([await code, await forked[1]?.worker.member.ended]).toEqual([0, "SIGKILL"]);
    expect(lines).toEqual(["worker 2 has not ended in time and is ended by force: events it had are lost"]);
  });

  test("ends those that do not serve yet at once: they may not hear that they are asked to", async () => {
    const { crew, forked } = createCrew(2);
    forked[0]?.worker.say(serving);
    const code = crew.end(15_000);
    expect(await forked[1]?.worker.member.ended).toBe("SIGKILL");
    expect(forked[0]?.worker.told).toEqual([{ type: "end" }]);
    forked[0]?.worker.end(0);
    expect(await code).toBe(0);
  });
});
