import { once } from "node:events";
import { connect } from "node:net";
import { createRelay } from "@wye/relay";
import { createFakeUpstream } from "@wye/relay/testing";
import { expect, test } from "vitest";
import { createApp } from "./app.js";

test("the application answers its paths, the relay the others", async () => {
  const flags = { a: { key: "a", version: 1, on: false, variations: [true, false], offVariation: 1 } };
  const upstream = await createFakeUpstream({ environments: { "sdk-1": { flags } } });
  const relay = createRelay({
    upstream: upstream.roles,
    environments: { production: { sdkKey: "sdk-1", envId: "env-1" } },
  });
  await relay.ready();
  const app = await createApp(relay);
  const url = await app.listen(0);

  expect(await (await fetch(`${url}/hello`)).text()).toBe("hello");
  expect((await fetch(`${url}/nope`)).status).toBe(404);
  expect(await (await fetch(`${url}/status`)).json()).toMatchObject({ status: "healthy" });
  const evaluated = await fetch(`${url}/sdk/evalx/env-1/context`, {
    method: "REPORT",
    headers: { "content-type": "application/json", origin: "https://shop.example" },
    body: '{"kind":"user","key":"alice"}',
  });
  expect(await evaluated.json()).toEqual({});
  expect(evaluated.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  const posted = await fetch(`${url}/bulk`, {
    method: "POST",
    headers: { authorization: "sdk-1" },
    body: '[{"kind":"x"}]',
  });
  expect(posted.status).toBe(202);

  // Somebody who never asks anything keeps nothing alive.
  const { hostname, port } = new URL(url);
  const silent = connect(Number(port), hostname);
  await once(silent, "connect");
  const ended = once(silent, "close");
  await Promise.all([app.close(), relay.close()]);
  await ended;
  expect((await upstream.takePosts())[0]?.body).toEqual([{ kind: "x" }]);
  await upstream.close();
});
