import { isObject } from "@wye/pipeline-spec";
import { PipelineClientError } from "../client-error.js";
import type { ClientContext } from "../context.js";
import { decodeBase64 } from "../decode-base64.js";
import { type ApiRequest, pathSegment } from "../http/api-request.js";
import { readAnswer } from "../http/read-answer.js";
import { serverMessageOf } from "../http/server-message.js";
import type { Call } from "../http/session.js";
import type { LogSource } from "./runs-api.js";

/** Reads what a step has printed. */
export async function readLog(
  { session, namespace }: ClientContext,
  runId: string,
  source: LogSource,
  call: Call,
): Promise<string> {
  checkSource(source);
  const request: ApiRequest =
    "nodeId" in source
      ? {
          method: "GET",
          // The only call of an older version of the API that has no younger one.
          path: `/apis/v1alpha1/runs/${pathSegment(runId)}/nodes/${pathSegment(source.nodeId)}/log`,
          isRepeatable: true,
        }
      : {
          method: "GET",
          path: "/k8s/pod/logs",
          query: [
            ["podname", source.podName],
            ["runid", runId],
            ["podnamespace", source.podNamespace ?? namespace],
          ],
          isRepeatable: true,
        };
  const { bytes } = await session.send(request, call);
  const text = new TextDecoder().decode(bytes);
  throwIfFailure(text);
  return text;
}

function checkSource(source: unknown): void {
  const { nodeId, podName }: Partial<Record<string, unknown>> = isObject(source) ? source : {};
  const name = nodeId ?? podName;
  if (typeof name === "string" && name !== "") return;
  throw new TypeError("a log is that of a node, `{ nodeId }`, or of a pod, `{ podName }`");
}

/** Logs that cannot be had are answered with 200 and an object that says so. */
function throwIfFailure(text: string): void {
  if (!text.startsWith('{"error_message"')) return;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // A log that only begins like one.
    return;
  }
  if (!isObject(body) || typeof body.error_message !== "string" || !("error_details" in body)) return;
  const { reason, message } = serverMessageOf(text);
  const code = /not ?found/i.test(reason) ? "not_found" : "bad_request";
  throw new PipelineClientError(`the log cannot be had: ${reason}`, {
    code,
    status: 200,
    serverMessage: message,
  });
}

/** Reads an artifact of the workflow engine, which comes as base64. */
export async function readArtifact(
  { session }: ClientContext,
  runPath: string,
  nodeId: string,
  name: string,
  call: Call,
): Promise<Uint8Array> {
  const path = `${runPath}/nodes/${pathSegment(nodeId)}/artifacts/${pathSegment(name)}:read`;
  const request: ApiRequest = { method: "GET", path, isRepeatable: true };
  const answer = await session.send(request, call);
  const { data } = readAnswer(session, request, answer);
  // An empty artifact has no data.
  if (data === undefined) return new Uint8Array();
  try {
    return decodeBase64(`${data}`);
  } catch (cause) {
    throw session.unusable(request, "the data of the artifact are not base64", answer.redactor, cause);
  }
}
