import { describe, expect, test } from "vitest";
import { makeVertexJob, type VertexJobOptions } from "../src/vertex/index.js";
import { helloPipeline } from "./recorded-world.js";

const job = (options: Partial<VertexJobOptions>, now?: Date) =>
  makeVertexJob({ file: helloPipeline, pipelineRoot: "gs://b", ...options }, now);

/** The problems of a job; none of a right one. */
async function problemsOf(options: Partial<VertexJobOptions>): Promise<unknown> {
  try {
    await job(options);
    return [];
  } catch (error) {
    const { problems } = error as { readonly problems: readonly Record<string, unknown>[] };
    return problems.map(({ code, path, message, hint }) => [code, path, message, hint]);
  }
}

const id = (jobId: string) => [
  "job-id",
  "/jobId",
  `${JSON.stringify(jobId)} is no id of a job`,
  "an id begins with a lower-case letter and has lower-case letters, digits and dashes, 127 at most",
];
const label = (path: string, shown: string) => [
  "label",
  `/labels/${path}`,
  `${JSON.stringify(shown)} is no label`,
  "64 characters at most: letters without capitals, digits, `_` and `-`",
];
const name = ["display-name", "/displayName", "a display name has 1 to 128 characters", undefined];
const labels = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, "x"]));

describe("a job of Vertex AI may have", () => {
  test.each<Partial<VertexJobOptions>>([
    { jobId: "a" },
    { jobId: "a-0-" },
    { jobId: `a${"0".repeat(126)}` },
    { displayName: "x" },
    { displayName: "😀".repeat(128) },
    { labels: {} },
    { labels: labels(64) },
    { labels: { ["k".repeat(64)]: "v".repeat(64) } },
    { labels: { "ü_-0": "" } },
    { labels: { 名: "前", ª: "٣", ʰ: "e\u0301" } },
    { labels: { ["𐐨".repeat(64)]: "𐐨".repeat(64) } },
  ])("%j", async (options) => expect(await problemsOf(options)).toEqual([]));
});

describe("a job of Vertex AI may not have", () => {
  test.each<[options: object, ...problems: unknown[]]>([
    ...["", "A", "0a", "-a", "a_b", "a b", `a${"0".repeat(127)}`].map((jobId): [object, unknown] => [
      { jobId },
      id(jobId),
    ]),
    [{ displayName: "" }, name],
    [{ displayName: "😀".repeat(129) }, name],
    [{ labels: labels(65) }, ["label", "/labels", "there are more than 64 labels", undefined]],
    [
      { labels: { "vertex-ai-pipelines-run-billing-id": "x" } },
      [
        "label",
        "/labels/vertex-ai-pipelines-run-billing-id",
        "the label vertex-ai-pipelines-run-billing-id is reserved",
        undefined,
      ],
    ],
    [{ labels: { "": "x" } }, label("", ": x")],
    [{ labels: { A: "x" } }, label("A", "A: x")],
    [{ labels: { "a/~b": "x" } }, label("a~1~0b", "a/~b: x")],
    [{ labels: { ["k".repeat(65)]: "x" } }, label("k".repeat(65), `${"k".repeat(65)}: x`)],
    [{ labels: { a: "v".repeat(65) } }, label("a", `a: ${"v".repeat(65)}`)],
    [{ labels: { a: "X" } }, label("a", "a: X")],
    [{ labels: { a: "x y" } }, label("a", "a: x y")],
    [{ labels: { a: 5 } }, label("a", "a: 5")],
    [{ jobId: "A", displayName: "", labels: { A: "x" } }, id("A"), name, label("A", "A: x")],
  ])("%j", async (options, ...problems) => expect(await problemsOf(options)).toEqual(problems));
});

describe("the id of a job that is given none is made of its name and the time:", () => {
  const now = new Date("2026-01-02T03:04:05.678Z");
  test.each([
    ["hello", "hello"],
    ["Hello, World!", "hello-world"],
    ["-1 a--b-", "a--b"],
    ["123", "pipeline"],
    ["ä", "pipeline"],
    ["x".repeat(101), "x".repeat(100)],
    [`${"x".repeat(99)}-y`, "x".repeat(99)],
  ])("%s", async (written, start) => {
    const file = helloPipeline.replace(/(pipelineInfo:\n\s+name: ).*/, `$1${JSON.stringify(written)}`);
    const { jobId } = await job({ file, validate: false }, now);
    expect(jobId).toMatch(new RegExp(`^${start}-20260102030405-[0-9a-f]{6}$`));
  });

  test("two of one second are two", async () => {
    const [one, other] = [await job({}, now), await job({}, now)];
    expect(one.jobId).not.toBe(other.jobId);
  });
});
