import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip, gzipSync } from "node:zlib";
import { createLanes } from "../lanes.js";
import { orAborted } from "../or-aborted.js";
import { inTurns } from "../steps.js";
import type { Collected, Kept } from "./collected-events.js";
import { scanEvents } from "./event-array.js";

const compress = promisify(gzip);
const unpack = promisify(gunzip);

/** A post that upstream has not taken yet. */
export interface Payload extends Kept {
  readonly id: string;
  /** As it is posted. */
  readonly body: Buffer;
  /** How much speaks for it that upstream cannot take what is in it, whatever the time. */
  readonly doubts: number;
  /** How many posts upstream had taken when this one failed last. */
  readonly takenBefore?: number;
}

const openBracket = Buffer.from("[");
const separator = Buffer.from(",");
const closeBracket = Buffer.from("]");

/** What is smaller is compressed in less time than another thread takes to be told of it. */
const largeBytes = 8 * 1024;
/** Many large ones at a time would all be ready late, and take more memory. */
const places = createLanes(4);

/** Does what the threads of the process do when it is its turn. The host may keep them busy: nobody waits for them beyond the signal. */
function inPlace<Result>(task: () => Promise<Result>, until: AbortSignal): Promise<Result> {
  return orAborted(places(task, until), until);
}

/** Joins what was collected; only the compressed form is kept until upstream has it. Rejects when the signal is aborted before. */
export async function payloadFrom({ batches, ...kept }: Collected, until: AbortSignal): Promise<Payload> {
  const pieces = batches.flatMap((batch, index) => [index === 0 ? openBracket : separator, batch]);
  const length = pieces.reduce((sum, piece) => sum + piece.length, closeBracket.length);
  const joined = () => Buffer.concat([...pieces, closeBracket], length);
  const body = length < largeBytes ? gzipSync(joined()) : await inPlace(() => compress(joined()), until);
  return { ...kept, id: randomUUID(), body, doubts: 0 };
}

/** Makes two posts of one with several events, each with these doubts. Rejects when the signal is aborted before. */
export function halvesOf(payload: Payload, doubts: number, until: AbortSignal): Promise<Payload[]> {
  const { metadata, name, budget, count, cost } = payload;
  const postOf = async (count: number, cost: number, events: Buffer): Promise<Payload> => {
    const body = await compress(Buffer.concat([openBracket, events, closeBracket]));
    return { metadata, name, budget, count, cost, id: randomUUID(), body, doubts };
  };
  return inPlace(async () => {
    const bytes = await unpack(payload.body);
    const found = await inTurns(scanEvents(bytes, count));
    const middle = Math.floor(count / 2);
    const end = found.kind === "events" ? found.ends[middle - 1] : undefined;
    if (found.kind !== "events" || end === undefined) throw new Error("a post cannot be split");
    const itsCost = Math.floor(cost / 2);
    return Promise.all([
      postOf(middle, itsCost, bytes.subarray(found.start, end)),
      postOf(count - middle, cost - itsCost, bytes.subarray(end + 1, bytes.lastIndexOf("]"))),
    ]);
  }, until);
}
