import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { type BigSegmentStoreFactory, createFixedSource, createRelay, type Relay } from "@wye/relay";
import { createManualClock, type ManualClock } from "@wye/relay/testing";
import {
  type BigSegmentUpstream,
  startBigSegmentUpstream,
  type UpstreamPatch,
} from "./big-segment-upstream.js";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.js";
import { randomFrom } from "./follow-histories.js";

/** A database that keeps the members of big segments. */
export interface MemberDatabase {
  readonly port: number;
  /** A store of one and the same place by way of another port. */
  store(port: number): BigSegmentStoreFactory;
  /** Where the members stand. */
  cursor(): Promise<string | undefined>;
  /** Removes everything, as somebody does who restores a dump that is empty. */
  empty(): Promise<void>;
  /** Which segments list a context. */
  lists(
    hash: string,
  ): Promise<{ readonly included: readonly string[]; readonly excluded: readonly string[] }>;
}

const people = ["alice", "bob", "carol", "dave", "erin"];
const segment = "beta.g1";
const hashOf = (person: string) => createHash("sha256").update(person).digest("base64");
const everybody = people.map(hashOf);
const clause = { attribute: "", op: "segmentMatch", values: ["beta"], negate: false };
const early = {
  key: "early",
  version: 1,
  on: true,
  salt: "s",
  rules: [{ id: "r", variation: 0, clauses: [clause], trackEvents: false }],
  fallthrough: { variation: 1 },
  offVariation: 1,
  variations: [true, false],
  clientSideAvailability: { usingEnvironmentId: true },
};
const data = JSON.stringify({
  flags: { early },
  segments: { beta: { key: "beta", version: 1, salt: "s", unbounded: true, generation: 1 } },
});

/** A relay with an upstream, a clock and a way to the database of its own. */
class Side {
  readonly upstream: BigSegmentUpstream;
  readonly proxy: FaultProxy;
  readonly clock: ManualClock = createManualClock();
  readonly #store: BigSegmentStoreFactory;
  readonly #server = createServer((req, res) => this.#relay.handler(req, res));
  #relay: Relay;
  /** What the stream of each context has said last. */
  readonly told = new Map<string, boolean>();

  static async start(database: MemberDatabase): Promise<Side> {
    const side = new Side(await startBigSegmentUpstream(3), await startFaultProxy(database.port), (port) =>
      database.store(port),
    );
    side.#server.listen(0, "127.0.0.1");
    await once(side.#server, "listening");
    side.follow();
    return side;
  }

  private constructor(
    upstream: BigSegmentUpstream,
    proxy: FaultProxy,
    storeAt: (port: number) => BigSegmentStoreFactory,
  ) {
    this.upstream = upstream;
    this.proxy = proxy;
    this.#store = storeAt(proxy.port);
    this.#relay = this.#create();
  }

  #create(): Relay {
    const silent = () => {};
    return createRelay({
      environments: {
        production: {
          sdkKey: "sdk-key",
          envId: "id",
          source: createFixedSource(data).source,
          bigSegments: this.#store,
        },
      },
      upstream: { stream: this.upstream.url, polling: this.upstream.url, app: this.upstream.url },
      events: false,
      clock: this.clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
    });
  }

  #url(path: string, person: string): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    const context = Buffer.from(JSON.stringify({ kind: "user", key: person })).toString("base64url");
    return `http://127.0.0.1:${address.port}/${path}/${context}?withReasons=true`;
  }

  /** Opens the streams of all contexts again, for as long as the relay runs. */
  follow(): void {
    const relay = this.#relay;
    this.told.clear();
    for (const person of people) {
      get(this.#url("eval/id", person), { agent: false }, (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("error", () => {});
        response.on("data", (text: string) => {
          const events = (rest + text).split("\n\n");
          rest = events.pop() ?? "";
          for (const event of events) {
            const line = event.split("\n").find((one) => one.startsWith("data:"));
            const said = line && relay === this.#relay ? JSON.parse(line.slice(5)) : undefined;
            const value = said?.early?.value ?? (said?.key === "early" ? said.value : undefined);
            if (typeof value === "boolean") this.told.set(person, value);
          }
        });
      }).on("error", () => {});
    }
  }

  /** What an evaluation says of a context, and how sure that is. */
  async ask(person: string): Promise<{ readonly value?: boolean; readonly status?: string }> {
    const [response]: IncomingMessage[] = await once(
      get(this.#url("sdk/evalx/id/contexts", person), { agent: false }),
      "response",
    );
    if (response === undefined) throw new Error("no answer");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    if (response.statusCode !== 200) return {};
    const { early: answer } = JSON.parse(Buffer.concat(chunks).toString());
    return { value: answer.value, status: answer.reason.bigSegmentsStatus };
  }

  /** Ends in the middle of whatever it does, and begins again. */
  async restart(): Promise<void> {
    await this.#relay.close({ within: 0 });
    this.#relay = this.#create();
    this.follow();
  }

  async close(): Promise<void> {
    await this.#relay.close({ within: 0 });
    this.#server.closeAllConnections();
    this.#server.close();
    await this.proxy.close();
    await this.upstream.close();
  }
}

/** A step that lets some enter and others leave. */
function stepAfter(index: number, random: (below: number) => number): UpstreamPatch {
  const some = () => everybody.filter(() => random(4) === 0);
  return {
    environmentId: "any",
    segmentId: segment,
    previousVersion: index === 0 ? "" : `v${index}`,
    version: `v${index + 1}`,
    changes: { included: { add: some(), remove: some() }, excluded: { add: some(), remove: some() } },
  };
}

/** Who is a member after each step, the first entry before all of them; and who is listed after the last one. */
function modelOf(history: readonly UpstreamPatch[]) {
  const lists = { included: new Set<string>(), excluded: new Set<string>() };
  const states = [new Map(everybody.map((hash) => [hash, false]))];
  for (const { changes } of history) {
    for (const list of ["included", "excluded"] as const) {
      for (const hash of changes[list]?.add ?? []) lists[list].add(hash);
      for (const hash of changes[list]?.remove ?? []) lists[list].delete(hash);
    }
    states.push(new Map(everybody.map((hash) => [hash, lists.included.has(hash)])));
  }
  return { states, lists };
}

/**
 * Two relays follow the same memberships into one database, while networks, upstream, the database and they themselves fail in all ways. What an
 * evaluation calls healthy is always what memberships were at some step that is known, and never goes back; in the end the database, evaluations
 * and the streams that were open all the time have what upstream has. Rejects when that is not so.
 */
export async function followMemberships(
  database: MemberDatabase,
  { seed, steps }: { readonly seed: number; readonly steps: number },
): Promise<void> {
  const random = randomFrom(seed);
  const sides = [await Side.start(database), await Side.start(database)];
  const history = Array.from({ length: steps }, (_, index) => stepAfter(index, random));
  const { states, lists } = modelOf(history);
  /** The earliest step that can be what a side has said of a context last. */
  const floors = sides.map(() => new Map<string, number>());
  const complain = (what: string) => {
    throw new Error(`seed ${seed}: ${what}`);
  };

  async function look(known: number, persons: readonly string[]): Promise<void> {
    for (const person of persons) await lookAt(known, person);
  }

  async function lookAt(known: number, person: string): Promise<void> {
    for (const [number, side] of sides.entries()) {
      const answering = side.ask(person);
      let isAnswered = false;
      const answered = answering.finally(() => {
        isAnswered = true;
      });
      // A request waits for the store for a second of the relay's clock at most.
      for (let turns = 0; !isAnswered && turns < 400; turns++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (turns % 40 === 39) side.clock.advance(500);
      }
      const { value, status } = await answered;
      if (status !== "HEALTHY" || value === undefined) continue;
      const floor = floors[number]?.get(person) ?? 0;
      const at = states.findIndex(
        (state, index) => index >= floor && index <= known && state.get(hashOf(person)) === value,
      );
      if (at < 0) complain(`${person} was ${value} at no step from ${floor} to ${known}`);
      floors[number]?.set(person, at);
    }
  }

  /** Time passes, no faster than databases answer. */
  async function pass(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      for (const { clock } of sides) clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  try {
    for (const [index, step] of history.entries()) {
      for (const { upstream } of sides) upstream.history.push(step);
      for (const side of sides) {
        const { upstream, proxy, clock } = side;
        const fate = random(16);
        if (fate === 0) upstream.drop();
        else if (fate === 1) upstream.fail([401, 404, 500][random(3)] ?? 500, 1 + random(2));
        else if (fate === 2) await side.restart();
        else if (fate === 3) upstream.stream(history.slice(Math.max(0, index - 2), index + 1).reverse());
        else if (fate === 4) upstream.stream(history.slice(random(index + 1), index + 1));
        else if (fate === 5) proxy.cut();
        else if (fate === 6) proxy.cutAfter(random(3000));
        else if (fate === 7) proxy.forget();
        else if (fate !== 8) upstream.stream([step]);
        proxy.passage = fate === 9 ? "late" : fate === 10 ? "silent" : "open";
        clock.advance(random(4000));
      }
      if (random(25) === 0) {
        await database.empty();
        // What was true a moment ago is said until that is noticed, and then it begins anew.
        for (const floor of floors) floor.clear();
      }
      await look(index + 1, [people[random(people.length)] ?? ""]);
      if (random(5) > 0) continue;
      // For a while nothing fails.
      for (const { proxy } of sides) proxy.passage = "open";
      await pass(random(100));
      await look(index + 1, people);
    }
    for (const { proxy, upstream } of sides) {
      upstream.fail(500, 0);
      proxy.cut();
      proxy.passage = "open";
    }
    const last = states.at(-1);
    const isRight = async () => {
      if ((await database.cursor()) !== `v${steps}`) return "the database is not where upstream is";
      for (const hash of everybody) {
        const found = await database.lists(hash);
        for (const list of ["included", "excluded"] as const)
          if (found[list].length > 0 !== lists[list].has(hash)) return `${list} of ${hash} is wrong`;
      }
      for (const [number, side] of sides.entries()) {
        for (const person of people) {
          const { value, status } = await side.ask(person);
          const expected = last?.get(hashOf(person));
          if (status !== "HEALTHY" || value !== expected)
            return `${number} says ${value} ${status} of ${person}`;
          if (side.told.get(person) !== expected) return `the stream of ${person} at ${number} was not told`;
        }
      }
      return undefined;
    };
    let wrong = await isRight();
    for (let turns = 0; wrong !== undefined; turns++) {
      if (turns > 2000) complain(wrong);
      await pass(1);
      wrong = turns % 5 === 0 ? await Promise.race([isRight(), late()]) : wrong;
    }
  } finally {
    for (const side of sides) await side.close();
  }
}

/** Nobody waits for a request for as long as the clock of a relay stands still. */
async function late(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return "a request waits";
}
