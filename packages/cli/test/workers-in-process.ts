import { onTestFinished } from "vitest";
import type { ExitCode, Host } from "../src/index.js";
import { loadConfig } from "../src/relay/config/load-config.js";
import { createLog, logRules } from "../src/relay/log.js";
import { createReloadRequests } from "../src/relay/reload-requests.js";
import { type ServeRequest, serve } from "../src/relay/serve.js";
import { sharedText } from "../src/relay/workers/as-worker.js";
import type { Member } from "../src/relay/workers/crew.js";
import type { FromWorker, ToWorker } from "../src/relay/workers/messages.js";
import { supervise } from "../src/relay/workers/supervise.js";
import type { ThisWorker } from "../src/relay/workers/worker-channel.js";
import { eventually } from "./relay-and-upstream.js";

/** One direction of the line between two processes: what is sent arrives later, as a copy. */
function createWay<Message>() {
  const takers = new Set<(message: Message) => void>();
  return {
    send(message: Message): void {
      const copy = structuredClone(message);
      setImmediate(() => {
        for (const take of [...takers]) take(copy);
      });
    },
    listen(take: (message: Message) => void): () => void {
      takers.add(take);
      return () => takers.delete(take);
    },
  };
}

/** A relay with workers that are no processes of their own. */
export interface CrewInProcess {
  readonly printed: () => string;
  /** Where each worker serves that has said so, in the order in which they began. */
  readonly bases: () => readonly string[];
  /** Reads the configuration again, as at SIGHUP. */
  reload(): void;
  /** Kills a worker. */
  kill(index: number): void;
  /** As SIGTERM. */
  end(): Promise<ExitCode>;
  readonly ended: Promise<ExitCode>;
}

/** Starts it with the configuration file of a folder; it ends with the test. */
export async function startCrewInProcess(
  cwd: string,
  {
    size = 2,
    isDev = false,
    env = {},
  }: { readonly size?: number; readonly isDev?: boolean; readonly env?: Host["env"] } = {},
): Promise<CrewInProcess> {
  const ending = new AbortController();
  const listeners = new Set<() => void>();
  let printed = "";
  const write = (text: string) => {
    printed += text;
  };
  const host: Host = {
    ...{ cwd, env, out: { write }, err: { write }, interrupted: ending.signal },
    readInput: async () => new Uint8Array(),
    onReload(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const sources = { cwd, file: "relay.conf" };
  const loaded = await loadConfig(sources);
  const trial = { cwd, env, isDev, isWorker: false };
  const reloads = createReloadRequests(host);
  const common = { loaded, sources, trial, port: 0, address: "127.0.0.1", workers: size, host };
  const request: ServeRequest = { ...common, worker: undefined, reloads };
  const workers: { readonly ports: number[]; readonly kill: () => void }[] = [];
  const fork = (number: number): Member => {
    const [down, up] = [createWay<ToWorker>(), createWay<FromWorker>()];
    const told = new AbortController();
    const ports: number[] = [];
    down.listen(({ type }) => {
      if (type === "end") told.abort();
    });
    up.listen((message) => {
      if (message.type === "serving") ports.push(message.port);
    });
    const worker: ThisWorker = { number, ended: told.signal, send: up.send, listen: down.listen };
    // Only the process that has started the workers hears of signals.
    const ownHost = { ...host, interrupted: new AbortController().signal };
    const ownSources = { ...sources, readText: () => sharedText(worker) };
    const serveOwn = async () =>
      serve({
        ...{ ...common, worker, sources: ownSources, host: ownHost, reloads: createReloadRequests({}) },
        loaded: await loadConfig(ownSources),
        trial: { ...trial, isWorker: true },
      });
    let isKilled = false;
    const ended = serveOwn().then((code): number | string => (isKilled ? "SIGKILL" : code));
    const kill = () => {
      isKilled = true;
      told.abort();
    };
    workers.push({ ports, kill });
    return { send: down.send, listen: up.listen, ended, kill };
  };
  const log = createLog(host, logRules(loaded.config), () => new Date());
  const ended = supervise(request, log, reloads, fork);
  const end = () => {
    ending.abort();
    return ended;
  };
  onTestFinished(async () => {
    await end().catch(() => {});
  });
  let isOver = false;
  void ended
    .catch(() => {})
    .then(() => {
      isOver = true;
    });
  await eventually(
    async () => isOver || printed.includes("workers serve on port"),
    (isThere) => isThere,
  );
  return {
    printed: () => printed,
    bases: () => workers.flatMap(({ ports }) => ports.slice(0, 1).map((port) => `http://127.0.0.1:${port}`)),
    reload() {
      for (const listener of [...listeners]) listener();
    },
    kill: (index) => workers[index]?.kill(),
    end,
    ended,
  };
}
