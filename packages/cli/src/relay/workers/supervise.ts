import type { RequestListener } from "node:http";
import { setTimeout as timer } from "node:timers/promises";
import { announcementStream, offlineFile, streamSource, systemClock } from "@wye/relay";
import type { ExitCode } from "../../exit-code.js";
import { aborted } from "../aborted.js";
import { followCertificate, readCredentials, tellChangedAuthorities } from "../credentials.js";
import { devHints } from "../dev.js";
import { openOperatorListeners } from "../listeners.js";
import { readAgain } from "../load-usable.js";
import { type Log, logRules } from "../log.js";
import { createOutbound } from "../outbound.js";
import type { ReloadRequests } from "../reload-requests.js";
import type { ServeRequest } from "../serve.js";
import { AnnouncementHub } from "./announcement-hub.js";
import { type Crew, type Member, startCrew } from "./crew.js";
import { forkWorker } from "./fork-worker.js";
import type { Answer } from "./messages.js";
import { SharedConfiguration } from "./shared-configuration.js";
import { SharedCredentials } from "./shared-credentials.js";
import { SourceHub } from "./source-hub.js";
import { WorkerMetrics } from "./worker-metrics.js";

/** How long workers may take beyond their own time to end. */
const graceMs = 5000;

/** Serves by workers until the program is asked to end. This process has the connections to upstream, and what operators ask. */
export async function supervise(
  request: ServeRequest,
  log: Log,
  reloads: ReloadRequests,
  fork: (number: number) => Member = forkWorker,
): Promise<ExitCode> {
  const { loaded, sources, workers, trial, host, address } = request;
  const { config } = loaded;
  const { cwd, env } = host;
  const credentials = await readCredentials(config, cwd);
  const outbound = await createOutbound(config, env, credentials.authorities);
  if (outbound.description !== undefined) log.info(outbound.description);
  const { dispatcher } = outbound;
  const upstream = { dispatcher, logger: log, clock: systemClock };
  const sourceHub = new SourceHub({ start: streamSource, ...upstream });
  const announcementHub = new AnnouncementHub({
    announcements: announcementStream,
    contents: offlineFile,
    ...upstream,
  });
  const configuration = new SharedConfiguration(loaded);
  const shared = new SharedCredentials(credentials);
  const crew = startCrew({
    size: workers,
    fork,
    attach(member) {
      const detach = [sourceHub, announcementHub, configuration, shared].map((one) => one.attach(member));
      return () => {
        for (const end of detach) end();
      };
    },
    pause: (ms, signal) => timer(ms, undefined, { signal }).catch(() => {}),
    now: () => performance.now(),
    log,
  });
  const followed = { config, cwd, first: credentials.certificate, log };
  const watch = followCertificate(followed, (certificate) => shared.renew(certificate));
  const end = async () => {
    watch.close();
    const code = await crew.end(configuration.drainTimeout + graceMs);
    announcementHub.close();
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
    if (trial.isDev) for (const hint of devHints(port)) log.info(hint);
    reloads.answerWith(async () => {
      await watch.look();
      const next = await readAgain(sources, trial, log);
      if (next === undefined) return;
      await tellChangedAuthorities(credentials, { config, cwd, log });
      log.follow(logRules(next.config));
      configuration.replace(next);
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
const nobody: Answer = {
  status: 503,
  headers: { "content-type": "application/json" },
  body: '{"ready":false}',
};

/** Metrics are those of all workers; all else is the same whichever is asked. */
function answerFrom(crew: Crew): RequestListener {
  const metrics = new WorkerMetrics();
  return async (req, res) => {
    // Stryker disable next-line StringLiteral: a server has read both from what was asked
    const { method = "GET", url: path = "/" } = req;
    const request = { method, path };
    const answers = path.split("?")[0] === "/metrics" ? await crew.ask(request) : undefined;
    const all = answers === undefined ? [await crew.askAny(request)] : [...answers.values()];
    const { status, headers, body } = all.find((answer) => answer !== undefined) ?? nobody;
    const text = answers !== undefined && status === 200 ? metrics.sum(answers) : body;
    res.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    res.end(text);
  };
}
