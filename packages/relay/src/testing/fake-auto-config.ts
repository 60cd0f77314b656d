import { createFakeStream, type FakeStream } from "./fake-stream.js";

/** What the stream of automatic configuration begins with: environments and payload filters by their IDs. */
export interface FakeConfiguration {
  readonly environments?: Readonly<Record<string, unknown>>;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** The automatic configuration of the stand-in. */
export interface FakeAutoConfig extends FakeStream {
  /** What a new stream starts with; open streams do not hear of it. Without any, streams stay silent. */
  setConfiguration(configuration: FakeConfiguration | undefined): void;
  /** Sends a full set to open streams and to all that come. */
  put(configuration: FakeConfiguration): void;
  /** Sends one environment or filter to open streams. */
  patch(kind: "environments" | "filters", id: string, item: unknown): void;
  /** Sends a deletion to open streams. */
  delete(kind: "environments" | "filters", id: string, version: number): void;
}

/** Creates an automatic configuration that says nothing yet. */
export function createFakeAutoConfig(): FakeAutoConfig {
  let configuration: FakeConfiguration | undefined;
  const stream = createFakeStream(() => configuration && ["put", putOf(configuration)]);
  const { send } = stream;
  return {
    ...stream,
    get connections() {
      return stream.connections;
    },
    setConfiguration(next) {
      configuration = next;
    },
    put(next) {
      configuration = next;
      send("put", putOf(next));
    },
    patch: (kind, id, data) => send("patch", { path: `/${kind}/${id}`, data }),
    delete: (kind, id, version) => send("delete", { path: `/${kind}/${id}`, version }),
  };
}

function putOf({ environments = {}, filters = {} }: FakeConfiguration): unknown {
  return { path: "/", data: { environments, filters } };
}
