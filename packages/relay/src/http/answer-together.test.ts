import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { answerTogether } from "./answer-together.js";

/** Asks for answers of these sizes in one turn; tells what was done, in order. */
async function answer(sizes: readonly number[]): Promise<string[]> {
  const done: string[] = [];
  const one = (bytes: number, index: number) =>
    answerTogether(() => {
      done.push(`make ${index}`);
      return { bytes, send: () => void done.push(`send ${index}`) };
    });
  const all = Promise.all(sizes.map(one));
  expect(done).toEqual([]);
  await all;
  return done;
}

test("answers that are asked for in one turn are all made before they are sent, in their order", async () => {
  expect(await answer([10, 10, 10])).toEqual(["make 0", "make 1", "make 2", "send 0", "send 1", "send 2"]);
});

test("what is large is sent before more is made", async () => {
  expect(await answer([160_000, 160_000, 400_000, 10])).toEqual([
    ...["make 0", "make 1", "send 0", "send 1"],
    ...["make 2", "send 2"],
    ...["make 3", "send 3"],
  ]);
});

test.each([
  { bytes: 256 * 1024, next: ["send 0", "make 1", "send 1"] },
  { bytes: 256 * 1024 - 1, next: ["make 1", "send 0", "send 1"] },
])("after $bytes bytes: $next", async ({ bytes, next }) => {
  expect(await answer([bytes, 1])).toEqual(["make 0", ...next]);
});

test("what a large answer has left for the next tick is done before more is made", async () => {
  const done: string[] = [];
  await Promise.all(
    [256 * 1024, 1].map((bytes, index) =>
      answerTogether(() => {
        done.push(`make ${index}`);
        return { bytes, send: () => process.nextTick(() => done.push(`tick ${index}`)) };
      }),
    ),
  );
  expect(done.slice(0, 3)).toEqual(["make 0", "tick 0", "make 1"]);
});

test("one that fails, and one that is answered otherwise, keep nobody from the others", async () => {
  const sent: number[] = [];
  const fails = (message: string) => () => {
    throw new Error(message);
  };
  const outcomes = await Promise.allSettled([
    answerTogether(fails("cannot be made")),
    answerTogether(() => ({ bytes: 1, send: fails("cannot be sent") })),
    answerTogether(() => undefined),
    answerTogether(() => ({ bytes: 1, send: () => void sent.push(3) })),
  ]);
  expect(outcomes).toMatchObject([
    { status: "rejected", reason: { message: "cannot be made" } },
    { status: "rejected", reason: { message: "cannot be sent" } },
    { status: "fulfilled" },
    { status: "fulfilled" },
  ]);
  expect(sent).toEqual([3]);
});

test("what is asked for while others are answered has its turn afterwards", async () => {
  const order: string[] = [];
  let second: Promise<void> | undefined;
  await answerTogether(() => {
    second = answerTogether(() => ({ bytes: 1, send: () => void order.push("second") }));
    return { bytes: 1, send: () => void order.push("first") };
  });
  await second;
  expect(order).toEqual(["first", "second"]);
});

test("each answer is made and sent where its request is, also when large ones are before it", async () => {
  const request = new AsyncLocalStorage<number>();
  const seen: string[] = [];
  const answers = [1, 2, 3, 4].map((n) =>
    request.run(n, () =>
      answerTogether(() => {
        seen.push(`${n} made in ${request.getStore()}`);
        return { bytes: 160_000, send: () => void seen.push(`${n} sent in ${request.getStore()}`) };
      }),
    ),
  );
  await Promise.all(answers);
  expect(seen.toSorted()).toEqual([1, 2, 3, 4].flatMap((n) => [`${n} made in ${n}`, `${n} sent in ${n}`]));
});
