import type { BigSegmentStore } from "../big-segments/big-segment-store.js";
import { RelayError } from "../error.js";
import { messageOf } from "../message-of.js";
import type { FlagStore } from "./flag-store.js";

/** What is to be done about a failure. */
export interface Remedy {
  /** What such a failure says in its code, its name or its message, or in those of its causes. */
  readonly says: RegExp;
  readonly remedy: string;
}

/** What every database fails with that is led to by an address. Stores that know more say it first. */
const remediesOfConnections: readonly Remedy[] = [
  {
    says: /\bENOTFOUND\b|\bEAI_AGAIN\b/,
    remedy: "no host of this name is known here: check the address, and whether names can be looked up",
  },
  {
    says: /\bECONNREFUSED\b/,
    remedy: "nobody listens there: check host and port, and whether the database runs",
  },
  {
    says: /\bEHOSTUNREACH\b|\bENETUNREACH\b|\bETIMEDOUT\b|connect(ion)? timeout/i,
    remedy: "nobody answers there: check host, port and firewalls",
  },
  {
    says: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    remedy: "the certificate of the server has to be renewed, or the clock of one side is wrong",
  },
  {
    says: /ERR_TLS_CERT_ALTNAME_INVALID/,
    remedy: "the certificate is for another host: use a name that stands in it",
  },
  {
    says: /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    remedy:
      "nobody here trusts who has signed the certificate: name a file with theirs in NODE_EXTRA_CA_CERTS",
  },
  {
    says: /\bEPROTO\b|wrong version number|ERR_SSL_/,
    remedy: "the server does not speak TLS, or not such a one: check scheme and port of the address",
  },
];

/** A failure with what to do about it; as it is where nobody knows. */
export function withRemedy(error: unknown, remedies: readonly Remedy[]): unknown {
  const said = saidBy(error);
  const found = [...remedies, ...remediesOfConnections].find(({ says }) => says.test(said));
  if (found === undefined) return error;
  return new RelayError("store_failed", `${messageOf(error)} (${found.remedy})`, { cause: error });
}

/** A store that also says what to do about its failures, where somebody knows. */
export function explainFailures<Store extends FlagStore | BigSegmentStore>(
  store: Store,
  remedies: readonly Remedy[],
): Store {
  return new Proxy(store, {
    get(_, name) {
      const member: unknown = Reflect.get(store, name);
      if (typeof member !== "function") return member;
      return async (...parameters: readonly unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(member, store, parameters);
        } catch (error) {
          throw withRemedy(error, remedies);
        }
      };
    },
  });
}

/** All that an error says, in codes, names and messages: clients wrap what has happened, and tell of several addresses at once. */
export function saidBy(error: unknown, depth = 0): string {
  if (typeof error !== "object" || error === null || depth > 8) return messageOf(error);
  const { code, name, message, cause, errors }: ErrorParts = error;
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])].filter((one) => one !== undefined);
  return [...[code, name, message].map(messageOf), ...inner.map((one) => saidBy(one, depth + 1))].join(" ");
}

/** Hosts, and code of another realm, throw what they like. */
type ErrorParts = Readonly<Partial<Record<"code" | "name" | "message" | "cause" | "errors", unknown>>>;
