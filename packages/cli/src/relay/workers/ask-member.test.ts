import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { attachWorker } from "../../../test/attach-worker.js";
import { askMember, firstOf } from "./ask-member.js";
import type { Member } from "./crew.js";
import type { Answer } from "./messages.js";

const request = { method: "GET", path: "/live" };
const answer: Answer = { status: 200, headers: {}, body: "{}" };

/** A worker that was asked the seventh question. */
function asked() {
  let member: Member | undefined;
  const { told, say, takers } = attachWorker({
    attach(worker) {
      member = worker;
      return () => {};
    },
  });
  const end = new AbortController();
  let giveUp = () => {};
  const patience = (done: AbortSignal) =>
    new Promise<void>((resolve) => {
      giveUp = resolve;
      done.addEventListener("abort", () => resolve());
    });
  return {
    answered: askMember(member ?? expect.unreachable(), { request, number: 7, ended: end.signal, patience }),
    told,
    say,
    end: () => end.abort(),
    giveUp: () => giveUp(),
    left: () => takers.size + getEventListeners(end.signal, "abort").length,
  };
}

test.each<[what: string, happen: (one: ReturnType<typeof asked>) => void, given: Answer | undefined]>([
  ["it is answered", ({ say }) => say({ type: "answer", question: 7, answer }), answer],
  ["the worker ends", ({ end }) => end(), undefined],
  ["that takes too long", ({ giveUp }) => giveUp(), undefined],
])("nothing of a question is left when %s", async (_, happen, given) => {
  const one = asked();
  expect(one.told).toEqual([{ type: "ask", question: 7, request }]);
  one.say({ type: "answer", question: 8, answer: { ...answer, status: 500 } });
  one.say({ type: "serving", port: 7 });
  expect(one.left()).toBe(2);
  happen(one);
  expect(await one.answered).toEqual(given);
  expect(one.left()).toBe(0);
});

test("of several the first that has an answer is enough, and of none there is none", async () => {
  const late = new Promise<undefined>(() => {});
  expect(await firstOf([late, Promise.resolve(undefined), Promise.resolve(answer)])).toBe(answer);
  expect(await firstOf([Promise.resolve(undefined), Promise.resolve(undefined)])).toBeUndefined();
  expect(await firstOf([])).toBeUndefined();
});
