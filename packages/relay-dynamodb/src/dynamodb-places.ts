import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  createDatabasePlaces,
  describeAddress,
  type FlagStoreContext,
  fillPlace,
  fillPrefix,
  messageOf,
  RelayError,
  type StoreDescription,
} from "@wye/relay";
import { type Ask, createAsk } from "./ask.js";
import { checkOptions, tableProblems } from "./check-options.js";
import type { DynamoDbOptions } from "./dynamodb-options.js";
import { limitCredentials } from "./limit-credentials.js";

/** Where one environment keeps something, and how to get there. */
export interface DynamoDbPlace {
  readonly ask: Ask;
  readonly about: StoreDescription;
  readonly table: string;
  /** What namespaces begin with: the prefix and a colon, or nothing. */
  readonly namespacePrefix: string;
  close(): Promise<void>;
}

/** What the environments of one factory share: a client, and the knowledge of who has which place. */
export interface DynamoDbPlaces {
  readonly cacheTtlMs: number | undefined;
  open(context: FlagStoreContext): DynamoDbPlace;
}

/** The longest name behind a prefix is also a sort key, of which DynamoDB takes 1,024 bytes. */
const maxPrefixBytes = 1024 - ":big_segments_metadata".length;

/** Reads the options, of which `what` is kept; nothing is connected yet. Throws when they are wrong. */
export function createDynamoDbPlaces(
  options: DynamoDbOptions,
  { caller, what }: { readonly caller: string; readonly what: string },
): DynamoDbPlaces {
  const { cacheTtlMs } = checkOptions(options, caller);
  const ownPlaces = createDatabasePlaces();
  const { prefix: template = "" } = options;
  const endpoint = options.connect?.endpoint;
  let own: DynamoDBClient | undefined;
  let users = 0;
  return {
    cacheTtlMs,
    open(context) {
      const table = fillPlace(options.table, context);
      const prefix = fillPrefix(template, context);
      const problems = [...tableProblems(table)];
      if (Buffer.byteLength(prefix) > maxPrefixBytes)
        problems.push("prefix is too long for a key of DynamoDB");
      if (problems.length > 0)
        throw new RelayError("invalid_options", `${caller}: ${problems.join("; ")}`, { problems });
      const place = `${what} in table ${table} under prefix ${JSON.stringify(prefix)}`;
      const client = options.client ?? own ?? createClient(options, caller);
      const release = (context.places ?? ownPlaces).claim(serverOf(options), place, context.environment);
      if (options.client === undefined) own = client;
      users++;
      return {
        ask: createAsk(client, context.clock),
        about: {
          database: "dynamodb",
          ...(typeof endpoint === "string" ? { dbServer: describeAddress(endpoint) } : {}),
          ...(prefix === "" ? {} : { dbPrefix: prefix }),
          dbTable: table,
        },
        table,
        namespacePrefix: prefix === "" ? "" : `${prefix}:`,
        async close() {
          release();
          if (--users > 0) return;
          own?.destroy();
          own = undefined;
        },
      };
    },
  };
}

/**
 * AWS's library reads its files once in a process. It is asked for credentials at the start and when some were refused or have expired: by then
 * somebody may have renewed the file. A client hands this, which its type does not name, to whatever finds credentials.
 */
const files = { ignoreCache: true };

/** The options of a client are AWS's own, and so is what it says of them. */
function createClient({ connect = {} }: DynamoDbOptions, caller: string): DynamoDBClient {
  const { credentials } = connect;
  try {
    return new DynamoDBClient(
      typeof credentials === "function"
        ? { ...connect, credentials: limitCredentials(credentials) }
        : { ...files, ...connect },
    );
  } catch (cause) {
    throw new RelayError("invalid_options", `${caller}: connect cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** What tells one database from another, as far as can be seen before a request. */
function serverOf({ client, connect = {} }: DynamoDbOptions): unknown {
  if (client !== undefined) return client;
  const { endpoint, region, credentials, profile } = connect;
  // However it is spelled, and whoever comes.
  if (typeof endpoint === "string" && URL.canParse(endpoint)) return new URL(endpoint).host;
  // Another account has other tables of the same name.
  const account =
    credentials !== undefined && "accessKeyId" in credentials ? credentials.accessKeyId : credentials;
  return `region ${nameOf(region)} account ${nameOf(account)} profile ${profile}`;
}

const names = new WeakMap<object, string>();
let named = 0;

/** A text as it is; one of our own for what has none, such as a function that is asked later. */
function nameOf(value: string | object | undefined): string {
  if (typeof value !== "object" && typeof value !== "function") return String(value);
  const name = names.get(value) ?? `#${++named}`;
  names.set(value, name);
  return name;
}
