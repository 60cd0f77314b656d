import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./load-config.js";

test.each([
  { variables: { USE_DYNAMODB: "1", CACHE_TTL: "30s" }, warned: ["CACHE_TTL"] },
  { variables: { USE_DYNAMODB: "1", CACHE_TTL: "0s" }, warned: ["CACHE_TTL"] },
  { variables: { USE_DYNAMODB: "1", CACHE_TTL: "-1s" }, warned: [] },
  { variables: { USE_DYNAMODB: "1" }, warned: [] },
  { variables: { USE_REDIS: "1", CACHE_TTL: "30s" }, warned: [] },
])(
  "a database that is paid by what is read is not read again and again unnoticed: $variables",
  ({ variables, warned }) => {
    const environment = { LD_ENV_prod: "sdk", LD_PREFIX_prod: "ld", LD_TABLE_NAME_prod: "flags" };
    const { problems, warnings } = readConfig({ variables: { ...environment, ...variables } }, didYouMean);
    expect(problems).toEqual([]);
    const costly = warnings.filter(({ message }) => message.includes("DynamoDB charges"));
    expect(costly.map(({ at }) => at)).toEqual(warned);
  },
);

test("a variable that has set two values is named once", () => {
  const variables = { LD_ENV_a: "sdk", USE_REDIS: "1", REDIS_PORT: "tcp://h:1", REDIS_URL: "redis://h:2" };
  expect(readConfig({ variables }, didYouMean).problems).toEqual([
    { at: "REDIS_URL, REDIS_PORT", message: "please specify Redis URL or host/port, but not both" },
  ]);
});
