import { describe, expect, test } from "vitest";
import { keys, startRelay } from "./start-relay.js";

/** What a program without types may pass. */
const rubbish: readonly unknown[] = [null, 5, "1h", true, [], () => {}];

interface Call {
  readonly call: string;
  readonly run: (environments: AnyCalls, argument: unknown) => unknown;
  readonly arguments: readonly unknown[];
  /** What the error says, beside the call. */
  readonly says: RegExp;
  readonly error: { readonly name: string; readonly code?: string };
}

/** The environments of a relay as a program without types sees them. */
type AnyCalls = Readonly<
  Record<
    "add" | "update" | "remove" | "rotateKey" | "setUnserved" | "close",
    (...args: readonly unknown[]) => unknown
  >
>;

const typeError = { name: "TypeError" };
const invalidOptions = { name: "RelayError", code: "invalid_options" };
const names: readonly unknown[] = [undefined, null, 5, "", {}, ["prod"]];
const calls: readonly Call[] = [
  {
    call: "close(how)",
    run: ({ close }, how) => close(how),
    arguments: [...rubbish, { whithin: "1s" }],
    says: /close.*\{ within: "5s" \}/,
    error: typeError,
  },
  {
    call: "close({ within })",
    run: ({ close }, within) => close({ within }),
    arguments: ["soon", -1, Number.NaN, [], {}],
    says: /within must be a time span like "5s"/,
    error: typeError,
  },
  ...(["add", "update", "remove", "rotateKey"] as const).map(
    (method): Call => ({
      call: `${method}(name)`,
      run: (environments, name) => environments[method](name, { sdkKey: "sdk-new" }),
      arguments: names,
      says: new RegExp(`environments\\.${method}: the name of the environment must be text`),
      error: typeError,
    }),
  ),
  ...(["update", "remove", "rotateKey"] as const).map(
    (method): Call => ({
      call: `${method} of an environment that is not there`,
      run: (environments, name) => environments[method](name, { sdkKey: "sdk-new" }),
      arguments: ["nope", "__proto__", "constructor", "prod/web"],
      says: /there is no environment "/,
      error: { name: "RelayError", code: "unknown_environment" },
    }),
  ),
  {
    call: "add(name, options)",
    run: ({ add }, options) => add("new", options),
    arguments: [undefined, ...rubbish],
    says: /environment "new" must be an object/,
    error: invalidOptions,
  },
  {
    call: "update(name, changes)",
    run: ({ update }, changes) => update("prod", changes),
    arguments: [undefined, ...rubbish],
    says: /environment "prod" must be an object/,
    error: invalidOptions,
  },
  ...["envId", "source", "store", "bigSegments"].map(
    (name): Call => ({
      call: `update of ${name}`,
      run: ({ update }, value) => update("prod", { [name]: value, ttl: "1m" }),
      arguments: ["x", () => ({}), undefined],
      says: new RegExp(`"prod": ${name} cannot be changed .*; remove the environment and add it again`),
      error: invalidOptions,
    }),
  ),
  {
    call: "rotateKey(name, keys)",
    run: ({ rotateKey }, next) => rotateKey("prod", next),
    arguments: [
      undefined,
      ...rubbish,
      {},
      { sdkKey: undefined },
      { mobileKey: null },
      { sdkKey: "sdk-new", mobileKey: null },
      { envId: "x" },
      { sdkKey: "sdk-new", filters: ["x"] },
      { secureMode: true },
      { furtherSdkKeys: ["x"] },
    ],
    says: /environments\.rotateKey.*\{ sdkKey: "…" \}/,
    error: typeError,
  },
  {
    call: "rotateKey(name, keys) with what is no key",
    run: ({ rotateKey }, sdkKey) => rotateKey("prod", { sdkKey }),
    arguments: ["", "a b", "ж", 5, ["x"]],
    says: /environment "prod": sdkKey must /,
    error: invalidOptions,
  },
  {
    call: "rotateKey(name, keys, options)",
    run: ({ rotateKey }, options) => rotateKey("prod", { sdkKey: "sdk-new" }, options),
    arguments: [...rubbish, { Overlap: "1h" }, { overlap: "1h", sdkKey: "x" }],
    says: /environments\.rotateKey.*\{ overlap: "1h" \}/,
    error: typeError,
  },
  {
    call: "setUnserved(environments)",
    run: ({ setUnserved }, environments) => setUnserved(environments),
    arguments: [
      undefined,
      ...rubbish,
      { x: null },
      { x: {} },
      { x: { options: 5 } },
      { x: { options: {} } },
      { x: { sdkKey: "x" } },
    ],
    says: /environments\.setUnserved.*\{ staging: \{ options: \{ sdkKey: "…" \}, problem: "…" \} \}/,
    error: typeError,
  },
  {
    call: "rotateKey(name, keys, { overlap })",
    run: ({ rotateKey }, overlap) => rotateKey("prod", { sdkKey: "sdk-new" }, { overlap }),
    arguments: ["soon", -1, Number.NaN, 1e300, [], {}],
    says: /overlap must be a time span like "1h"/,
    error: typeError,
  },
];

describe("a call that makes no sense says so, and does nothing", () => {
  for (const { call, run, arguments: wrong, says, error } of calls) {
    test(call, async () => {
      const { relay, fetch } = await startRelay();
      // Each is called as a method of what it belongs to.
      const own = relay.environments;
      const any = Object.fromEntries(
        (["add", "update", "remove", "rotateKey", "setUnserved"] as const).map((name) => [
          name,
          (...args: never[]) => Reflect.apply(own[name], own, args),
        ]),
      );
      const close = (...args: never[]) => Reflect.apply(relay.close, relay, args);
      for (const argument of wrong) {
        const called = (async () => run({ ...any, close } as unknown as AnyCalls, argument))();
        await expect(called, `${call}: ${JSON.stringify(argument)}`).rejects.toMatchObject({
          ...error,
          message: expect.stringMatching(says),
        });
      }
      expect(relay.environments.names()).toEqual(["prod"]);
      const headers = { authorization: keys.sdkKey };
      expect(await fetch("GET", "/sdk/flags", { headers })).toMatchObject({ status: 200 });
      expect((await fetch("GET", "/sdk/flags", { headers })).headers).not.toHaveProperty("expires");
    });
  }
});

test("undefined in place of a time span stand for the default", async () => {
  const { relay } = await startRelay();
  relay.environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: undefined as never });
  await relay.close({ within: undefined as never });
});
