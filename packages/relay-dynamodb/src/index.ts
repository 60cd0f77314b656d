export { dynamoDbBigSegments } from "./dynamodb-big-segments.js";
export type { DynamoDbOptions } from "./dynamodb-options.js";
export { dynamoDbStore } from "./dynamodb-store.js";
