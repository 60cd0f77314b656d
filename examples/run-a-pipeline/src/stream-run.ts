import type { ServerResponse } from "node:http";
import type { LiveRun } from "./live-run.js";

/** Changes that come within this time are told together. */
const pauseMs = 80;
/** Proxies and sleeping laptops cut what is silent for long. */
const silenceMs = 20_000;

/** Sends the picture of a run whenever it changes. A reader that is slow gets the latest, not all of them. */
export function streamRun(run: LiveRun, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    if (response.writableNeedDrain) later();
    else response.write(`data: ${JSON.stringify(run.picture)}\n\n`);
  };
  const later = (): void => {
    timer ??= setTimeout(send, pauseMs);
  };
  const leave = run.watch(later);
  const heartbeat = setInterval(() => response.write(":\n\n"), silenceMs);
  response.once("close", () => {
    leave();
    clearTimeout(timer);
    clearInterval(heartbeat);
  });
  response.once("error", () => response.destroy());
  send();
}
