import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

test("a fake server is not started at a port that is taken, or that there is not", async () => {
  const { url, close } = await startFakePipelineServer();
  onTestFinished(close);
  const port = Number(new URL(url).port);
  await expect(startFakePipelineServer({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  for (const wrong of [-1, 0.5, 65_536])
    await expect(startFakePipelineServer({ port: wrong })).rejects.toThrow(
      new TypeError("`port` is a whole number up to 65535"),
    );
});

test("a fake server ends with connections on which nothing more is asked", async () => {
  const { url, close } = await startFakePipelineServer();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  socket.write("GET /apis/v2beta1/healthz HTTP/1.1\r\n");
  await close();
  await ended;
  expect(socket.destroyed).toBe(true);
});

test("a run of a pipeline is one of its newest version", async () => {
  const { url, close } = await startFakePipelineServer({ prefix: "/pipeline" });
  onTestFinished(close);
  const client = createPipelineClient({ host: url });
  const { pipeline } = await client.pipelines.upload(helloPipeline);
  const id = { id: pipeline.pipelineId };
  const { pipelineVersionId } = await client.versions.upload(id, helloPipeline, { name: "second" });
  const answer = await fetch(`${url}/apis/v2beta1/runs`, {
    method: "POST",
    body: JSON.stringify({
      display_name: "r",
      pipeline_version_reference: { pipeline_id: pipeline.pipelineId },
    }),
  });
  expect(await answer.json()).toMatchObject({
    pipeline_version_reference: { pipeline_version_id: pipelineVersionId },
  });
});
