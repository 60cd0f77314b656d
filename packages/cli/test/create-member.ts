import { vi } from "vitest";
import type { Member } from "../src/relay/workers/crew.js";
import type { FromWorker, ToWorker } from "../src/relay/workers/messages.js";

/** A worker in the hands of the test. */
export function createMember() {
  const takers = new Set<(message: FromWorker) => void>();
  const told: ToWorker[] = [];
  let end: (how: number | string) => void = () => {};
  const ended = new Promise<number | string>((resolve) => {
    end = resolve;
  });
  const then = vi.spyOn(ended, "then");
  const member: Member = {
    send: (message) => void told.push(message),
    listen(take) {
      takers.add(take);
      return () => takers.delete(take);
    },
    ended,
    kill: () => end("SIGKILL"),
  };
  const say = (message: FromWorker) => {
    for (const take of takers) take(message);
  };
  return {
    member,
    told,
    say,
    end: (how: number | string) => end(how),
    /** How much waits for its end. */
    waiting: () => then.mock.calls.length,
    takers,
  };
}
