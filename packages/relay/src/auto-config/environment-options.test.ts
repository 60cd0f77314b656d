import { expect, test } from "vitest";
import type { AnnouncedEnvironment } from "./announced.js";
import { environmentOptions } from "./environment-options.js";

const announced: AnnouncedEnvironment = {
  version: 7,
  envId: "id-1",
  sdkKey: "sdk-announced",
  mobileKey: "mob-announced",
  expiring: undefined,
  secureMode: true,
  ttlMs: 60_000,
  about: { envKey: "prod", envName: "Production", projKey: "p", projName: "Project" },
};
const kept = { sdkKey: "sdk-1", mobileKey: "mob-1", expiring: [{ key: "sdk-0", expires: 5 }] };

test("an environment has the keys that it has kept, and all else as it was announced", () => {
  expect(environmentOptions(announced, kept, ["web"])).toStrictEqual({
    sdkKey: "sdk-1",
    mobileKey: "mob-1",
    envId: "id-1",
    furtherSdkKeys: [{ key: "sdk-0", expires: 5 }],
    secureMode: true,
    ttl: 60_000,
    about: announced.about,
    filters: ["web"],
  });
});

test.each([
  { sdkKey: "sdk-1", mobileKey: "", has: ["sdk-1", undefined] },
  { sdkKey: "", mobileKey: "mob-1", has: ["", "mob-1"] },
])("a mobile key that nobody has named is left out: $sdkKey, $mobileKey", ({ has, ...keys }) => {
  const options = environmentOptions({ ...announced, secureMode: false, ttlMs: 0 }, { ...kept, ...keys });
  expect([options.sdkKey, options.mobileKey]).toEqual(has);
  expect("mobileKey" in options).toBe(has[1] !== undefined);
  expect(options).toMatchObject({ secureMode: false, ttl: 0, filters: [] });
});
