import { expect, test } from "vitest";
import { environmentsOfFlagFile } from "./environments-of-flag-file.js";
import type { FlagFileEnvironment } from "./flag-file-contents.js";

const change = { extent: "full", items: [] } as const;

/** What is made of environments with these settings, one in each line from the second. */
function read(environments: Readonly<Record<string, FlagFileEnvironment["settings"]>>) {
  const named = Object.entries(environments).map(([name, settings], at) => {
    return [name, { settings, line: at + 2, change: { ...change, items: [] } }] as const;
  });
  const file = { shared: change, environments: new Map(named) };
  return { made: () => environmentsOfFlagFile(file, "f", undefined), file };
}

test("an environment has its own flags, its settings, and defaults for the others", () => {
  const { made, file } = read({
    one: { sdkKey: "a" },
    two: { sdkKey: "b", mobileKey: "c", envId: "d", secureMode: true, ttl: "2m" },
  });
  const unsaid = { secureMode: false, ttl: 0, furtherSdkKeys: [], about: {}, filters: [] };
  expect([...made()]).toEqual([
    ["one", { options: { ...unsaid, sdkKey: "a" }, change }],
    [
      "two",
      {
        options: { ...unsaid, sdkKey: "b", mobileKey: "c", envId: "d", secureMode: true, ttl: 120_000 },
        change,
      },
    ],
  ]);
  for (const [name, { change }] of made()) expect(change).toBe(file.environments.get(name)?.change);
});

test("each mistake is told at the line of its environment, and of what is there again, whose it was before", () => {
  const { made } = read({
    one: { sdkKey: "same", mobileKey: "m", envId: "e" },
    two: { sdkKey: "same", mobileKey: "same", ttl: -1 },
    three: { sdkKey: "same", envId: "e", mobileKey: "m" },
    "\ud800": { sdkKey: "x", secureMode: "yes", further: [] },
    "": {},
  });
  const known = "sdkKey, mobileKey, envId, secureMode, ttl";
  const span = 'must be a time span up to 100 years: milliseconds, or text like "30s", "1m30s", "250ms"';
  expect(made).toThrow(
    expect.objectContaining({
      code: "malformed_data",
      problems: [
        `f:3: environment "two": ttl ${span}`,
        'f:3: environment "two": sdkKey is that of environment "one" as well',
        'f:4: environment "three": sdkKey is that of environment "two" as well',
        'f:4: environment "three": mobileKey is that of environment "one" as well',
        'f:4: environment "three": envId is that of environment "one" as well',
        `f:5: environment "\\ud800": further is not an option; there are ${known}`,
        'f:5: environment "\\ud800": secureMode must be true or false',
        'f:5: environment "\\ud800": its name must be text that is not empty',
        'f:6: environment "": sdkKey is required: the key of server-side SDKs',
        'f:6: environment "": its name must be text that is not empty',
      ],
    }),
  );
});
