import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { messageOf, orAborted, RelayError } from "@wye/relay";

type Credentials = NonNullable<DynamoDBClientConfig["credentials"]>;
type Provider = Extract<Credentials, (...parameters: never[]) => unknown>;

/** A request is given up after ten seconds, and then nobody would know why. */
const longestMs = 5000;
/** AWS's library asks again five minutes before credentials expire: those that do not say when are asked for each minute. */
const unsaidMs = 360_000;

/**
 * A function of the host that gives credentials may never answer, throw anything and give anything. AWS's library waits for the one call
 * that it has made, and keeps what that has given: so whatever is wrong has to end as a failure, after which it asks again. What does not say when it expires it would keep
 * for ever, although functions are given for what changes.
 */
export function limitCredentials(ask: Provider, limitMs: number = longestMs): Provider {
  return async (...parameters) => {
    const limit = AbortSignal.timeout(limitMs);
    const given = await orAborted((async () => ask(...parameters))(), limit).catch((cause: unknown) => {
      const why = limit.aborted ? `it has given nothing within ${limitMs} ms` : messageOf(cause);
      throw new RelayError("store_failed", `credentials cannot be had: ${why}`, { cause });
    });
    const {
      accessKeyId,
      secretAccessKey,
    }: { readonly accessKeyId?: unknown; readonly secretAccessKey?: unknown } = Object(given);
    if (typeof accessKeyId === "string" && typeof secretAccessKey === "string")
      return given.expiration ? given : { ...given, expiration: new Date(Date.now() + unsaidMs) };
    throw new RelayError(
      "store_failed",
      "credentials must give { accessKeyId, secretAccessKey }, both texts",
    );
  };
}
