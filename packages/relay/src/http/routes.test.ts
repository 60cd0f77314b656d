import { describe, expect, test } from "vitest";
import { matchRoute, routes } from "./routes.js";

const segmentsOf = (path: string) => path.slice(1).split("/");
const samples: Record<string, string> = {
  context: "eyJrZXkiOiJhIn0",
  envId: "0123456789abcdef",
  key: "a flag/ü",
};
const pathOf = (pattern: string) =>
  segmentsOf(pattern).map((part) => part.replace(/\{(\w+)\}/, (_, name: string) => samples[name] ?? ""));

describe("every row of the table", () => {
  for (const route of routes) {
    test(`${route.method} ${route.path} leads to ${route.endpoint} by ${route.credential}`, () => {
      const result = matchRoute(route.method, pathOf(route.path));
      expect(result).toMatchObject({ kind: "match", match: { route } });
    });

    test(`${route.path} refuses DELETE and HEAD`, () => {
      for (const method of ["DELETE", "HEAD"]) {
        expect(matchRoute(method, pathOf(route.path))).toMatchObject({ kind: "wrong-method" });
      }
    });
  }
});

describe("special paths", () => {
  const cases = [
    { method: "GET", path: "/nope", result: { kind: "unknown" } },
    { method: "GET", path: "/status/", result: { kind: "unknown" } },
    { method: "GET", path: "/meval/", result: { kind: "unknown" } },
    { method: "GET", path: "/sdk/evalx/contexts/", result: { kind: "unknown" } },
    { method: "GET", path: "/a/.gif", result: { kind: "unknown" } },
    { method: "GET", path: "/a/x.png", result: { kind: "unknown" } },
    { method: "OPTIONS", path: "/all", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    { method: "OPTIONS", path: "/status", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    { method: "POST", path: "/all", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    {
      method: "OPTIONS",
      path: "/sdk/evalx/e1/contexts/c",
      result: { kind: "match", match: { methods: ["GET", "OPTIONS"], variables: { envId: "e1" } } },
    },
    {
      method: "OPTIONS",
      path: "/eval/e1",
      result: { kind: "match", match: { methods: ["REPORT", "OPTIONS"] } },
    },
    {
      method: "POST",
      path: "/sdk/evalx/contexts/context",
      result: {
        kind: "wrong-method",
        match: { route: { credential: "envId" }, methods: ["GET", "REPORT", "OPTIONS"] },
      },
    },
    {
      method: "GET",
      path: "/a/e1.gif",
      result: { kind: "match", match: { variables: { envId: "e1" } } },
    },
    {
      method: "REPORT",
      path: "/sdk/evalx/e1/users",
      result: { kind: "match", match: { route: { endpoint: "evaluate", credential: "envId" } } },
    },
    {
      method: "GET",
      path: "/sdk/flags/__proto__",
      result: {
        kind: "match",
        match: { variables: Object.assign(Object.create(null), { key: "__proto__" }) },
      },
    },
  ];
  for (const { method, path, result } of cases) {
    test(`${method} ${path}`, () => expect(matchRoute(method, segmentsOf(path))).toMatchObject(result));
  }
});
