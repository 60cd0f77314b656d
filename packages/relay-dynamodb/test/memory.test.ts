import { createStoreContext } from "@wye/relay/testing";
import { describe } from "vitest";
import { describeContracts } from "../../../scripts/databases/describe-contracts.js";
import { dynamoDbBigSegments, dynamoDbStore } from "../src/index.js";
import { describeStepsInPieces } from "./describe-steps-in-pieces.js";
import { createMemoryTable } from "./memory-table.js";
import { localConnection } from "./test-database.js";

describeContracts({
  async flags(count, told) {
    const { client } = createMemoryTable();
    const factory = dynamoDbStore({ client, table: "flags" });
    return Array.from({ length: count }, () => factory(createStoreContext({ told })));
  },
  async members(count, told) {
    const { client } = createMemoryTable();
    const factory = dynamoDbBigSegments({ client, table: "flags" });
    return Array.from({ length: count }, () => factory(createStoreContext({ told })));
  },
  except: ["keys are data, whatever they look like"],
});

describe("steps in pieces", () =>
  describeStepsInPieces(async () => {
    const { client, fill } = createMemoryTable();
    const [createTable, stop] = [async () => fill([]), async () => client.destroy()];
    return { client, connect: localConnection(1), createTable, stop };
  }));
