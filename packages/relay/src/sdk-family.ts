import type { CredentialKind } from "./credentials.js";

/** The kinds of SDKs: each sees other flags, and upstream wants its events at another address. */
export type SdkFamily = "server" | "mobile" | "browser";

/** Who asks, as the credential of the request tells. */
export const familyOf: Readonly<Record<CredentialKind, SdkFamily>> = {
  sdkKey: "server",
  mobileKey: "mobile",
  envId: "browser",
};
