import type { PipelineClientErrorCode } from "../client-error.js";

interface Remedy {
  readonly code: PipelineClientErrorCode;
  /** What the server said, or where it was asked. */
  readonly when?: RegExp;
  readonly remedy: string;
}

/** What to do, by what went wrong: the first that fits. */
const remedies: readonly Remedy[] = [
  {
    code: "network",
    when: /does not speak https/,
    remedy: "write the address with http:// in front: where there is nothing, https is taken",
  },
  {
    code: "network",
    when: /certificate of the server/,
    remedy:
      "give `fetch` the authority, in Node `nodeFetch({ ca })`; the whole process trusts that in NODE_EXTRA_CA_CERTS",
  },
  { code: "network", when: /at this port/, remedy: "use another port, or a `fetch` of your own" },
  {
    code: "unauthenticated",
    remedy:
      "give `auth` a token, or a function that gives a fresh one; tokens of a pod need the audience pipelines.kubeflow.org",
  },
  {
    code: "login_required",
    remedy:
      "the session is missing or has ended: log in and give `auth` its cookie, or a token that the gateway accepts",
  },
  { code: "forbidden", remedy: "ask for access to the namespace, or give another `namespace`" },
  {
    code: "not_found",
    when: /^404 page not found$|^Not Found$|answered 404|<|nginx/i,
    remedy: "nothing is at this address: check `host`, which often ends in /pipeline",
  },
  {
    code: "conflict",
    when: /already exist|pipelines\/upload\b|must be unique/i,
    remedy: 'give another name, or upload a new version with `ifExists: "version"`',
  },
  {
    code: "conflict",
    when: /pipelines\/upload_version/,
    remedy: "the pipeline has a version of this name: give another `versionName`",
  },
  {
    code: "conflict",
    when: /retr(y|ied)|workflow manifest/i,
    remedy: "only a run that has failed can be retried",
  },
  { code: "unsupported", remedy: "the server does not know this call: it may be older than the call" },
  {
    code: "bad_request",
    when: /namespace/i,
    remedy: "the server has several users: give the client a `namespace`",
  },
  {
    code: "bad_request",
    when: /experiment id can not be empty/i,
    remedy: "the server has several users: name an `experiment`",
  },
  {
    code: "bad_request",
    when: /failed to terminate a run .*row not found/i,
    remedy: "the run has ended or is being terminated already",
  },
  {
    code: "bad_request",
    when: /pipelines\/upload/,
    remedy:
      "the server tells no reasons of uploads: the namespace may be closed to you, or the file is not what it takes",
  },
  {
    code: "invalid_response",
    when: /more than \d+ bytes/,
    remedy: "raise `maxBodyBytes`, or ask for smaller pages",
  },
  { code: "rate_limited", remedy: "ask less often" },
  {
    code: "credentials",
    when: /within \d+ ms/,
    remedy: "what `auth` of the client was given has not answered: nothing was sent",
  },
  {
    code: "credentials",
    remedy: "see the cause: what `auth` of the client was given has failed",
  },
];

/** What to do about a failure; undefined where nobody knows. */
export function remedyOf(code: PipelineClientErrorCode, reason: string, url: string): string | undefined {
  const found = remedies.find(
    (one) => one.code === code && (one.when === undefined || one.when.test(reason) || one.when.test(url)),
  );
  return found?.remedy;
}
