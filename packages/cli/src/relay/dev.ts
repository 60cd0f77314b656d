import type { OfflineOptions } from "@wye/relay";
import type { Setting } from "./config/setting.js";

/** The keys of flags in a file that names none: known to everybody, so they are served on this machine only. */
export const devKeys: NonNullable<OfflineOptions["keys"]> = {
  sdkKey: "sdk-dev",
  mobileKey: "mob-dev",
  envId: "dev",
};

/** What `--dev FILE` sets. */
export function devSettings(file: string): readonly Setting[] {
  return [
    {
      section: "OfflineMode",
      name: "",
      key: "fileDataSource",
      text: file,
      medium: "variable",
      origin: "--dev",
    },
  ];
}

/** What a developer needs to know to use it. */
export function devHints(port: number): readonly string[] {
  const base = `http://localhost:${port}`;
  return [
    `base address for streaming, polling and events of every SDK: ${base}`,
    `unless the file says otherwise the SDK key is ${devKeys.sdkKey}, the mobile key ${devKeys.mobileKey}, the client-side ID ${devKeys.envId}`,
  ];
}
