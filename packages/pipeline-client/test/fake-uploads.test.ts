import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { createFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

const api = "/apis/v2beta1";

function world() {
  const fake = createFakePipelineServer();
  const client = createPipelineClient({ host: "http://any", fetch: fake.fetch, retry: false });
  return { fake, client };
}

describe("an upload to the fake server", () => {
  const form = (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.set("uploadfile", new Blob([content]), name);
    return body;
  };
  const upload = async (path: string, body: FormData | string) => {
    const answer = await world().fake.fetch(`http://any${api}/pipelines/${path}`, { method: "POST", body });
    return [answer.status, await answer.text(), answer.headers.get("content-type")];
  };
  const told = (message: string) =>
    JSON.stringify({ error_message: message, error_details: `${message}\n<stack>` });
  const both = "Failed to create a pipeline and a pipeline version";

  test.each<readonly [path: string, body: FormData | string, status: number, message: string]>([
    ["upload", "x", 400, told("Failed to read pipeline from file")],
    ["upload_version", "x", 400, told("Failed to read pipeline version from file")],
    ["upload", form("p.txt", helloPipeline), 400, told("Failed to read a pipeline spec file")],
    [
      "upload",
      form("p.tar.gz", Uint8Array.of(0x1f, 0x8b, 8, 0)),
      400,
      told("Failed to read a pipeline spec file"),
    ],
    ["upload", form("p.yaml", "a: ["), 500, told(both)],
    ["upload_version", form("p.yaml", helloPipeline), 400, told("Failed to create a pipeline version")],
    ...["x".repeat(129), `${"é".repeat(64)}x`].map(
      (name) =>
        [
          `upload?name=${name}`,
          form("p.yaml", helloPipeline),
          400,
          "Invalid input error: Pipeline.Name length cannot exceed 128\n",
        ] as const,
    ),
  ])("of %s is refused: %s", async (path, body, status, text) => {
    expect(await upload(path, body)).toEqual([status, text, "text/plain; charset=utf-8"]);
  });

  test.each(["p.yaml", "p.yml", "p.json"])(
    "is called as its file where nothing is said: %s",
    async (name) => {
      const [status, text] = await upload(`upload`, form(name, helloPipeline));
      expect([status, JSON.parse(`${text}`)]).toMatchObject([200, { name, display_name: name }]);
      const [, shown] = await upload("upload?display_name=d", form(name, helloPipeline));
      expect(JSON.parse(`${shown}`)).toMatchObject({ name: "d", display_name: "d" });
    },
  );

  test("of a version has a name of 127 characters at most", async () => {
    const { client, fake } = world();
    const { pipeline } = await client.pipelines.upload(helloPipeline);
    const send = async (length: number) => {
      const query = `pipelineid=${pipeline.pipelineId}&name=${"x".repeat(length)}`;
      const url = `http://any${api}/pipelines/upload_version?${query}`;
      return (await fake.fetch(url, { method: "POST", body: form("p.yaml", helloPipeline) })).status;
    };
    expect([await send(127), await send(128)]).toEqual([200, 400]);
  });

  test("of a name that is taken is refused, and what there is stays", async () => {
    const { fake } = world();
    const send = async () => {
      const body = form("p.yaml", helloPipeline);
      const answer = await fake.fetch(`http://any${api}/pipelines/upload?name=n`, { method: "POST", body });
      return [answer.status, JSON.parse(await answer.text()).error_message];
    };
    expect([await send(), await send()]).toEqual([
      [200, undefined],
      [409, both],
    ]);
    expect([fake.store.pipelines.size, fake.store.versions.size]).toEqual([1, 1]);
  });
});
