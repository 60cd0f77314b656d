import type { JsonObject } from "../wire/read-message.js";
import type { FakeStore } from "./fake-store.js";
import { invalid, refusal } from "./refusal.js";
import { specOfFile } from "./stored-spec.js";

/** Names of a thing: each stands in for the other, and another text for both. */
export function namesOf(
  { name, display_name }: Readonly<Record<string, unknown>>,
  other = "",
): { readonly name: string; readonly displayName: string } {
  const first = `${name ?? ""}`;
  const second = `${display_name ?? ""}`;
  return { name: first || second || other, displayName: second || first || other };
}

/** The address in the package of a request. */
export function urlOf(packageUrl: unknown): string {
  const url = packageUrl instanceof Object && "pipeline_url" in packageUrl ? packageUrl.pipeline_url : "";
  return `${url ?? ""}`;
}

export const fileNameOf = (url: string): string => url.split("/").at(-1) ?? "";

/** The specification that is at an address. */
export async function specAt(store: FakeStore, url: string): Promise<JsonObject> {
  if (!/^https?:\/\/[^/]+\//.test(url))
    throw invalid("Failed to create a pipeline", `invalid pipeline spec URL: ${url}`);
  const found = specOfFile(await store.fetchFile(url));
  if ("spec" in found) return found.spec;
  throw refusal(
    13,
    `Failed to create a pipeline: InternalServerError: ${found.reason}: pipeline spec is invalid`,
  );
}
