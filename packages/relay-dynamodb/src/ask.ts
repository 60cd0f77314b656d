import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type Clock, timedCall } from "@wye/relay";

/** Sends one request with these options. */
export type Request<Answer> = (
  client: DynamoDBClient,
  options: { readonly abortSignal: AbortSignal },
) => Promise<Answer>;

/** Waits for the answer to one request, but neither beyond the signal nor for ever. */
export type Ask = <Answer>(request: Request<Answer>, signal: AbortSignal) => Promise<Answer>;

/** Many requests make a full set; one that is not answered for this long, whatever the client does to repeat it, has failed. */
const limitMs = 10_000;

/** The only way to the client. */
export function createAsk(client: DynamoDBClient, clock: Clock): Ask {
  return (request, signal) =>
    timedCall(clock, limitMs, (abortSignal) => askTwice(client, request, abortSignal), signal).result;
}

/** Credentials may expire, or be replaced, sooner than they said. What is refused for that has done nothing, and is asked once more with new ones. */
async function askTwice<Answer>(
  client: DynamoDBClient,
  request: Request<Answer>,
  abortSignal: AbortSignal,
): Promise<Answer> {
  try {
    return await request(client, { abortSignal });
  } catch (error) {
    if (!(error instanceof Error) || !isOfCredentials.test(error.name)) throw error;
    await client.config.credentials({ forceRefresh: true });
    return await request(client, { abortSignal });
  }
}

/** Names of failures that other credentials may mend. */
const isOfCredentials = /^(ExpiredToken(Exception)?|UnrecognizedClientException)$/;
