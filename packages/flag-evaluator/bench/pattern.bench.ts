import { RE2JS } from "re2js";
import { bench } from "../../../scripts/bench-harness.js";
import { compilePattern } from "../src/compile/pattern/pattern.js";

const texts = [
  "root@acme.io",
  "john.dev@corp.example.com",
  "user-be3bad9d-4c1e-9f27-a1b2c3d49581",
  "a name with blanks in it",
];
const sources = [
  "@(corp\\.)?example\\.com$",
  "^[a-m].*@",
  "^user-[0-9a-f]{4}",
  "admin|root",
  "^(\\w+\\s?)*$",
];

for (const source of sources) {
  const own = compilePattern(source);
  const reference = RE2JS.compile(source);
  const native = new RegExp(source);
  await bench(`four texts against ${source}`, {
    "wye, automaton": () => texts.filter((text) => own?.test(text)).length,
    re2js: () => texts.filter((text) => reference.test(text)).length,
    "RegExp, backtracking": () => texts.filter((text) => native.test(text)).length,
  });
}
await bench("compile a pattern and test four texts", {
  "wye, automaton": () => sources.map((source) => texts.filter((text) => compilePattern(source)?.test(text))),
  re2js: () => sources.map((source) => texts.filter((text) => RE2JS.compile(source).test(text))),
  "RegExp, backtracking": () =>
    sources.map((source) => texts.filter((text) => new RegExp(source).test(text))),
});
