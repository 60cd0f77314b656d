/** What a function that gives a credential is told. */
export interface CredentialRequest {
  /** True when the server has just refused what was given before: fetch a new one, if there is any. */
  readonly isRenewal: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A credential, or what gives one: it is asked before every request, and once more when the server does not accept it. */
export type Credential<T> = T | ((request: CredentialRequest) => T | undefined | PromiseLike<T | undefined>);

/**
 * Who asks. Several go along together. None of them gets into an error or a log.
 *
 * Browsers send no `cookie` that a program gives them: there, set `cookies` of the client to `include`.
 */
export interface Credentials {
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: Credential<string> | undefined;
  /** Sent as `Cookie`, such as `authservice_session=…` of Dex or `GCP_IAP_UID=…`. */
  readonly cookie?: Credential<string> | undefined;
  /** Other headers, such as `kubeflow-userid` inside of a cluster. */
  readonly headers?: Credential<Readonly<Record<string, string>>> | undefined;
}
