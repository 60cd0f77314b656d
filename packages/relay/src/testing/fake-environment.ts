import { createFakeStream, type FakeStream } from "./fake-stream.js";

/** A flag or segment as upstream has it: any object with a version. */
export type FakeItem = Readonly<Record<string, unknown>>;

/** All data of an environment. */
export interface FakeData {
  readonly flags?: Readonly<Record<string, FakeItem>>;
  readonly segments?: Readonly<Record<string, FakeItem>>;
}

/** One environment of the stand-in. */
export interface FakeEnvironment extends FakeStream {
  /** What a new stream starts with; open streams do not hear of it. */
  setData(data: FakeData): void;
  /** Sends a full set to open streams and to all that come. */
  put(data: FakeData): void;
  /** Sends one item to open streams. */
  patch(kind: "flags" | "segments", item: FakeItem & { readonly key: string }): void;
  /** Sends a deletion to open streams. */
  delete(kind: "flags" | "segments", key: string, version: number): void;
}

/** Creates an environment without data that answers streams with what it has. */
export function createFakeEnvironment(): FakeEnvironment {
  let data: FakeData = {};
  const stream = createFakeStream(() => ["put", putOf(data)]);
  const { send } = stream;
  return {
    ...stream,
    get connections() {
      return stream.connections;
    },
    setData(next) {
      data = next;
    },
    put(next) {
      data = next;
      send("put", putOf(next));
    },
    patch: (kind, item) => send("patch", { path: `/${kind}/${item.key}`, data: item }),
    delete: (kind, key, version) => send("delete", { path: `/${kind}/${key}`, version }),
  };
}

function putOf({ flags = {}, segments = {} }: FakeData): unknown {
  return { path: "/", data: { flags, segments } };
}
