import { randomUUID } from "node:crypto";
import { startConsulAgent } from "../../../scripts/databases/consul-agent.js";
import { type TestConsul, testConsul } from "./test-consul.js";

/** Starts Consul, where everybody may do everything, except for those with a token that may only read. */
export async function startGuardedConsul(program: string): Promise<TestConsul> {
  const [manager, readOnlyToken, narrowToken] = [randomUUID(), randomUUID(), randomUUID()];
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
  await tell("policy", { Name: "narrow", Rules: 'key_prefix "narrow/segments/" { policy = "deny" }' });
  await tell("token", { SecretID: readOnlyToken, Policies: [{ Name: "reader" }] });
  await tell("token", { SecretID: narrowToken, Policies: [{ Name: "narrow" }] });
  return testConsul(address, { readOnlyToken, narrowToken }, stop);
}
