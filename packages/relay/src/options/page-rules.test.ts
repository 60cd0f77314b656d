import { describe, expect, test } from "vitest";
import { headerProblem, originProblem } from "./page-rules.js";

const wildcard = 'a wildcard stands as in "https://*.example.org"';
const shape = 'an origin is like "https://www.example.org"';
const write = (origin: string) => `browsers write it as "${origin}"`;

describe("allowed origins are what browsers send, to the letter", () => {
  const cases: { allowed: string; problem: string | undefined }[] = [
    { allowed: "*", problem: undefined },
    { allowed: "null", problem: undefined },
    { allowed: "https://a.example", problem: undefined },
    { allowed: "http://localhost:8080", problem: undefined },
    { allowed: "http://127.0.0.1", problem: undefined },
    { allowed: "https://[::1]:8443", problem: undefined },
    { allowed: "capacitor://localhost", problem: undefined },
    { allowed: "chrome-extension://abcdefgh", problem: undefined },
    { allowed: "https://*.example.org", problem: undefined },
    { allowed: "http://*.localhost:8080", problem: undefined },
    { allowed: "https://*", problem: wildcard },
    { allowed: "https://a.*.example.org", problem: wildcard },
    { allowed: "https://*.*.example.org", problem: wildcard },
    { allowed: "*.example.org", problem: wildcard },
    { allowed: "https://*.example.org/", problem: write("https://*.example.org") },
    { allowed: "https://*.EXAMPLE.org", problem: write("https://*.example.org") },
    { allowed: "https://*. x", problem: shape },
    { allowed: "https://*.", problem: wildcard },
    { allowed: "https://a.example/", problem: write("https://a.example") },
    { allowed: "https://a.example/path?x#y", problem: write("https://a.example") },
    { allowed: "https://a.example\n", problem: write("https://a.example") },
    { allowed: "https://a.example:443", problem: write("https://a.example") },
    { allowed: "https://below.example/", problem: write("https://below.example") },
    { allowed: "HTTPS://a.example", problem: write("https://a.example") },
    { allowed: "https://ж.example", problem: write("https://xn--f1a.example") },
    { allowed: "https://user@a.example", problem: write("https://a.example") },
    { allowed: "a.example", problem: shape },
    { allowed: "a.example:8080", problem: shape },
    { allowed: "https://", problem: shape },
    { allowed: "http://a.example/", problem: write("http://a.example") },
    { allowed: "xhttps://*.example.org", problem: wildcard },
    { allowed: "app.https://localhost", problem: undefined },
    { allowed: "capacitor://localhost:8080", problem: undefined },
    { allowed: "capacitor://localhost:x", problem: shape },
    { allowed: "capacitor://localhost:80x", problem: shape },
    { allowed: "capacitor://localhost/", problem: shape },
    { allowed: "capacitor://LOCALHOST", problem: shape },
    { allowed: "1capacitor://localhost", problem: shape },
  ];
  for (const { allowed, problem } of cases) {
    test(JSON.stringify(allowed), () => expect(originProblem(allowed)).toBe(problem));
  }
});

describe("allowed headers are names of headers", () => {
  for (const name of ["X-Request-Id", "x_y", "a!#$%&'*+.^`|~-0"]) {
    test(name, () => expect(headerProblem(name)).toBeUndefined());
  }
  for (const name of ["x-ж", "x y", "x:y", "x\r\ny", "a,b", "a\n", ""]) {
    test(`not ${JSON.stringify(name)}`, () =>
      expect(headerProblem(name)).toBe('the name of a header is like "X-Request-Id"'));
  }
});
