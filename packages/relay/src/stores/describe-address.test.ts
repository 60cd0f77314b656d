import { expect, test } from "vitest";
import { describeAddress } from "./describe-address.js";

test.each([
  ["http://localhost:8500", "http://localhost:8500"],
  ["redis://db:6379/2", "redis://db:6379/2"],
  ["http://user:hunter2@db:8500", "http://user:xxxxx@db:8500/"],
  ["redis://:hunter2@db", "redis://:xxxxx@db"],
  ["http://db:8500/?token=hunter2", "http://db:8500/"],
  ["http://db:8500/#hunter2", "http://db:8500/"],
  ["hunter2", "(no address)"],
])("%s is shown as %s", (address, shown) => expect(describeAddress(address)).toBe(shown));
