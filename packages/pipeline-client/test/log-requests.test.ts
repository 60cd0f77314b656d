import { describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";

/** A client whose requests are kept; each is answered with this text. */
function world(text: string, namespace?: string) {
  const asked: string[] = [];
  const client = createPipelineClient({
    host: "http://kfp.example/pipeline",
    ...(namespace !== undefined && { namespace }),
    fetch: async (url, { method }) => {
      asked.push(`${method} ${url.replace("http://kfp.example", "")}`);
      return new Response(text);
    },
  });
  return { asked, log: client.runs.log };
}

describe("a log is asked for", () => {
  const pods = "GET /pipeline/k8s/pod/logs?podname=a%2Fb&runid=r%2F1";
  test.each([
    ["that of a pod", undefined, { podName: "a/b" }, pods],
    [
      "that of a pod in the namespace of the client",
      "team a",
      { podName: "a/b" },
      `${pods}&podnamespace=team%20a`,
    ],
    [
      "that of a pod in another namespace",
      "team",
      { podName: "a/b", podNamespace: "other" },
      `${pods}&podnamespace=other`,
    ],
    [
      "that of a pod in a namespace, of a client without one",
      undefined,
      { podName: "a/b", podNamespace: "other" },
      `${pods}&podnamespace=other`,
    ],
    [
      "that of a node, whatever the namespace",
      "team",
      { nodeId: "n/1" },
      "GET /pipeline/apis/v1alpha1/runs/r%2F1/nodes/n%2F1/log",
    ],
  ])("%s", async (_, namespace, source, request) => {
    const { asked, log } = world("line 1\nline 2\n", namespace);
    expect(await log({ id: "r/1" }, source)).toBe("line 1\nline 2\n");
    expect(asked).toEqual([request]);
  });
});
