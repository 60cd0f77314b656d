import type { Member } from "./crew.js";
import type { Answer, OperatorRequest } from "./messages.js";

/** A question to a worker. */
export interface Question {
  readonly request: OperatorRequest;
  /** Tells its answer from others. */
  readonly number: number;
  /** Aborted when the worker has ended. */
  readonly ended: AbortSignal;
  /** Resolves when an answer is waited for no longer, or when it is there. */
  readonly patience: (done: AbortSignal) => Promise<void>;
}

/** Asks a worker; nothing of the question is left when it is answered, or given up. */
export async function askMember(
  member: Member,
  { request, number, ended, patience }: Question,
): Promise<Answer | undefined> {
  const done = new AbortController();
  const giveUp = () => done.abort();
  ended.addEventListener("abort", giveUp);
  try {
    return await new Promise<Answer | undefined>((resolve) => {
      const stop = member.listen((message) => {
        if (message.type === "answer" && message.question === number) resolve(message.answer);
      });
      done.signal.addEventListener("abort", stop);
      member.send({ type: "ask", question: number, request });
      void patience(done.signal).then(() => resolve(undefined));
    });
  } finally {
    ended.removeEventListener("abort", giveUp);
    done.abort();
  }
}

/** The first answer of several that may come. */
export function firstOf(asked: readonly Promise<Answer | undefined>[]): Promise<Answer | undefined> {
  const answers = asked.map(async (one) => {
    const answer = await one;
    if (answer === undefined) throw new Error("there was no answer");
    return answer;
  });
  return Promise.any(answers).catch(() => undefined);
}
