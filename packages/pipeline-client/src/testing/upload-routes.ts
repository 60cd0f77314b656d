import { unpackPipeline } from "@wye/pipeline-spec";
import type { JsonObject } from "../wire/read-message.js";
import { type AccessReview, checkAccess } from "./access.js";
import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { insertPipeline, insertVersion, withinLength } from "./insert-pipelines.js";
import { printPipelineRow, printVersion } from "./print-rows.js";
import { Refusal, uploadRefusal } from "./refusal.js";
import { specOfFile } from "./stored-spec.js";
import { type UploadedFile, uploadedFile } from "./upload-form.js";

const pipelineFailure = "Failed to create a pipeline and a pipeline version";
const versionFailure = "Failed to create a pipeline version";
const mostBytes = 33_554_432;

/** Uploads: they say that something is wrong, and keep the reason for themselves. */
export function uploadRoutes(store: FakeStore, review: AccessReview): readonly Route[] {
  async function upload(request: FakeRequest): Promise<unknown> {
    const file = uploadedFile(request);
    if (file === undefined) throw uploadRefusal(400, "Failed to read pipeline from file");
    const bytes = await unpacked(file);
    const { query } = request;
    const { name, displayName } = namesOf(query, file.name);
    const namespace = store.isMultiUser ? (query.get("namespace") ?? "") : "";
    withinLength("Pipeline.Name", name, 128, plainRefusal);
    permit(request, namespace, "Failed to create a pipeline");
    const spec = readSpec(bytes, pipelineFailure);
    const description = query.get("description") ?? "";
    const row = quietly(pipelineFailure, () =>
      insertPipeline(store, { name, displayName, description, namespace }),
    );
    insertVersion(store, {
      pipelineId: row.id,
      name,
      displayName,
      description,
      codeSourceUrl: "",
      packageUrl: "",
      spec,
    });
    return printPipelineRow(row);
  }

  async function uploadVersion(request: FakeRequest): Promise<unknown> {
    const file = uploadedFile(request);
    if (file === undefined) throw uploadRefusal(400, "Failed to read pipeline version from file");
    const bytes = await unpacked(file);
    const { query } = request;
    const pipelineId = query.get("pipelineid") ?? "";
    const pipeline = store.pipelines.get(pipelineId);
    if (pipeline === undefined) throw uploadRefusal(400, versionFailure);
    const { name, displayName } = namesOf(query, file.name);
    withinLength("PipelineVersion.Name", name, 127, plainRefusal);
    permit(request, pipeline.namespace, versionFailure);
    const spec = readSpec(bytes, versionFailure);
    const [description, codeSourceUrl] = [query.get("description") ?? "", query.get("code_source_url") ?? ""];
    const row = { pipelineId, name, displayName, description, codeSourceUrl, packageUrl: "", spec };
    return printVersion(quietly(versionFailure, () => insertVersion(store, row)));
  }

  /** Who may not gets 400 here. Shared pipelines are open to everybody. */
  function permit(request: FakeRequest, namespace: string, failure: string): void {
    if (namespace === "") return;
    try {
      checkAccess(store, review, request, { namespace, resource: "pipelines", verb: "create", wrapping: "" });
    } catch {
      throw uploadRefusal(400, failure);
    }
  }

  return ["GET", "POST", "PUT"].flatMap((method) => [
    { method, pattern: /^\/pipelines\/upload$/, handle: upload },
    { method, pattern: /^\/pipelines\/upload_version$/, handle: uploadVersion },
  ]);
}

const plainRefusal = (reason: string): Refusal =>
  new Refusal(400, `Invalid input error: ${reason}\n`, "text/plain; charset=utf-8");

async function unpacked({ name, bytes }: UploadedFile): Promise<Uint8Array> {
  const failure = "Failed to read a pipeline spec file";
  const isArchive = /\.(zip|tar\.gz)$/.test(name);
  if (!isArchive && !/\.(yaml|yml|json)$/.test(name)) throw uploadRefusal(400, failure);
  const result = isArchive ? await unpackPipeline(bytes) : { ok: true as const, bytes };
  if (!result.ok || result.bytes.length > mostBytes) throw uploadRefusal(400, failure);
  return result.bytes;
}

function readSpec(bytes: Uint8Array, failure: string): JsonObject {
  const found = specOfFile(bytes);
  if ("spec" in found) return found.spec;
  throw uploadRefusal(500, failure);
}

/** The status of a refusal, without what it says. */
function quietly<T>(failure: string, insert: () => T): T {
  try {
    return insert();
  } catch (error) {
    throw error instanceof Refusal ? uploadRefusal(error.status, failure) : error;
  }
}

function namesOf(query: URLSearchParams, fileName: string) {
  const name = query.get("name") ?? "";
  const displayName = query.get("display_name") ?? "";
  return { name: name || displayName || fileName, displayName: displayName || name || fileName };
}
