import type { FakeRequest } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { invalid, refusal } from "./refusal.js";

/** Who asks for what. */
export interface AccessQuestion {
  /** Empty when nobody knows who asks. */
  readonly user: string;
  readonly namespace: string;
  /** `runs`, `experiments`, `jobs`, `pipelines`. */
  readonly resource: string;
  /** `get`, `list`, `create` and the like. */
  readonly verb: string;
  readonly name: string;
}

/** Says whether somebody may do something: the reason why not, or nothing. */
export type AccessReview = (question: AccessQuestion) => string | undefined;

/** Where an access is looked at, in the words of the server. */
export interface AccessPlace {
  readonly namespace: string;
  readonly resource: string;
  readonly verb: string;
  readonly name?: string;
  /** Its id in messages, where that is not its name. */
  readonly subject?: string;
  /** Before the reason. */
  readonly wrapping: string;
  /** What was tried, in the words of the server; access to the thing if not given. */
  readonly attempt?: string;
  /** What to say when there must be a namespace and there is none. */
  readonly emptyNamespace?: string;
}

/** Looks at identity, namespace and permission, where there are several users. */
export function checkAccess(
  { isMultiUser }: Pick<FakeStore, "isMultiUser">,
  review: AccessReview,
  request: FakeRequest,
  { namespace, resource, verb, name = "", subject = name, wrapping, attempt, emptyNamespace }: AccessPlace,
): void {
  if (!isMultiUser) return;
  if (emptyNamespace !== undefined && namespace === "") throw invalid(wrapping, emptyNamespace);
  const user = userOf(request);
  const tried = `Failed to access ${resource.slice(0, -1)} ${subject}. Check if you have access to namespace ${namespace}`;
  const access = `${wrapping}: ${attempt ?? tried}`;
  if (user === "") {
    const none = "Request header error: there is no user identity header.";
    const unknown = "Failed to check authorization. User identity is empty in the request header";
    const { authorization } = request.headers;
    const wrong = "Header 'Authorization' is incorrectly formatted. Expected prefix 'Bearer '";
    const reasons = `Unauthenticated: ${none}: ${none}`;
    const why = authorization === undefined ? reasons : `[${reasons}, BadRequestError: ${wrong}: ${wrong}]`;
    throw refusal(16, `${access}: Unauthenticated: ${unknown}: ${why}`, unknown);
  }
  const reason = review({ user, namespace, resource, verb, name });
  if (reason === undefined) return;
  const attributes = `&ResourceAttributes{Namespace:${namespace},Verb:${verb},Group:pipelines.kubeflow.org,Version:v1beta1,Resource:${resource},Subresource:,Name:${name},FieldSelector:nil,LabelSelector:nil,}`;
  const told = `User '${user}' is not authorized with reason: ${reason} (request: ${attributes})`;
  throw refusal(7, `${access}: PermissionDenied: ${told}: Unauthorized access`, told);
}

/** The header that a gateway sets, or a token, which every fake review accepts. */
function userOf({ headers }: FakeRequest): string {
  const header = headers["kubeflow-userid"] ?? headers["x-goog-authenticated-user-email"];
  if (header !== undefined && header !== "") return header.replace(/^accounts\.google\.com:/, "");
  return /^Bearer \S/.test(headers.authorization ?? "") ? "test" : "";
}
