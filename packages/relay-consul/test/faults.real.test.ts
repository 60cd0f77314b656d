import { onTestFinished, test } from "vitest";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { consulStore } from "../src/index.js";
import { startGuardedConsul } from "./guarded-consul.js";

const program = process.env.WYE_CONSUL;
const left = program === undefined ? ", left out: WYE_CONSUL names no program, and Debian has none" : "";

test.skipIf(program === undefined)(
  `1,000 histories over a bad network: nothing waits, no update is lost, the status is right at last${left}`,
  async () => {
    const consul = await startGuardedConsul(program ?? "");
    onTestFinished(() => consul.stop());
    let mayWrite = true;
    const database = {
      port: Number(new URL(consul.address).port),
      store: (port: number) =>
        consulStore({
          address: `http://127.0.0.1:${port}`,
          prefix: ({ environment }) => environment,
          token: () => (mayWrite ? "anonymous" : consul.readOnlyToken),
        }),
      async contents(environment: string) {
        const folder = `${environment}/features/`;
        const entries = [...(await consul.entries())].filter(([key]) => key.startsWith(folder));
        return Object.fromEntries(entries.map(([key, text]) => [key.slice(folder.length), text]));
      },
      async refuseWrites(refuse: boolean) {
        mayWrite = !refuse;
      },
    };
    await followHistories(database, { environments: 20, rounds: 50, seed: 21 });
  },
);
