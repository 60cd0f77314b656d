import { expect, test } from "vitest";
import { portNumber } from "../port-number.js";
import {
  collect,
  localPath,
  named,
  positiveNumber,
  runStates,
  serverAddress,
  wholeNumber,
} from "./option-values.js";

test.each([
  [wholeNumber, "1", 1],
  [wholeNumber, "9007199254740991", Number.MAX_SAFE_INTEGER],
  [positiveNumber, "0.001", 0.001],
  [positiveNumber, "2147483", 2_147_483],
  [positiveNumber, "2147483.647", 2_147_483.647],
  [portNumber, "0", 0],
  [portNumber, "65535", 65_535],
  [named, " ", " "],
  [serverAddress, "localhost:8888", "localhost:8888"],
  [localPath, "a b/c", "a b/c"],
  [localPath, "-", "-"],
  [localPath, "file:///a%20b", "/a b"],
  [localPath, "FILE:///a", "/a"],
  [localPath, "file:a", "file:a"],
])("an option may have the value that it is given: %#", (read, text, value) => {
  expect(read(text)).toBe(value);
});

const whole = "It is a whole number from 1.";
const seconds = "It is a number of seconds.";
const longest = "It is at most 2147483 seconds, which are 24 days.";
const port = "It is a number up to 65535; 0 takes any free port.";
const local = "It is a path on this machine.";

test.each([
  ...["0", "-1", "1.5", "x", "", "9007199254740992"].map((text) => [wholeNumber, text, whole] as const),
  ...["0", "-1", "x", "", "NaN"].map((text) => [positiveNumber, text, seconds] as const),
  ...["2147483.648", "2147484", "1e9", "Infinity"].map((text) => [positiveNumber, text, longest] as const),
  ...["65536", "-1", "1.5", "1e3", "", " 1", "x"].map((text) => [portNumber, text, port] as const),
  [named, "", "It is empty."],
  [serverAddress, "", "It is empty."],
  [serverAddress, "-p", "-p is no server."],
  [localPath, "", "It is empty."],
  ...["gs://b/c", "file://", "file://elsewhere/a", "s3://x"].map((text) => [localPath, text, local] as const),
] as const)("an option is refused a value that it cannot have: %#", (read, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test("an option that may be repeated has all of its values, in their order", () => {
  const given = ["b", "a", "b", "c"];
  expect(given.reduce((all, one) => collect(one, all), [] as readonly string[])).toEqual(given);
  const states = ["failed", "RUNNING"].reduce((all, one) => runStates(one, all), [] as readonly string[]);
  expect(states).toEqual(["FAILED", "RUNNING"]);
});

test("runs may be in all states that a server knows, and in no other", () => {
  const states = ["PENDING", "RUNNING", "SUCCEEDED", "SKIPPED", "FAILED", "CANCELING", "CANCELED", "PAUSED"];
  expect(states.flatMap((state) => runStates(state.toLowerCase(), []))).toEqual(states);
  expect(() => runStates("faild", [])).toThrow(`It is one of ${states.join(", ")}.`);
});
