import http from "node:http";
import { expect, test } from "vitest";
import { type Answer, ask, fullKey, listening, openRouter, restrictedKey } from "./listening.js";

test("a cache that keeps apart what Vary names gives nobody the answer to another key", async () => {
  const cached = await listening(http.createServer(openRouter({ maxAgeSeconds: 60 }).node));
  const kept = new Map<string, Pick<Answer, "status" | "text">>();
  const askings = [fullKey, restrictedKey, "unknown", null].flatMap((key) =>
    ["application/json", "application/vnd.api+json"].map((accept) => ({ key, headers: { accept } })),
  );
  // The key goes first that sees all.
  for (const asking of askings) {
    const { status, text, headers } = await ask(cached.origin, "/v2/vehicles", asking);
    const asked: Record<string, unknown> = { ...asking.headers, "api-key": asking.key };
    const names = (headers.vary ?? "").toLowerCase().split(", ");
    const name = JSON.stringify(names.map((name) => asked[name]));
    expect(kept.get(name) ?? { status, text }).toEqual({ status, text });
    kept.set(name, { status, text });
  }
  await cached.close();
});
