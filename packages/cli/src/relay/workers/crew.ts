import { setMaxListeners } from "node:events";
import { askMember, firstOf } from "./ask-member.js";
import type { Answer, Channel, FromWorker, OperatorRequest, ToWorker } from "./messages.js";

/** A process that serves SDKs. */
export interface Member extends Channel<ToWorker, FromWorker> {
  /** Resolves with the exit code, or the name of the signal that has ended it. */
  readonly ended: Promise<number | string>;
  kill(): void;
}

/** What a crew needs. */
export interface CrewOptions {
  readonly size: number;
  /** Starts the worker with this number, from 1. */
  readonly fork: (number: number) => Member;
  /** Serves a worker what it asks for, until the returned function is called. */
  readonly attach: (member: Member) => () => void;
  /** Resolves after a time, or when it is no longer of interest. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly log: { info(message: string): void; error(message: string): void };
}

/** Workers, as many as were asked for: one that ends is started again. */
export interface Crew {
  /** Resolves with the port when all of them serve; with nothing when one could not, which ends the others. */
  readonly serving: Promise<number | undefined>;
  /** What each worker that there is answers to an operator, in the order of their numbers: nothing when it takes too long, or ends. */
  ask(request: OperatorRequest): Promise<ReadonlyMap<Member, Answer | undefined>>;
  /** As `ask`, of whichever worker is first: one that is busy, or hangs, delays nobody. */
  askAny(request: OperatorRequest): Promise<Answer | undefined>;
  tell(message: ToWorker): void;
  /** Asks all to end, and ends those that take longer. Resolves with the exit code of the program when all are gone. */
  end(withinMs: number): Promise<number>;
}

const pauses = { first: 1000, longest: 30_000, settled: 60_000, answer: 5000, look: 10_000 } as const;

/** A worker that there is. */
interface Life {
  readonly member: Member;
  /** Aborted when it has ended: what waits for that is forgotten when it does not matter any more. */
  readonly ended: AbortSignal;
}

const isAlive: OperatorRequest = { method: "GET", path: "/live" };

/** A busy machine may make a worker miss a question. */
const mostMisses = 3;

/** Starts workers. */
export function startCrew({ size, fork, attach, pause, now, log }: CrewOptions): Crew {
  const lives = new Map<number, Life>();
  const serving = new Set<number>();
  /** Those that serve now. What is told to another may come before it listens, and be lost. */
  const ready = new WeakSet<Member>();
  const over = new AbortController();
  let questions = 0;
  let failure: number | undefined;
  let served: (port: number | undefined) => void = () => {};
  const allServe = new Promise<number | undefined>((resolve) => {
    served = resolve;
  });

  /** One life of a worker; resolves when it is over. */
  async function live(number: number): Promise<void> {
    const member = fork(number);
    const end = new AbortController();
    setMaxListeners(0, end.signal);
    const life = { member, ended: end.signal };
    lives.set(number, life);
    const detach = attach(member);
    member.listen((message) => {
      if (message.type !== "serving") return;
      serving.add(number);
      ready.add(member);
      if (serving.size === size) served(message.port);
    });
    void watch(life, number, AbortSignal.any([over.signal, end.signal]));
    const ended = await member.ended;
    lives.delete(number);
    end.abort();
    detach();
    if (over.signal.aborted) return;
    if (!serving.has(number)) {
      failure = typeof ended === "number" && ended !== 0 ? ended : 1;
      over.abort();
      served(undefined);
      return;
    }
    log.error(`worker ${number} has ended (${ended}); another takes its place`);
  }

  /** Ends a worker that serves and has come to hang: it would be given connections for ever. */
  async function watch(life: Life, number: number, noMore: AbortSignal): Promise<void> {
    let misses = 0;
    while (!noMore.aborted) {
      await pause(pauses.look, noMore);
      if (noMore.aborted || !serving.has(number)) continue;
      misses = (await askOne(life, isAlive)) === undefined ? misses + 1 : 0;
      if (misses < mostMisses || noMore.aborted) continue;
      log.error(`worker ${number} does not answer any more and is ended`);
      life.member.kill();
    }
  }

  async function keep(number: number): Promise<void> {
    let wait: number = pauses.first;
    while (!over.signal.aborted) {
      const begun = now();
      await live(number);
      if (now() - begun >= pauses.settled) wait = pauses.first;
      if (over.signal.aborted) return;
      await pause(wait, over.signal);
      wait = Math.min(wait * 2, pauses.longest);
    }
  }

  const tell = (message: ToWorker) => {
    for (const { member } of lives.values()) member.send(message);
  };
  const kept = Promise.all(Array.from({ length: size }, (_, index) => keep(index + 1)));

  function askOne({ member, ended }: Life, request: OperatorRequest): Promise<Answer | undefined> {
    const patience = (done: AbortSignal) => pause(pauses.answer, done);
    return askMember(member, { request, number: ++questions, ended, patience });
  }

  return {
    serving: allServe,
    async ask(request) {
      const sorted = [...lives].sort(([a], [b]) => a - b);
      return new Map(
        await Promise.all(
          sorted.map(async ([, life]) => [life.member, await askOne(life, request)] as const),
        ),
      );
    },
    askAny(request) {
      return firstOf([...lives.values()].map((life) => askOne(life, request)));
    },
    tell,
    async end(withinMs) {
      over.abort();
      askToEnd(lives.values(), ready);
      const late = new AbortController();
      // When it is no longer of interest nobody is left.
      void pause(withinMs, late.signal).then(() => endByForce(lives, log));
      await kept;
      late.abort();
      return failure ?? 0;
    },
  };
}

/** One that does not serve yet has nothing to bring to an end, and may not hear that it should. */
function askToEnd(lives: Iterable<Life>, ready: WeakSet<Member>): void {
  for (const { member } of lives) {
    if (ready.has(member)) member.send({ type: "end" });
    else member.kill();
  }
}

function endByForce(lives: ReadonlyMap<number, Life>, log: CrewOptions["log"]): void {
  for (const [number, { member }] of lives) {
    log.error(`worker ${number} has not ended in time and is ended by force: events it had are lost`);
    member.kill();
  }
}
