import { readFileSync } from "node:fs";
import { validatePipeline } from "@wye/pipeline-validator";
import { expect, test, vi } from "vitest";
import type { CheckAnswer, CheckRequest } from "./check-messages.js";
import { serveChecks } from "./serve-checks.js";

function startService() {
  const answers: CheckAnswer[] = [];
  let listener: (event: MessageEvent<CheckRequest>) => void = () => {};
  serveChecks({
    addEventListener: (_, given) => {
      listener = given;
    },
    postMessage: (answer) => {
      // What cannot be sent to another thread fails here as it would there.
      answers.push(structuredClone(answer));
    },
  });
  const ask = (id: number, text: string, profile: "kfp" | "spec" = "kfp", wantsSarif = false): void =>
    listener(new MessageEvent("message", { data: { id, text, profile, wantsSarif } }));
  return { answers, ask };
}

const text = readFileSync(new URL("../../data/training-with-mistakes.yaml", import.meta.url), "utf8");
const kinds = (answers: readonly CheckAnswer[]): readonly string[] =>
  answers.map(({ id, kind }) => `${kind} ${id}`);

test("a text is answered with its problems and then with its graph", async () => {
  const { answers, ask } = startService();
  ask(1, text);
  await vi.waitFor(() => expect(kinds(answers)).toEqual(["report 1", "graph 1"]));
  const report = validatePipeline(text);
  expect(answers[0]).toMatchObject({ id: 1, kind: "report", report });
  expect(answers[1]).toMatchObject({ graph: { state: "drawn", name: "training", tasks: 8 } });
});

test("with each problem goes what to put in its place, and where its rule is explained", async () => {
  const { answers, ask } = startService();
  ask(1, text);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  const [answer] = answers;
  if (answer?.kind !== "report") throw new Error("the first answer is the report");
  const { report, aids } = answer;
  expect(aids).toHaveLength(report.problems.length);
  const place = report.problems.findIndex(({ code }) => code === "component-unknown");
  const { fix, help } = aids[place] ?? {};
  expect(text.slice(fix?.from, fix?.to)).toBe("comp-splitt");
  expect(fix?.text).toBe("comp-split");
  expect(help).toContain("component-unknown");
});

test("whoever wants SARIF gets it before the graph", async () => {
  const { answers, ask } = startService();
  ask(1, text, "kfp", true);
  await vi.waitFor(() => expect(kinds(answers)).toEqual(["report 1", "sarif 1", "graph 1"]));
  expect(answers[1]).toMatchObject({
    log: { version: "2.1.0", runs: [{ tool: { driver: { name: "wye" } } }] },
  });
});

test("a newer text takes the place of one that waits, and of a graph that is not drawn yet", async () => {
  const { answers, ask } = startService();
  for (let id = 1; id <= 5; id++) ask(id, text, "spec");
  await vi.waitFor(() => expect(kinds(answers)).toEqual(["report 1", "report 5", "graph 5"]));
  ask(6, "{");
  await vi.waitFor(() =>
    expect(answers.at(-1)).toEqual({ id: 6, kind: "graph", graph: { state: "unreadable" } }),
  );
});
