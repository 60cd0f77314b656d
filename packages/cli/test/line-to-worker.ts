import type { Channel, FromWorker, ToWorker } from "../src/relay/workers/messages.js";

/** Two ends of a line. Messages are copied, and arrive when `carry` is called. */
export function createLine() {
  const toWorker = createEnd<ToWorker>();
  const fromWorker = createEnd<FromWorker>();
  const hub: Channel<ToWorker, FromWorker> = { send: toWorker.send, listen: fromWorker.listen };
  const worker: Channel<FromWorker, ToWorker> = { send: fromWorker.send, listen: toWorker.listen };
  return { hub, worker, fromWorker: fromWorker.carry, toWorker: toWorker.carry };
}

function createEnd<Message>() {
  const waiting: Message[] = [];
  const takers = new Set<(message: Message) => void>();
  return {
    send: (message: Message) => void waiting.push(structuredClone(message)),
    listen(take: (message: Message) => void) {
      takers.add(take);
      return () => takers.delete(take);
    },
    /** Lets so many messages arrive; tells whether there were any. */
    carry(most = Number.POSITIVE_INFINITY): boolean {
      const arrived = waiting.splice(0, most);
      for (const message of arrived) for (const take of takers) take(message);
      return arrived.length > 0;
    },
  };
}
