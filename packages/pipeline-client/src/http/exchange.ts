import type { ApiRequest } from "./api-request.js";
import { checkedHeaders, headerText } from "./checked-headers.js";
import type { Credential, Credentials } from "./credentials.js";
import { type Failure, failureOfFetch, failureOfResponse } from "./failure.js";
import { readBody } from "./read-body.js";
import { createRedactor, type Redactor } from "./redactor.js";
import type { SentSecrets } from "./sent-secrets.js";
import type { Answer, SessionSettings } from "./session.js";
import { unlessAborted } from "./unless-aborted.js";

/** One try of a request. */
export interface Attempt {
  readonly request: ApiRequest;
  readonly url: string;
  readonly isRenewal: boolean;
  readonly signal: AbortSignal;
  /** What was sent before, which a server may still repeat; what is sent now is added. */
  readonly sent: SentSecrets;
}

export type Outcome =
  | { readonly answer: Answer }
  | { readonly failure: Failure; readonly redactor: Redactor };

/** Headers that say who asks. */
type CredentialHeaders = Readonly<Record<string, string>>;

/** Asks for credentials. An abort rejects with the signal's reason. */
export async function credentialsFor(
  attempt: Attempt,
  { auth }: SessionSettings,
): Promise<{ readonly headers: CredentialHeaders } | { readonly failure: Failure }> {
  try {
    return { headers: await headersOf(auth, attempt) };
  } catch (cause) {
    attempt.signal.throwIfAborted();
    const reason = `no credentials: ${cause instanceof Error ? cause.message : "they could not be had"}`;
    return { failure: { code: "credentials", reason, cause } };
  }
}

/** Sends one request and reads the answer. An abort rejects with the signal's reason. */
export async function exchange(
  attempt: Attempt,
  credentials: CredentialHeaders,
  settings: SessionSettings,
): Promise<Outcome> {
  attempt.sent.add(secretsOf({ ...settings.headers, ...credentials }));
  const redactor = createRedactor(attempt.sent.all);
  const response = await send(attempt, settings, credentials);
  if ("reason" in response) return { failure: response, redactor };
  const { bytes, problem, cause } = await readBody(response, settings.maxBodyBytes, attempt.signal);
  const failure = response.ok
    ? unreadable(response, problem, cause)
    : failureOfResponse(response, new TextDecoder().decode(bytes), settings.clock.now(), redactor);
  if (failure !== undefined) return { failure, redactor };
  return { answer: { status: response.status, headers: response.headers, bytes, redactor } };
}

/** Everything that says who asks: whole values, those of cookies, and what follows the scheme of an authorization. */
function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name === "authorization") return [value.slice(value.indexOf(" ") + 1)];
    if (name !== "cookie") return [value];
    return [value, ...value.split(";").map((part) => part.slice(part.indexOf("=") + 1).trim())];
  });
}

function unreadable(response: Response, problem: string | undefined, cause: unknown): Failure | undefined {
  if (problem !== undefined) {
    const reason = `the answer cannot be read: ${problem}`;
    return {
      code: "invalid_response",
      status: response.status,
      reason,
      cause,
      isRetryable: cause !== undefined,
    };
  }
  if (!/^(?:text\/html|application\/xhtml\+xml)/i.test(response.headers.get("content-type") ?? ""))
    return undefined;
  const reason = "the host answered with a web page instead of data";
  return { code: "login_required", status: response.status, reason };
}

/** Whatever keeps `fetch` from answering is a failure, except an abort. */
async function send(
  { request, url, signal }: Attempt,
  settings: SessionSettings,
  credentials: CredentialHeaders,
): Promise<Response | Failure> {
  const { body, method, contentType = "application/json" } = request;
  try {
    const answered: unknown = await unlessAborted(
      signal,
      settings.fetch(url, {
        method,
        headers: {
          accept: "application/json",
          ...settings.headers,
          ...credentials,
          ...(body !== undefined && { "content-type": contentType }),
        },
        ...(body !== undefined && { body }),
        // A redirect that is followed takes credentials along, wherever it leads.
        redirect: "manual",
        credentials: settings.cookies,
        signal,
      }),
    );
    if (isResponse(answered)) return answered;
    return { code: "network", reason: "no answer: `fetch` of the client gave no Response" };
  } catch (cause) {
    signal.throwIfAborted();
    return failureOfFetch(cause);
  }
}

/** A `fetch` of the host may give a Response of another library, or anything. */
function isResponse(value: unknown): value is Response {
  return (
    value instanceof Object &&
    "headers" in value &&
    value.headers instanceof Object &&
    "get" in value.headers &&
    "status" in value
  );
}

async function headersOf(auth: Credentials, attempt: Attempt): Promise<CredentialHeaders> {
  const [token, cookie, headers] = await Promise.all([
    given(auth.token, attempt),
    given(auth.cookie, attempt),
    given(auth.headers, attempt),
  ]);
  const own = token === undefined ? undefined : tokenText(token);
  return {
    ...plainHeaders(headers),
    ...(own !== undefined && own !== "" && { authorization: `Bearer ${own}` }),
    ...(cookie !== undefined && cookie !== "" && { cookie: headerText("cookie", cookie) }),
  };
}

function tokenText(token: string): string {
  // Tokens come from files and programs, with a line end.
  return typeof token === "string" ? headerText("token", token.trim()) : headerText("token", token);
}

function plainHeaders(headers: unknown): Record<string, string> {
  return headers === undefined ? {} : checkedHeaders("auth.headers", headers);
}

async function given<T extends string | Readonly<Record<string, string>>>(
  credential: Credential<T> | undefined,
  { isRenewal, signal }: Attempt,
): Promise<T | undefined> {
  if (typeof credential !== "function") return credential;
  return unlessAborted(signal, credential({ isRenewal, signal }));
}
