import { isObject } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { bodyOf, contentTypeOf, type Exchange, type FormPart, recordings } from "./exchanges.js";
import { helloPipeline, worldOf } from "./recorded-world.js";

// The fake server is asked what the real one was asked, and has to answer the same: 486 exchanges.

/** Where it may answer something else, and why. */
const allowed: Readonly<Record<string, { readonly why: string; readonly at: RegExp }>> = {
  "paths 10": { why: "version 1 of the API is not served", at: /./ },
  "paths 11": {
    why: "the other runs of that server are in no recording",
    at: /^\.(total_size|next_page_token)/,
  },
  "run-create-errors 11": {
    why: "which parameter is named first is chance there",
    at: /parameter \w is not optional/,
  },
  "run-create-errors 12": {
    why: "which parameter is named first is chance there",
    at: /parameter \w is not optional/,
  },
  "sorting 14": {
    why: "no workflow is compiled, by which runs could be sorted",
    at: /^\.(runs|next_page_token)/,
  },
};

for (const recording of recordings) {
  if (!recording.server.startsWith("Kubeflow Pipelines API server")) continue;
  describe(recording.id, () => {
    const { fake, prepare } = worldOf(recording);
    const aliases = new Map<string, string>();
    for (const [index, exchange] of recording.exchanges.entries()) {
      test(`${index} ${exchange.step}`, async () => {
        prepare(exchange);
        const { status, text } = await ask(fake.fetch, exchange);
        const { response } = exchange;
        const given = exchange.request.method === "HEAD" ? "" : text;
        const found = differences(response.text ?? response.body ?? "", parsed(given), "", aliases);
        const all = [...(status === response.status ? [] : [`status ${status}`]), ...found];
        const exception = allowed[`${recording.id} ${index}`];
        expect(all.filter((one) => exception?.at.test(one) !== true)).toEqual([]);
        // An exception that is not needed any more has to go.
        expect(all.length > 0).toBe(exception !== undefined);
      });
    }
  });
}

async function ask(fetch: (url: string, init: RequestInit) => Promise<Response>, { request }: Exchange) {
  const form = request.form?.map(withFile);
  const body = bodyOf(form === undefined ? request : { ...request, form }, printLikePython);
  const query = request.query === undefined ? "" : `?${request.query}`;
  const response = await fetch(`http://any${request.path}${query}`, {
    method: request.method,
    headers: { ...request.headers, ...(body && { "content-type": contentTypeOf(request) }) },
    ...(body && request.method !== "GET" && { body: new Uint8Array(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Files that were too large for the recordings. */
function withFile(part: FormPart): FormPart {
  if (part.text === "<hello_pipeline.yaml>") return { ...part, text: helloPipeline };
  if (!part.text?.startsWith("<hello_pipeline.yaml with a comment")) return part;
  return { ...part, text: `${helloPipeline}\n#${"x".repeat(33 * 1024 * 1024)}` };
}

/** Places in messages are those of the text that was sent. */
function printLikePython(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLikePython).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${printLikePython(one)}`,
  );
  return `{${members.join(", ")}}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What differs, place by place. `<spec>` and `<stack>` stand for anything; ids of tasks have to be the same ones each time. */
function differences(
  want: unknown,
  got: unknown,
  path: string,
  aliases: Map<string, string>,
): readonly string[] {
  if (want === "<spec>" && got !== undefined) return [];
  if (path.endsWith(".task_id") && typeof got === "string") {
    const known = aliases.get(got) ?? want;
    aliases.set(got, `${known}`);
    return known === want ? [] : [`${path}: another task`];
  }
  if (path.endsWith(".next_page_token")) return differences(tokenOf(want), tokenOf(got), `${path}:`, aliases);
  if (Array.isArray(want) && Array.isArray(got)) {
    const length = Math.max(want.length, got.length);
    return Array.from({ length }, (_, i) => differences(want[i], got[i], `${path}[${i}]`, aliases)).flat();
  }
  if (isObject(want) && isObject(got)) {
    const names = new Set([...Object.keys(want), ...Object.keys(got)]);
    return [...names].flatMap((name) => differences(want[name], got[name], `${path}.${name}`, aliases));
  }
  return want === got ? [] : [`${path}: ${show(got)} instead of ${show(want)}`];
}

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 400);

function tokenOf(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(Buffer.from(value, "base64").toString()) : value;
}
