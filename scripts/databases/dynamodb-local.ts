import { join } from "node:path";
import { freePort } from "./free-port.js";
import { type RunningProgram, runProgram } from "./run-program.js";

/** DynamoDB's own program for tests, with nothing in it. */
export interface DynamoDbLocal extends RunningProgram {
  readonly port: number;
}

/** Starts the program whose jars are in a folder (`WYE_DYNAMODB_LOCAL`) and waits until it answers. */
export async function startDynamoDbLocal(folder: string): Promise<DynamoDbLocal> {
  const port = await freePort();
  const runner = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner";
  const library = `-Djava.library.path=${folder}`;
  const parameters = [library, "-cp", join(folder, "*"), runner, "-inMemory", "-port", String(port)];
  const answers = async () => (await fetch(`http://127.0.0.1:${port}`)).status > 0;
  return { port, ...(await runProgram("java", parameters, answers)) };
}
