import type { Member } from "../src/relay/workers/crew.js";
import type { FromWorker, ToWorker } from "../src/relay/workers/messages.js";

/** Attaches a worker that is in the hands of the test. */
export function attachWorker(shared: { attach(worker: Member): () => void }) {
  const takers = new Set<(message: FromWorker) => void>();
  const told: ToWorker[] = [];
  const worker: Member = {
    send: (message) => void told.push(message),
    listen(take) {
      takers.add(take);
      return () => takers.delete(take);
    },
    ended: new Promise(() => {}),
    kill() {},
  };
  const detach = shared.attach(worker);
  const say = (message: FromWorker) => {
    for (const take of takers) take(message);
  };
  return { told, say, detach, takers };
}
