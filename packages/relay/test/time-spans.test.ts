import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, type Dispatcher } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRelay } from "../src/relay.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { post, posts, start, turn } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("whatever span requests to upstream may take", () => {
  // Goals are waited for by the clock of the machine, which may stand still for seconds: none of these is short.
  for (const requestTimeout of ["1024.1s", "16.1m", 1e6 / 3, 0.5e9 + 0.1, "576h", "10m1.5ms"]) {
    test(`${requestTimeout}: an event is delivered once, and goals are answered`, async () => {
      const { relay, clock, counted } = await start({ upstream: { requestTimeout } });
      expect(await post(relay, "[1]")).toMatchObject({ status: 202 });
      expect(await relay.fetch("GET", `/sdk/goals/${keys.envId}`)).toMatchObject({ status: 200 });
      expect(await posts(relay, clock, 1)).toHaveLength(1);
      while (counted.events_delivered !== 1) await turn();
      expect(counted).toMatchObject({ events_delivered: 1, queued_events: 0 });
      expect(counted.event_posts_failed ?? 0).toBe(0);
    });
  }

  for (const wrong of [0, "0s", "577h", 2 ** 31]) {
    test(`${wrong} is refused, and the error says what may be`, () => {
      const problem = 'must be a time span from "1ms" to 24 days: milliseconds, or text like "30s", "1m30s"';
      expect(() => createRelay({ upstream: { requestTimeout: wrong, readTimeout: wrong } })).toThrow(
        expect.objectContaining({
          code: "invalid_options",
          problems: [`upstream: readTimeout ${problem}`, `upstream: requestTimeout ${problem}`],
        }),
      );
    });
  }
});

test("what upstream sends after its answer is waited for no longer than a request may take, and nothing is sent twice", async () => {
  let arrived = 0;
  const url = await listen((req, res) => {
    req.resume();
    arrived++;
    res.writeHead(202).write("x");
  });
  const { relay, clock, counted } = await start({ upstream: { requestTimeout: "1s" } }, undefined, url);
  expect(await post(relay, "[1]")).toMatchObject({ status: 202 });
  clock.advance(1000);
  while (counted.events_delivered !== 1) await turn();
  clock.advance(3_600_000);
  expect(arrived).toBe(1);
});

test("a dispatcher that pays no attention to limits does not hold events for ever", async () => {
  let hang = true;
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const dispatcher = agent.compose((dispatch) => (options: Dispatcher.DispatchOptions, handler) => {
    if (!hang || options.method !== "POST") return dispatch(options, handler);
    return true;
  });
  const { relay, clock, counted } = await start({ upstream: { dispatcher, requestTimeout: "200ms" } });
  expect(await post(relay, "[1]")).toMatchObject({ status: 202 });
  while ((counted.event_posts_failed ?? 0) < 1) {
    clock.advance(100);
    await turn();
  }
  hang = false;
  expect(await posts(relay, clock, 1)).toMatchObject([{ body: [1] }]);
});

test("a dispatcher that loses the question for the stream is asked again", async () => {
  let lost = 0;
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const dispatcher = agent.compose((dispatch) => (options: Dispatcher.DispatchOptions, handler) => {
    if (lost++ > 0) return dispatch(options, handler);
    return true;
  });
  const clock = createManualClock();
  const relay = await startRelay({
    options: { clock },
    reach: ({ roles }) => ({ ...roles, dispatcher, readTimeout: "500ms" }),
    wait: false,
  });
  let ready = false;
  void relay.relay.ready().then(() => {
    ready = true;
  });
  while (!ready || relay.relay.status().status !== "healthy") {
    clock.advance(10);
    await turn();
  }
});
