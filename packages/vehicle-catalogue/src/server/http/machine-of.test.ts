import { expect, test } from "vitest";
import { machineOf } from "./machine-of.js";

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  // Two colons stand for one group or more, and only once.
  ["2001:db8:1:2:3:4:5::", "2001:db8:1:2::/64"],
  ["::db8:1:2:3:4:5:6", "0:db8:1:2::/64"],
  ["2001:DB8::", "2001:db8:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6::", "2001:db8:1:2:3:4:5:6::"],
  ["2001::db8::1", "2001::db8::1"],
  ["2001:db8:1:2:3:4:5", "2001:db8:1:2:3:4:5"],
  ["2001:db8::12345", "2001:db8::12345"],
  ["2001:db8::abcde", "2001:db8::abcde"],
  ["010.1.2.003", "10.1.2.3"],
  ["64:ff9b::c0a8:1ff", "192.168.1.255"],
  ["64:ff9b:1::c0a8:1ff", "64:ff9b:1:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["10.0.0.1:_a.b-c", "10.0.0.1"],
  ["[2001:db8::1]:_1", "2001:db8:0:0::/64"],
  ['for="_hidden:_a.b-c"', "_hidden"],
  ["for=unknown:80", "unknown"],
  ["1.1.1.1, 2.2.2.2, 9.9.9.9", "9.9.9.9"],
  ["for=1.1.1.1, for=2.2.2.2, for=9.9.9.9", "9.9.9.9"],
  ["for=1.1.1.1, by=9.9.9.9", "for=1.1.1.1, by=9.9.9.9"],
])("the machine behind %s is %s", (named, machine) => {
  expect(machineOf(named)).toBe(machine);
});

test("what is longer than any address is none, whatever it begins with", () => {
  const ofLength = (length: number): string => "fe80::1%".padEnd(length, "e");
  expect(machineOf(ofLength(128))).toBe("fe80:0:0:0::/64");
  expect(machineOf(ofLength(129))).toBe(ofLength(129));
});
