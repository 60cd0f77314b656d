import { randomUUID } from "node:crypto";
import { test } from "vitest";
import { startConsulAgent } from "./consul-agent.js";
import { describeConsulStore } from "./describe-consul-store.js";
import { type TestConsul, testConsul } from "./test-consul.js";

const program = process.env.WYE_CONSUL;

if (program === undefined) test.skip("without Consul: WYE_CONSUL names no program, and Debian has none");
else describeConsulStore(() => startGuarded(program));

/** Everybody may do everything, except for those with a token that may only read. */
async function startGuarded(program: string): Promise<TestConsul> {
  const [manager, reader] = [randomUUID(), randomUUID()];
  const { address, stop } = await startConsulAgent(program, {
    acl: { enabled: true, default_policy: "allow", tokens: { initial_management: manager } },
  });
  const tell = async (path: string, body: object) => {
    const headers = { "x-consul-token": manager };
    const response = await fetch(`${address}/v1/acl/${path}`, {
      method: "PUT",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  };
  await tell("policy", { Name: "reader", Rules: 'key_prefix "" { policy = "read" }' });
  await tell("token", { SecretID: reader, Policies: [{ Name: "reader" }] });
  return testConsul(address, reader, stop);
}
