import { expect, test } from "vitest";
import type { Change } from "../change.js";
import { silentLogger } from "../logger.js";
import { createItemsSource } from "./items-source.js";
import type { SourceContext } from "./source.js";

const change = (state: string): Change => ({ extent: "full", items: [], selector: { state, version: 1 } });

/** An environment that takes what a source gives, or refuses it, and what it has heard. */
function environment(refusal?: Error) {
  const heard: string[] = [];
  const sink: SourceContext["sink"] = {
    async apply({ selector }) {
      heard.push(`apply ${selector?.state}`);
      if (refusal !== undefined) throw refusal;
    },
    interrupted: (kind, message) => void heard.push(`interrupted ${kind} ${message}`),
    refused: (kind, message) => void heard.push(`refused ${kind} ${message}`),
  };
  const logger = { ...silentLogger, error: (message: string) => void heard.push(`error ${message}`) };
  // No more of it is used.
  return { heard, context: { sink, logger } as SourceContext };
}

test("what is at hand reaches who is there and who comes, and nobody who has gone", async () => {
  const { source, replace } = createItemsSource(change("a"));
  const [early, gone, late] = [environment(), environment(), environment()];
  source(early.context);
  source(gone.context).close();
  await replace(change("b"));
  source(late.context);
  expect([early.heard, gone.heard, late.heard]).toEqual([["apply a", "apply b"], ["apply a"], ["apply b"]]);
});

test("who comes while others are still taking new flags gets them as well", async () => {
  const { source, replace } = createItemsSource(change("a"));
  const [slow, late] = [environment(), environment()];
  let taken = () => {};
  const apply = () =>
    new Promise<void>((resolve) => {
      taken = resolve;
    });
  source({ ...slow.context, sink: { ...slow.context.sink, apply } });
  const replaced = replace(change("b"));
  source(late.context);
  expect(late.heard).toEqual(["apply b"]);
  taken();
  await replaced;
});

test("who comes after somebody has refused new flags gets them nevertheless", async () => {
  const { source, replace } = createItemsSource(change("a"));
  const late = environment();
  source(environment(new Error("no flags")).context);
  await expect(replace(change("b"))).rejects.toThrow("no flags");
  source(late.context);
  expect(late.heard).toEqual(["apply b"]);
});

test("whoever refuses new flags, or takes long, keeps them from nobody else", async () => {
  const { source, replace } = createItemsSource(change("a"));
  const [refusing, slow, last] = [environment(new Error("no flags")), environment(), environment()];
  let taken = () => {};
  source(refusing.context);
  const apply = () => new Promise<void>((resolve) => (taken = resolve));
  source({ ...slow.context, sink: { ...slow.context.sink, apply } });
  source(last.context);
  const replaced = replace(change("b"));
  expect(last.heard).toEqual(["apply a", "apply b"]);
  taken();
  await expect(replaced).rejects.toThrow("no flags");
});

test("without a first set an environment waits for one", async () => {
  const { source, replace } = createItemsSource();
  const { heard, context } = environment();
  source(context);
  expect(heard).toEqual([]);
  await replace(change("a"));
  expect(heard).toEqual(["apply a"]);
});

test("flags that an environment cannot use are told there, and whoever replaces them hears of it", async () => {
  const { source, replace } = createItemsSource(change("a"));
  const { heard, context } = environment(new Error("no flags"));
  source(context);
  await expect
    .poll(() => heard)
    .toEqual(["apply a", "error the flags cannot be used: no flags", "interrupted INVALID_DATA no flags"]);
  await expect(replace(change("b"))).rejects.toThrow("no flags");
});
