import { hash } from "node:crypto";

/** The kinds of credentials; each is a namespace of its own. */
export type CredentialKind = "sdkKey" | "mobileKey" | "envId";

/** What leads to an environment. */
export interface Credential {
  readonly kind: CredentialKind;
  readonly value: string;
  /** The moment from which it is unknown, in Unix milliseconds. Without one it is accepted as long as it is here. */
  readonly expires?: number;
}

/** A key that is accepted beside the present one of its kind. */
export interface AcceptedKey extends Credential {
  readonly kind: "sdkKey" | "mobileKey";
  /** Another one has taken its place: it is not among those that the host lists, and goes when it expires. */
  readonly replaced?: true;
}

/** One key of each kind. */
export interface OwnKeys {
  /** The key of server-side SDKs, with which upstream is asked. */
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId?: string;
}

/** The keys that lead to an environment. */
export interface EnvironmentKeys extends OwnKeys {
  /** Others that are accepted, oldest first. */
  readonly further: readonly AcceptedKey[];
  /** Others that are listed, and not accepted as long as they open something else. */
  readonly refused?: readonly AcceptedKey[];
}

/** Whether events may be sent with a key of an environment in place of another one of it: nobody else has had it. */
export type IsOwnKey = (kind: AcceptedKey["kind"], key: string) => boolean;

/** All credentials that lead to an environment. */
export function credentialsOf({ sdkKey, mobileKey, envId, further }: EnvironmentKeys): Credential[] {
  const own: Credential[] = [{ kind: "sdkKey", value: sdkKey }];
  if (mobileKey !== undefined) own.push({ kind: "mobileKey", value: mobileKey });
  if (envId !== undefined) own.push({ kind: "envId", value: envId });
  return [...own, ...further];
}

/** The credentials that are accepted at a moment: those that have expired may still be listed. */
export function acceptedCredentials(keys: EnvironmentKeys, now: number): Credential[] {
  return credentialsOf(keys).filter(({ expires = Number.POSITIVE_INFINITY }) => now < expires);
}

/** The keys of a kind that upstream may know: the one that it knew last, the present one, others that are accepted. */
export function likelyKeys(
  { further, ...present }: EnvironmentKeys,
  kind: AcceptedKey["kind"],
  known?: string,
): readonly string[] {
  const others = further.filter((key) => key.kind === kind).map(({ value }) => value);
  return [...new Set([known, present[kind], ...others].filter((key) => key !== undefined))];
}

/**
 * The key in an `Authorization` header: the value alone, or after `api_key `. `undefined` when there is none, or when the
 * value contains a blank, as other schemes (`Bearer …`) do.
 */
export function keyFromAuthorization(header: string | undefined): string | undefined {
  const key = header?.startsWith("api_key ") ? header.slice("api_key ".length).trim() : header;
  return key === undefined || key === "" || key.includes(" ") ? undefined : key;
}

/**
 * What a credential is looked up by. Comparing digests tells an attacker who measures time nothing about how much of a
 * guessed key was right; an environment ID stands in every page and needs none.
 */
export function credentialDigest(kind: CredentialKind, value: string): string {
  return kind === "envId" ? `envId:${value}` : hash("sha256", `${kind}:${value}`, "base64");
}

const knownPrefix = /^(?:sdk|mob|rel|api)-/;
const mostVisible = 5;

/**
 * A credential as people may see it: a known prefix (`sdk-`, `mob-`, `rel-`, `api-`), hyphens, and at most the last five
 * characters, never more than a third of it. Everything else becomes an asterisk, whatever alphabet the key uses.
 */
export function maskCredential(credential: string): string {
  const prefix = knownPrefix.exec(credential)?.[0] ?? "";
  const secret = credential.slice(prefix.length);
  const visible = Math.min(mostVisible, Math.floor(secret.length / 3));
  const hidden = secret.slice(0, secret.length - visible);
  return prefix + hidden.replaceAll(/[^-]/gu, "*") + secret.slice(secret.length - visible);
}
