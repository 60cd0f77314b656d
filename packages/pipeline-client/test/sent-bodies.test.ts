import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createVertexClient, type VertexClient } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";
import { everything, first } from "./sent-for.js";
import { SkippingClock } from "./skipping-clock.js";

const api = "/apis/v2beta1";

test("an upload says what it is in its query, and sends the file as a form", async () => {
  const sent: { url: string; type: unknown; body: string; accept: unknown }[] = [];
  const client = createPipelineClient({
    host: "http://kfp.example",
    clock: new SkippingClock(),
    fetch: async (url, { headers, body }) => {
      const { accept, "content-type": type } = headers as Record<string, string>;
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
      sent.push({ url: decodeURIComponent(url), type, body: text, accept });
      return Response.json({ ...everything, pipeline_versions: [everything] });
    },
  });
  const labels = { name: "n", displayName: "d", description: "x", codeSourceUrl: "c", tags: { aB: "1" } };
  await client.versions.upload({ id: "p" }, helloPipeline, labels);
  await client.pipelines.upload(helloPipeline, { ...labels, namespace: "ns" });
  await client.pipelines.upload(helloPipeline, { ...labels, namespace: "" });
  const query = 'name=n&display_name=d&description=x&code_source_url=c&tags={"aB":"1"}';
  expect(sent.map(({ url }) => url.replace(`http://kfp.example${api}/pipelines`, ""))).toEqual([
    `/upload_version?${query}&pipelineid=p`,
    `/upload?${query}&namespace=ns`,
    "/p/versions?page_size=1&sort_by=created_at desc",
    `/upload?${query}`,
    "/p/versions?page_size=1&sort_by=created_at desc",
  ]);
  for (const { type, body, accept } of sent.slice(0, 2)) {
    const boundary = /^multipart\/form-data; boundary=(wye-[0-9a-z]+-0)$/.exec(`${type}`)?.[1];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="uploadfile"; filename="pipeline.yaml"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    expect([body, accept]).toEqual([`${head}${helloPipeline}\r\n--${boundary}--\r\n`, "application/json"]);
  }
  expect([sent[2]?.type, sent[2]?.body]).toEqual([undefined, ""]);
});

test.each(["", ".", ".."])("no run is started with the id %j", async (runId) => {
  const methods: unknown[] = [];
  const fetch = async (_: string, { method }: RequestInit) => {
    methods.push(method);
    return Response.json(everything);
  };
  const { runs } = createPipelineClient({ host: "http://kfp.example", clock: new SkippingClock(), fetch });
  const pipeline = { id: "p" };
  await expect(runs.create({ pipeline, version: { id: "v" }, runId })).rejects.toThrow(TypeError);
  expect(methods).not.toContain("POST");
});

describe("a call of Vertex AI is sent as", () => {
  const parent = "/v1/projects/my project/locations/europe-west4";
  test.each<
    readonly [
      name: string,
      call: (client: VertexClient) => unknown,
      request: string,
      body: string | undefined,
    ]
  >([
    ["get", (c) => c.get("j"), `GET ${parent}/pipelineJobs/j`, undefined],
    ["cancel", (c) => c.cancel("j"), `POST ${parent}/pipelineJobs/j:cancel`, "{}"],
    ["delete", (c) => c.delete("j"), `DELETE ${parent}/pipelineJobs/j`, undefined],
    ["list", (c) => first(c.list()), `GET ${parent}/pipelineJobs?pageSize=50`, undefined],
    [
      "list with all there is",
      (c) => first(c.list({ filter: "f", orderBy: "o", pageSize: 7, pageToken: "t" })),
      `GET ${parent}/pipelineJobs?filter=f&pageSize=7&pageToken=t&orderBy=o`,
      undefined,
    ],
  ])("%s", async (_, call, request, body) => {
    const sent: unknown[] = [];
    const client = createVertexClient({
      ...{ project: "my project", location: "europe-west4", token: "t", clock: new SkippingClock() },
      fetch: async (url, init) => {
        const { host, pathname, search } = new URL(url);
        sent.push([host, `${init.method} ${decodeURIComponent(pathname + search)}`, init.body]);
        return Response.json({ name: "j", pipelineJobs: [] });
      },
    });
    await call(client);
    expect(sent).toEqual([["europe-west4-aiplatform.googleapis.com", request, body]]);
  });
});
