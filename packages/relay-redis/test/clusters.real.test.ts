import { readFileSync } from "node:fs";
import { type FlagStore, messageOf } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { redisStore } from "../src/index.js";
import { connectTo, contextOf, type DirectClient, flag, never, until } from "./fixtures.js";
import { type RedisServer, startRedis } from "./redis-server.js";

/** The rights that the README says are enough. */
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const rights = /`~PREFIX:\* (-@all [^`]+)`/.exec(readme)?.[1] ?? "none";

const slotCount = 16_384;

interface Node extends RedisServer {
  readonly id: string;
  readonly direct: DirectClient;
}

interface Cluster {
  readonly nodes: readonly Node[];
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  /** The node that has the keys with this hash tag, and the next one. */
  ownerOf(tag: string): Promise<{ owner: Node; next: Node; slot: number }>;
  /** `first` is asked first for the others. */
  open(prefix: string, first?: Node): FlagStore;
}

/** Three nodes, each of which goes on when another one is away. */
async function startCluster(): Promise<Cluster> {
  const nodes = await Promise.all(
    [0, 1, 2].map(async (index): Promise<Node> => {
      const server = await startRedis([
        "cluster-enabled yes",
        `cluster-config-file nodes-${index}.conf`,
        "cluster-node-timeout 2000",
        "cluster-require-full-coverage no",
        `user relay on >secret ~{*}:* ${rights} +cluster|slots +asking`,
      ]);
      const direct = await connectTo(server.port);
      onTestFinished(async () => {
        direct.destroy();
        await server.stop();
      });
      return { ...server, direct, id: String(await direct.sendCommand(["CLUSTER", "MYID"])) };
    }),
  );
  const addresses = nodes.map(({ port }) => ({ host: "127.0.0.1", port }));
  await join(nodes);
  return {
    nodes,
    addresses,
    async ownerOf(tag) {
      const slot = Number(await nodes[0]?.direct.sendCommand(["CLUSTER", "KEYSLOT", `{${tag}}`]));
      const index = Math.min(2, Math.floor(slot / (slotCount / 3)));
      const [owner, next] = [nodes[index], nodes[(index + 1) % 3]];
      if (owner === undefined || next === undefined) throw new Error("no such node");
      return { owner, next, slot };
    },
    open(prefix, first) {
      const isFirst = ({ port }: { port: number }) => port === first?.port;
      const cluster = [...addresses.filter(isFirst), ...addresses.filter((one) => !isFirst(one))];
      const credentials = () => ({ username: "relay", password: "secret" });
      const store = redisStore({ cluster, credentials, prefix })(contextOf("test"));
      onTestFinished(() => store.close());
      return store;
    },
  };
}

/** Divides the slots among the nodes, and waits until each of them knows who has which. */
async function join(nodes: readonly Node[]): Promise<void> {
  const slots = nodes.map((_, index) => Math.ceil((index * slotCount) / nodes.length));
  for (const [index, { direct }] of nodes.entries()) {
    const last = (slots[index + 1] ?? slotCount) - 1;
    await direct.sendCommand(["CLUSTER", "SET-CONFIG-EPOCH", String(index + 1)]);
    await direct.sendCommand(["CLUSTER", "ADDSLOTSRANGE", String(slots[index]), String(last)]);
  }
  for (const { direct } of nodes)
    await until(
      async () => {
        // Nodes that are slow to answer forget that they were to meet.
        for (const { port } of nodes)
          await direct.sendCommand(["CLUSTER", "MEET", "127.0.0.1", String(port)]);
        return String(await direct.sendCommand(["CLUSTER", "INFO"]));
      },
      // Alone it is `ok` as well.
      (text) => text.includes("cluster_state:ok") && text.includes(`cluster_slots_ok:${slotCount}`),
    );
}

/** Writes until that is taken. */
async function write(store: FlagStore, version: number): Promise<void> {
  await until(
    () => store.replace([flag("a", version)], never).then(() => "written", messageOf),
    (outcome) => outcome === "written",
  );
}

test("each prefix is kept whole on a node of its own; a prefix without a hash tag is refused", async () => {
  const { open, ownerOf } = await startCluster();
  for (const tag of ["one", "two", "three", "four"]) {
    const store = open(`{${tag}}`);
    await write(store, 1);
    expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
    expect((await store.read(never))?.[0]?.version).toBe(2);
    const { owner } = await ownerOf(tag);
    expect(await owner.direct.exists([`{${tag}}:features`, `{${tag}}:$inited`])).toBe(2);
  }
  expect(() => open("ld")).toThrow('"{ld}" instead of "ld"');
});

test("flags that move to another node while they are written are followed, and none is lost", async () => {
  const { nodes, open, ownerOf } = await startCluster();
  const store = open("{one}");
  await write(store, 1);
  const { owner, next, slot } = await ownerOf("one");
  let version = 1;
  const upsert = () => store.upsert([flag("a", ++version)], never).catch(() => {});
  const setSlot = (node: Node, ...words: readonly string[]) =>
    node.direct.sendCommand(["CLUSTER", "SETSLOT", String(slot), ...words]);
  const move = (key: string) =>
    owner.direct.sendCommand(["MIGRATE", "127.0.0.1", String(next.port), key, "0", "60000"]);
  await setSlot(next, "IMPORTING", owner.id);
  await setSlot(owner, "MIGRATING", next.id);
  await upsert();
  // Meanwhile some keys are here and some are there.
  await move("{one}:features");
  await upsert();
  await store.read(never).catch(() => {});
  await move("{one}:$inited");
  await upsert();
  for (const node of [next, owner, ...nodes]) await setSlot(node, "NODE", next.id);
  await until(
    async () => {
      await upsert();
      return JSON.parse((await next.direct.hGet("{one}:features", "a")) ?? "{}").version;
    },
    (kept) => kept === version,
  );
  expect((await store.read(never))?.map((item) => item.version)).toEqual([version]);
});

const ends: readonly ["dies" | "hangs", (node: Node) => Promise<void>, (node: Node) => Promise<void>][] = [
  ["dies", (node) => node.crash(), (node) => node.start()],
  ["hangs", async (node) => node.signal("SIGSTOP"), async (node) => node.signal("SIGCONT")],
];

test.each(ends)(
  "a node that %s keeps only its own flags back, and only until it is there again",
  async (_, end, begin) => {
    const { open, ownerOf } = await startCluster();
    const [lost, kept] = [open("{one}"), open("{two}")];
    const [{ owner }, { owner: other }] = [await ownerOf("one"), await ownerOf("two")];
    expect(owner).not.toBe(other);
    await write(lost, 1);
    await write(kept, 1);
    await end(owner);
    await expect(lost.replace([flag("a", 2)], never)).rejects.toThrow();
    for (let version = 2; version <= 5; version++) await write(kept, version);
    await begin(owner);
    await write(lost, 3);
    expect((await lost.read(never))?.[0]?.version).toBe(3);
    expect((await kept.read(never))?.[0]?.version).toBe(5);
  },
);

test.each(ends)(
  "a cluster that is opened when one node %s has the flags of the others at once, and its own when it is there again",
  async (_, end, begin) => {
    const { open, ownerOf } = await startCluster();
    const [{ owner }, { owner: other }] = [await ownerOf("one"), await ownerOf("two")];
    expect(owner).not.toBe(other);
    await write(open("{one}"), 1);
    await write(open("{two}"), 1);
    await end(owner);
    // The client begins anywhere.
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const [lost, kept] = [open("{one}", owner), open("{two}", owner)];
    expect((await kept.read(never))?.[0]?.version).toBe(1);
    await kept.replace([flag("a", 2)], never);
    await expect(lost.read(never)).rejects.toThrow();
    await begin(owner);
    await write(lost, 3);
    expect((await lost.read(never))?.[0]?.version).toBe(3);
    expect((await kept.read(never))?.[0]?.version).toBe(2);
  },
);

test("credentials that a cluster refuses are asked for anew at once", async () => {
  const { addresses: cluster } = await startCluster();
  const passwords = ["old", "old"];
  const credentials = () => ({ username: "relay", password: passwords.shift() ?? "secret" });
  // The client asks one after the other who has what.
  const store = redisStore({ cluster: cluster.slice(0, 2), credentials, prefix: "{one}" })(contextOf("test"));
  onTestFinished(() => store.close());
  await store.replace([flag("a", 1)], never);
  expect(await store.read(never)).toHaveLength(1);
});
