import type { Audience } from "../http/routes.js";

/** The kinds of SDKs whose events are kept apart, because upstream wants them at different addresses. */
export type EventFamily = Exclude<Audience, "public">;
