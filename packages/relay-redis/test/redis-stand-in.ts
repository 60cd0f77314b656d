import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { messageOf } from "@wye/relay";
import { type LuaEngine, LuaFactory } from "wasmoon";

/** A server that speaks the protocol of Redis and runs scripts in a real Lua, for tests that need nothing but Node. */
export interface RedisStandIn {
  readonly port: number;
  /** Hashes and sets by key; a text stands for a key of another type. */
  readonly keys: Map<string, Map<string, string> | string>;
  /** The commands so far: their names, and how long they were. */
  readonly commands: { readonly name: string; readonly bytes: number }[];
  /** Whether it takes connections and never says a word. */
  silent: boolean;
  /** With what it refuses scripts, if it does. */
  refusal: string | undefined;
  /** A command that scripts may not use. */
  forbidden: string | undefined;
  /** The port of whom it names when it is asked as a sentinel, or as a node of a cluster: itself at first. */
  leader: number;
  /** Forgets the scripts that it has run, as a restart does. */
  forgetScripts(): void;
  /** Who came on each connection: the words of its greeting. */
  readonly greetings: (readonly string[])[];
  /** How many connections there were. */
  readonly connections: number;
  /** How many connections there are. */
  readonly open: number;
  /** Ends all connections, as a restart does. */
  disconnect(): void;
  /**
   * Leaves the connections that there are open and never answers on them again, as a network does that forgot them; at once, or
   * after some more scripts.
   */
  mute(options?: { readonly after: number }): void;
  /** Tells those who listen that something has happened, as a sentinel does. */
  announce(channel: string): void;
  /** Refuses everything on the connections that there are, as a server does that trusts their user no longer. */
  distrust(refusal: string): void;
  close(): Promise<void>;
}

class ReplyError extends Error {}

/** Starts it on loopback; `password` is then asked for, and if it is `silent` it never says a word. */
export async function startRedisStandIn({
  password,
  silent = false,
}: {
  password?: string;
  silent?: boolean;
} = {}): Promise<RedisStandIn> {
  const lua = await new LuaFactory().createEngine({ enableProxy: false });
  const keys: RedisStandIn["keys"] = new Map();
  const scripts = new Map<string, string>();
  const commands: RedisStandIn["commands"] = [];
  const sockets = new Set<Socket>();
  /** How many scripts are still answered on a connection. */
  const allowances = new WeakMap<Socket, number>();
  const refusals = new WeakMap<Socket, string>();
  /** To what sockets listen. */
  const patterns = new Map<Socket, readonly string[]>();
  let connections = 0;

  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => {});
    let rest = Buffer.alloc(0);
    let trusted = password === undefined;
    socket.on("data", (chunk) => {
      if (standIn.silent) return;
      rest = Buffer.concat([rest, chunk]);
      for (let request = parseRequest(rest); request !== undefined; request = parseRequest(rest)) {
        rest = rest.subarray(request.end);
        const [name = "", ...words] = request.words;
        commands.push({ name, bytes: request.end });
        if (name === "HELLO") standIn.greetings.push(words);
        if (name.toUpperCase() === "PSUBSCRIBE") patterns.set(socket, words);
        const allowance = allowances.get(socket);
        if (allowance === 0) continue;
        if (allowance !== undefined && name.startsWith("EVAL")) allowances.set(socket, allowance - 1);
        trusted ||= words.includes(password ?? "");
        const refusal = refusals.get(socket) ?? (name.startsWith("EVAL") ? standIn.refusal : undefined);
        socket.write(
          trusted && refusal !== undefined
            ? `-${refusal}\r\n`
            : trusted
              ? reply({ lua, keys, scripts, standIn }, name.toUpperCase(), words)
              : "-WRONGPASS invalid username-password pair\r\n",
        );
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const standIn: RedisStandIn = {
    port: address.port,
    silent,
    refusal: undefined,
    forbidden: undefined,
    leader: address.port,
    keys,
    commands,
    greetings: [],
    forgetScripts: () => scripts.clear(),
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    disconnect,
    mute({ after } = { after: 0 }) {
      for (const socket of sockets) allowances.set(socket, after);
    },
    announce(channel) {
      for (const [socket, all] of patterns)
        for (const pattern of all)
          if (new RegExp(`^${pattern.replace(/^\+/, "\\+")}$`).test(channel))
            socket.write(`>4\r\n${["pmessage", pattern, channel, ""].map(encode).join("")}`);
    },
    distrust(refusal) {
      for (const socket of sockets) refusals.set(socket, refusal);
    },
    async close() {
      disconnect();
      server.close();
      await once(server, "close");
      lua.global.close();
    },
  };
  return standIn;
}

/** The first request of the bytes, if all of it has arrived. */
function parseRequest(
  bytes: Buffer,
): { readonly words: readonly string[]; readonly end: number } | undefined {
  const lineEnd = (from: number) => bytes.indexOf("\r\n", from);
  let at = lineEnd(0);
  if (at < 0) return undefined;
  const count = Number(bytes.toString("latin1", 1, at));
  const words: string[] = [];
  at += 2;
  for (let index = 0; index < count; index++) {
    const line = lineEnd(at);
    if (line < 0) return undefined;
    const length = Number(bytes.toString("latin1", at + 1, line));
    at = line + 2 + length + 2;
    if (at > bytes.length) return undefined;
    words.push(bytes.toString("utf8", line + 2, line + 2 + length));
  }
  return { words, end: at };
}

interface Memory extends Pick<RedisStandIn, "keys"> {
  readonly lua: LuaEngine;
  /** Scripts by their SHA-1. */
  readonly scripts: Map<string, string>;
  readonly standIn: Pick<RedisStandIn, "forbidden" | "leader">;
}

function reply({ lua, keys, scripts, standIn }: Memory, name: string, words: readonly string[]): string {
  try {
    if (name === "HELLO") return "%1\r\n+proto\r\n:3\r\n";
    if (name === "PING") return "+PONG\r\n";
    if (name === "CLUSTER") return encode([[0, 16_383, ["127.0.0.1", standIn.leader, "a"]]]);
    if (name === "SENTINEL") {
      const leader = { ip: "127.0.0.1", port: String(standIn.leader), flags: "master" };
      const pairs = Object.entries(leader).flat().map(encode);
      return words[0] === "MASTER" ? `%${pairs.length / 2}\r\n${pairs.join("")}` : encode([]);
    }
    if (name === "SUBSCRIBE" || name === "PSUBSCRIBE")
      return words.map((channel) => `>3\r\n${encode(name.toLowerCase())}${encode(channel)}:1\r\n`).join("");
    if (name === "GET" || name === "SET" || name === "SMEMBERS" || name === "TYPE") {
      const [key = "", ...rest] = words;
      return encode(call(keys, name, key, rest));
    }
    if (name !== "EVAL" && name !== "EVALSHA") return "+OK\r\n";
    const [named = "", count, ...parameters] = words;
    const script = name === "EVAL" ? named : scripts.get(named);
    if (script === undefined) return "-NOSCRIPT No matching script.\r\n";
    scripts.set(createHash("sha1").update(script).digest("hex"), script);
    lua.global.set("KEYS", parameters.slice(0, Number(count)));
    lua.global.set("ARGV", parameters.slice(Number(count)));
    lua.global.set("redis", {
      call: (command: string, key: string, ...more: string[]) => call(keys, command, key, more),
      pcall(command: string, key: string, ...more: string[]) {
        if (command === standIn.forbidden) return { err: `NOPERM this user may not ${command}` };
        try {
          return call(keys, command, key, more);
        } catch (error) {
          return { err: messageOf(error) };
        }
      },
      error_reply: (err: string) => ({ err }),
      sha1hex: (text: string) => createHash("sha1").update(text).digest("hex"),
    });
    return encode(lua.doStringSync(script));
  } catch (error) {
    const message = messageOf(error);
    return `-${message.replaceAll(/[\r\n]+/g, " ").replace(/^.*?(?=WRONGTYPE)/, "")}\r\n`;
  }
}

function call(keys: RedisStandIn["keys"], command: string, key: string, words: readonly string[]): unknown {
  const kept = keys.get(key);
  const [field = "", value = ""] = words;
  if (command === "TYPE")
    return { ok: kept === undefined ? "none" : typeof kept === "string" ? "string" : "hash" };
  if (command === "EXISTS") return kept === undefined ? 0 : 1;
  if (command === "DEL") return Number(keys.delete(key));
  if (command === "GET") return typeof kept === "string" ? kept : false;
  if (command === "SET") return keys.set(key, field) && { ok: "OK" };
  if (typeof kept === "string")
    throw new ReplyError("WRONGTYPE Operation against a key holding the wrong kind of value");
  if (command === "HGETALL") return [...(kept ?? [])].flat();
  if (command === "HKEYS") return [...(kept?.keys() ?? [])];
  if (command === "HGET") return kept?.get(field) ?? false;
  if (command === "HDEL") return Number(kept?.delete(field));
  if (command === "SMEMBERS") return [...(kept?.keys() ?? [])];
  if (command === "SREM") return Number(kept?.delete(field));
  // A set is a hash without values.
  if (command !== "HSET" && command !== "SADD") throw new ReplyError(`unknown command ${command}`);
  keys.set(key, (kept ?? new Map<string, string>()).set(field, value));
  return 1;
}

function encode(value: unknown): string {
  if (value === false) return "_\r\n";
  if (typeof value === "number") return `:${value}\r\n`;
  if (typeof value === "string") return `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
  if (typeof value === "object" && value !== null && "ok" in value) return `+${value.ok}\r\n`;
  if (typeof value === "object" && value !== null && "err" in value) return `-${value.err}\r\n`;
  const list = Array.isArray(value) ? value : [];
  return `*${list.length}\r\n${list.map(encode).join("")}`;
}
