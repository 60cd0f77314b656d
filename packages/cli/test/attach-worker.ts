import type { Member } from "../src/relay/workers/crew.js";
import { createMember } from "./create-member.js";

/** Attaches a worker that is in the hands of the test. */
export function attachWorker(shared: { attach(worker: Member): () => void }) {
  const { member, told, say, takers } = createMember();
  return { told, say, detach: shared.attach(member), takers };
}
