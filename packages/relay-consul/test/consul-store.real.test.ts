import { test } from "vitest";
import { describeConsulStore } from "./describe-consul-store.js";
import { startGuardedConsul } from "./guarded-consul.js";

const program = process.env.WYE_CONSUL;

if (program === undefined) test.skip("without Consul: WYE_CONSUL names no program, and Debian has none");
else describeConsulStore(() => startGuardedConsul(program));
