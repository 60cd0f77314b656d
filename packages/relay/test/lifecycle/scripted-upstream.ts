import { itemsFromJson } from "../../src/sources/change-from-event.js";
import type { SourceContext, SourceFactory } from "../../src/sources/source.js";

/** What upstream does when it is asked with a key. */
export type Answer = "data" | "silent" | "refuse" | "fail";

/** Who hears what upstream does, before the relay hears of it. */
export interface UpstreamListener {
  /** A source asked. */
  asked(variant: string, sdkKey: string, answer: Answer): void;
  /** Flags of this version are sent on a connection. */
  delivers(variant: string, sdkKey: string, version: number): void;
  /** A connection breaks. */
  breaks(variant: string, sdkKey: string): void;
}

interface Connection {
  readonly variant: string;
  readonly context: SourceContext;
  readonly fail: () => void;
}

const reconnectMs = 30_000;

/** An upstream without a network: sources ask it in the same turn, and a run says what they get. */
export class ScriptedUpstream {
  readonly #answers = new Map<string, Answer>();
  readonly #open = new Set<Connection>();
  readonly #listener: UpstreamListener;
  #version = 0;

  constructor(listener: UpstreamListener) {
    this.#listener = listener;
  }

  /** The source of an environment and its filters. */
  source(name: string): SourceFactory {
    return (context) => {
      let cancel = () => {};
      const fail = () => {
        context.sink.interrupted("NETWORK_ERROR", "gone");
        cancel = context.clock.schedule(reconnectMs, () => this.#ask(connection));
      };
      const variant = context.filter === undefined ? name : `${name}/${context.filter}`;
      const connection = { variant, context, fail };
      this.#ask(connection);
      return {
        close: () => {
          cancel();
          this.#open.delete(connection);
        },
      };
    };
  }

  /** How a key is answered from now on. */
  answer(sdkKey: string, answer: Answer): void {
    this.#answers.set(sdkKey, answer);
  }

  /** Sends flags on every open connection of a key. */
  deliver(sdkKey: string): void {
    for (const connection of [...this.#open])
      if (connection.context.sdkKey === sdkKey) this.#deliver(connection);
  }

  /** Breaks every open connection of a key. */
  drop(sdkKey: string): void {
    for (const connection of [...this.#open]) {
      if (connection.context.sdkKey !== sdkKey) continue;
      this.#open.delete(connection);
      this.#listener.breaks(connection.variant, sdkKey);
      connection.fail();
    }
  }

  /** The open connections, as `VARIANT KEY`. */
  connections(): string[] {
    return [...this.#open].map(({ variant, context }) => `${variant} ${context.sdkKey}`).sort();
  }

  #ask(connection: Connection): void {
    const { variant, context } = connection;
    const answer = this.#answers.get(context.sdkKey) ?? "data";
    this.#listener.asked(variant, context.sdkKey, answer);
    if (answer === "data" || answer === "silent") this.#open.add(connection);
    if (answer === "data") this.#deliver(connection);
    if (answer === "refuse") context.sink.refused("ERROR_RESPONSE", "401");
    if (answer === "fail") connection.fail();
  }

  #deliver({ variant, context }: Connection): void {
    const version = ++this.#version;
    this.#listener.delivers(variant, context.sdkKey, version);
    const items = itemsFromJson(`{"flags":{"f":{"key":"f","version":${version}}}}`);
    void context.sink.apply({ extent: "full", items });
  }
}
