import { describe, expect, test } from "vitest";
import type { PipelineClientErrorCode } from "../client-error.js";
import { remedyOf } from "./remedy.js";

const host = "https://a.example/apis/v2beta1";
const login =
  "the session is missing or has ended: log in and give `auth` its cookie, or a token that the gateway accepts";
const token =
  "give `auth` a token, or a function that gives a fresh one; tokens of a pod need the audience pipelines.kubeflow.org";
const nothing = "nothing is at this address: check `host`, which often ends in /pipeline";
const taken = 'give another name, or upload a new version with `ifExists: "version"`';
const authority =
  "give `fetch` the authority, in Node `nodeFetch({ ca })`; the whole process trusts that in NODE_EXTRA_CA_CERTS";
const silent =
  "the server tells no reasons of uploads: the namespace may be closed to you, or the file is not what it takes";
const notRetried = "only a run that has failed can be retried";
const users = "the server has several users: give the client a `namespace`";
const older = "the server does not know this call: it may be older than the call";

describe("what to do about", () => {
  test.each<[code: PipelineClientErrorCode, reason: string, remedy: string | undefined, path?: string]>([
    [
      "network",
      "no answer: the server does not speak https",
      "write the address with http:// in front: where there is nothing, https is taken",
    ],
    ["network", "no answer: the certificate of the server is not trusted: x", authority],
    ["network", "no answer: no `fetch` asks at this port", "use another port, or a `fetch` of your own"],
    ["network", "no answer: socket hang up", undefined],
    ["timeout", "no answer within 5 ms", undefined],
    ["unauthenticated", "x", token],
    ["login_required", "x", login],
    ["forbidden", "x", "ask for access to the namespace, or give another `namespace`"],
    ["not_found", "404 page not found", nothing],
    ["not_found", "x 404 page not found", undefined],
    ["not_found", "404 page not found: x", undefined],
    ["not_found", "Not Found", nothing],
    ["not_found", "Run x Not Found", undefined],
    ["not_found", "Not Found x", undefined],
    ["not_found", "the server answered 404", nothing],
    ["not_found", "<center>", nothing],
    ["not_found", "NGINX", nothing],
    ["not_found", "Run 5 not found", undefined],
    ["conflict", "The name x Already exists", taken],
    ["conflict", "already existed", taken],
    ["conflict", "The name must be unique", taken],
    ["conflict", "x", taken, "/pipelines/upload"],
    ["conflict", "x", taken, "/pipelines/upload?name=y"],
    [
      "conflict",
      "x",
      "the pipeline has a version of this name: give another `versionName`",
      "/pipelines/upload_version",
    ],
    ["conflict", "the run cannot be retried", notRetried],
    ["conflict", "no retry", notRetried],
    ["conflict", "Workflow manifest is empty", notRetried],
    ["conflict", "x", undefined],
    ["unsupported", "x", older],
    ["bad_request", "Namespace is empty", users],
    ["bad_request", "Experiment ID can not be empty", "the server has several users: name an `experiment`"],
    [
      "bad_request",
      "Failed to terminate a run 5 due to error: row not found",
      "the run has ended or is being terminated already",
    ],
    ["bad_request", "row not found", undefined],
    ["bad_request", "x", silent, "/pipelines/upload"],
    ["bad_request", "x", silent, "/pipelines/upload_version"],
    ["bad_request", "x", undefined],
    ["invalid_response", "more than 20 bytes", "raise `maxBodyBytes`, or ask for smaller pages"],
    ["invalid_response", "more than x bytes", undefined],
    ["rate_limited", "x", "ask less often"],
    [
      "credentials",
      "no token within 20 ms",
      "what `auth` of the client was given has not answered: nothing was sent",
    ],
    ["credentials", "x", "see the cause: what `auth` of the client was given has failed"],
    ["server_error", "x", undefined],
    ["invalid_pipeline", "namespace", undefined],
  ])("%s: %s", (code, reason, remedy, path = "/runs") => {
    expect(remedyOf(code, reason, `${host}${path}`)).toBe(remedy);
  });
});
