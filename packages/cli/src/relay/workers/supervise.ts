import type { RequestListener } from "node:http";
import { setTimeout as timer } from "node:timers/promises";
import { streamSource, systemClock } from "@wye/relay";
import type { ExitCode } from "../../exit-code.js";
import { aborted } from "../aborted.js";
import { loadConfig } from "../config/load-config.js";
import { devHints } from "../dev.js";
import { openOperatorListeners } from "../listeners.js";
import { type Log, logRules } from "../log.js";
import { createOutbound } from "../outbound.js";
import type { ReloadRequests } from "../reload-requests.js";
import type { ServeRequest } from "../serve.js";
import { type Crew, startCrew } from "./crew.js";
import { forkWorker } from "./fork-worker.js";
import type { Answer } from "./messages.js";
import { SourceHub } from "./source-hub.js";
import { WorkerMetrics } from "./worker-metrics.js";

/** How long workers may take beyond their own time to end. */
const graceMs = 5000;

/** Serves by workers until the program is asked to end. This process has the connections to upstream, and what operators ask. */
export async function supervise(request: ServeRequest, log: Log, reloads: ReloadRequests): Promise<ExitCode> {
  const { loaded, sources, workers, isDev, host, address } = request;
  const { config } = loaded;
  const outbound = await createOutbound(config, host.cwd, host.env);
  if (outbound.description !== undefined) log.info(outbound.description);
  const hub = new SourceHub({
    start: streamSource,
    dispatcher: outbound.dispatcher,
    logger: log,
    clock: systemClock,
  });
  const crew = startCrew({
    size: workers,
    fork: forkWorker,
    attach: (member) => hub.attach(member),
    pause: (ms, signal) => timer(ms, undefined, { signal }).catch(() => {}),
    now: () => performance.now(),
    log,
  });
  const end = async () => {
    const code = await crew.end(Math.max(config.of("Wye").drainTimeout, 0) + graceMs);
    await outbound.close();
    return code === 0 ? 0 : 1;
  };
  try {
    const port = await Promise.race([crew.serving, aborted(host.interrupted)]);
    if (port === undefined) return await end();
    const operators = await openOperatorListeners(answerFrom(crew), {
      config,
      log,
      ...(address === undefined ? {} : { host: address }),
    });
    log.info(`${workers} workers serve on port ${port}`);
    if (isDev) for (const hint of devHints(port)) log.info(hint);
    reloads.answerWith(async () => {
      const { config, problems } = await loadConfig(sources);
      if (problems.length === 0) log.follow(logRules(config));
      crew.tell({ type: "reload" });
    });
    await aborted(host.interrupted);
    log.info("asked to end: workers take no more connections");
    const code = await end();
    operators.close();
    log.info("ended");
    return code;
  } catch (error) {
    await end();
    throw error;
  }
}

/** What is answered while no worker is there. */
const nobody: Answer = { status: 503, contentType: "application/json", body: '{"ready":false}' };

/** Metrics are those of all workers; all else is the same whichever is asked. */
function answerFrom(crew: Crew): RequestListener {
  const metrics = new WorkerMetrics();
  return async (req, res) => {
    const path = req.url ?? "/";
    const answers = path.split("?")[0] === "/metrics" ? await crew.ask(path) : undefined;
    const all = answers === undefined ? [await crew.askAny(path)] : [...answers.values()];
    const first = all.find((answer) => answer !== undefined);
    const { status, contentType, body } = first ?? nobody;
    const text = answers !== undefined && status === 200 ? metrics.sum(answers) : body;
    res.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(text) });
    res.end(text);
  };
}
