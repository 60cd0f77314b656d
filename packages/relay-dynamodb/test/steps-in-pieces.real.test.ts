import { describe } from "vitest";
import { describeStepsInPieces } from "./describe-steps-in-pieces.js";
import { startLocalDatabase } from "./test-database.js";

const { WYE_DYNAMODB_LOCAL, WYE_WITHOUT_DYNAMODB: reason } = process.env;

describe.skipIf(reason !== undefined)(
  `steps in pieces${reason === undefined ? "" : `, left out: ${reason}`}`,
  () => describeStepsInPieces(() => startLocalDatabase(WYE_DYNAMODB_LOCAL ?? "")),
);
