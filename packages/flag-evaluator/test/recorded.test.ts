import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Audience, compileFlags, contextFromBase64, type FlagData, parseContext } from "../src/index.js";

// What the reference relay answered; testdata/README.md describes the files.

interface Recording {
  readonly config: { readonly environments: Readonly<Record<string, { readonly sdkKey: string }>> };
  readonly upstream: { readonly envs: Readonly<Record<string, { readonly data: FlagData }>> };
  readonly steps: readonly {
    readonly request: Request;
    readonly response: { readonly status: number; readonly json: object };
  }[];
}

interface Request {
  readonly path: string;
  readonly body?: object;
}

type Results = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

for (const { name, flags, evaluations } of [
  { name: "evaluation", flags: 29, evaluations: 63 },
  { name: "generated-a", flags: 60, evaluations: 50 },
]) {
  const recording: Recording = JSON.parse(
    readFileSync(`${import.meta.dirname}/../testdata/${name}.json`, "utf8"),
  );
  const { sdkKey = "" } = recording.config.environments.prod ?? {};
  const evaluator = compileFlags(recording.upstream.envs[sdkKey]?.data ?? {});

  test(`${name}: there is something to compare`, () => {
    expect(evaluator.problems).toEqual([]);
    expect(evaluator.items("flags").filter(({ deleted }) => !deleted)).toHaveLength(flags);
    expect(recording.steps).toHaveLength(evaluations);
  });

  for (const [step, { request, response }] of recording.steps.entries()) {
    const { context, audience, withReasons } = readRequest(request);
    test(`${name}: request ${step}, ${audience}${withReasons ? " with reasons" : ""}`, () => {
      expect(response.status).toBe(200);
      const actual: Results = JSON.parse(evaluator.evaluateAll(context, { audience, withReasons }));
      expect(actual).toEqual(response.json);
      expect(memberOrders(actual)).toEqual(memberOrders(response.json as Results));
    });
  }
}

/** The order of members in each result and in each reason; the order of flags and in values is random in the reference. */
function memberOrders(results: Results): unknown {
  return Object.fromEntries(
    Object.entries(results).map(([key, result]) => [
      key,
      [Object.keys(result), Object.keys(result.reason ?? {})],
    ]),
  );
}

function readRequest({ path, body }: Request) {
  const { pathname, searchParams } = new URL(path, "http://relay");
  const result =
    body === undefined
      ? contextFromBase64(pathname.split("/").at(-1) ?? "")
      : parseContext(JSON.stringify(body));
  if (!result.ok) throw new Error(result.message);
  const audience: Audience = pathname.startsWith("/msdk/")
    ? "mobile"
    : /^\/sdk\/evalx\/[0-9a-f]{24}\//.test(pathname)
      ? "browser"
      : "server";
  return { context: result.context, audience, withReasons: searchParams.get("withReasons") === "true" };
}
