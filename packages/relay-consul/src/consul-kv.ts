import { type Clock, RelayError } from "@wye/relay";
import { type ConnectedOptions, createConsulHttp } from "./consul-http.js";

/** A key with its value, and the number of its last change. */
export interface ConsulEntry {
  readonly key: string;
  readonly value: string;
  readonly index: number;
}

/** One step of a transaction. `cas` writes if the number of the last change is `index`; 0 stands for a key that is not there. */
export type ConsulStep =
  | { readonly verb: "set"; readonly key: string; readonly value: string }
  | { readonly verb: "cas"; readonly key: string; readonly value: string; readonly index: number }
  | { readonly verb: "get" | "delete"; readonly key: string };

/** What a transaction read and wrote. `undefined`: a key was not there or not as it was, and nothing at all was done. */
export type ConsulOutcome = readonly ConsulEntry[] | undefined;

/** The key-value store of Consul. */
export interface ConsulKv {
  /** Everything whose key begins with this text, as the leader has it. */
  list(keyPrefix: string, signal: AbortSignal): Promise<readonly ConsulEntry[]>;
  /** What a folder has itself: keys, and of each folder in it only the name, with a slash at its end. */
  names(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** All steps or none. Rejects when they are not allowed or not possible. */
  transaction(steps: readonly ConsulStep[], signal: AbortSignal): Promise<ConsulOutcome>;
}

interface RawEntry {
  readonly Key: string;
  readonly Value: string | null;
  readonly ModifyIndex: number;
}

const isRawEntry = (value: unknown): value is RawEntry => {
  const { Key, Value, ModifyIndex }: Partial<Record<keyof RawEntry, unknown>> = Object(value);
  return (
    typeof Key === "string" && (Value === null || typeof Value === "string") && Number.isFinite(ModifyIndex)
  );
};

const isKey = (value: unknown): value is string => typeof value === "string";

/** Talks to an agent. */
export function createConsulKv(options: ConnectedOptions, clock: Clock): ConsulKv {
  const ask = createConsulHttp(options, clock);

  async function read<One>(
    path: string,
    isOne: (value: unknown) => value is One,
    signal: AbortSignal,
  ): Promise<readonly One[]> {
    // Stryker disable next-line StringLiteral: without a word the client takes this one where nothing is sent
    const { status, text, isFiltered } = await ask("GET", path, undefined, signal);
    if (isFiltered) throw new RelayError("store_failed", "Consul has left out what the token may not read");
    if (status === 404) return [];
    if (status === 200) return listOf(isOne, parse(text));
    throw refused(status, text);
  }

  return {
    async list(keyPrefix, signal) {
      const path = `kv/${encodePath(keyPrefix)}?recurse&consistent`;
      return (await read(path, isRawEntry, signal)).map(entryFrom);
    },
    names: (folder, signal) => read(`kv/${encodePath(folder)}?keys&separator=/&consistent`, isKey, signal),
    async transaction(steps, signal) {
      const { status, text } = await ask("PUT", "txn", steps.map(rawStep), signal);
      if (status === 409) return overtaken(text);
      if (status !== 200) throw refused(status, text);
      const { Results }: { readonly Results?: unknown } = Object(parse(text));
      const hasEntry = (value: unknown): value is { readonly KV: RawEntry } => isRawEntry(Object(value).KV);
      return listOf(hasEntry, Results === null ? [] : Results).map(({ KV }) => entryFrom(KV));
    },
  };
}

function rawStep(step: ConsulStep): object {
  const value = "value" in step ? { Value: Buffer.from(step.value).toString("base64") } : {};
  const index = "index" in step ? { Index: step.index } : {};
  return { KV: { Verb: step.verb, Key: step.key, ...value, ...index } };
}

function entryFrom({ Key, Value, ModifyIndex }: RawEntry): ConsulEntry {
  return { key: Key, value: Buffer.from(Value ?? "", "base64").toString(), index: ModifyIndex };
}

/** One status stands for what others have written in the meantime and for what is not allowed: the latter is thrown. */
function overtaken(text: string): undefined {
  const { Errors }: { readonly Errors?: unknown } = Object(parse(text));
  const hasReason = (value: unknown): value is { readonly What: string } =>
    typeof Object(value).What === "string";
  const refusals = listOf(hasReason, Errors).filter(
    ({ What }) => !/(doesn't exist|index is stale)$/.test(What),
  );
  if (refusals.length > 0) throw refused(409, refusals.map(({ What }) => What).join("; "));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RelayError("store_failed", "Consul gave something that is not JSON", { cause });
  }
}

/** Whatever listens at an address may answer with anything. */
function listOf<One>(isOne: (value: unknown) => value is One, value: unknown): readonly One[] {
  if (Array.isArray(value) && value.every(isOne)) return value;
  throw new RelayError("store_failed", "Consul gave something that is no answer of its HTTP interface");
}

function refused(status: number, text: string): RelayError {
  return new RelayError("store_failed", `Consul answered ${status}: ${text.trim().slice(0, 200)}`);
}

function encodePath(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}
