import { expect, test } from "vitest";
import { portChoice } from "./port-choice.js";

const cases = [
  { name: "nothing asked", args: [], env: {}, choice: { from: 8040 } },
  { name: "--port 3000", args: ["--port", "3000"], env: {}, choice: { exactly: 3000 } },
  { name: "--port=3000", args: ["--port=3000"], env: {}, choice: { exactly: 3000 } },
  { name: "PORT", args: [], env: { PORT: "3000" }, choice: { exactly: 3000 } },
  { name: "an empty PORT", args: [], env: { PORT: "" }, choice: { from: 8040 } },
  { name: "--port before PORT", args: ["--port", "1"], env: { PORT: "2" }, choice: { exactly: 1 } },
  { name: "any free port", args: ["--port", "0"], env: {}, choice: { exactly: 0 } },
];
for (const { name, args, env, choice } of cases) {
  test(name, () => expect(portChoice(args, env)).toEqual(choice));
}

const mistakes = [
  { args: ["--port", "http"], says: '"http" is not a port' },
  { args: ["--port", "65536"], says: '"65536" is not a port' },
  { args: ["--port", "-1"], says: '"-1" is not a port' },
  { args: ["--port"], says: '"" is not a port' },
  { args: ["3000"], says: 'unknown argument "3000"' },
];
for (const { args, says } of mistakes) {
  test(`refuses ${args.join(" ")}`, () => expect(() => portChoice(args, {})).toThrow(says));
}
