import { isObject } from "@wye/pipeline-spec";
import type { ArgoWorkflow } from "./argo-workflow.js";
import type { Compilation } from "./compile/compilation.js";
import { annotationFindings, isObjectName, labelFindings } from "./problems/kubernetes-names.js";
import type { Finding } from "./problems/problem-book.js";
import { quote } from "./problems/quote.js";
import { claimName } from "./workspace-claim.js";

/** What Kubernetes does not take of a workflow, or nobody makes for it, whether the pipeline, an option or the patch has put it there. */
export function* workflowFindings(
  { spec }: ArgoWorkflow,
  { workspaceUsers }: Compilation,
): Generator<Finding> {
  const {
    serviceAccountName,
    podMetadata,
    nodeSelector,
    volumeClaimTemplates,
  }: Readonly<Record<string, unknown>> = spec;
  // Argo fills in its tags before there are pods.
  const account = typeof serviceAccountName === "string" ? serviceAccountName : "none";
  if (!isObjectName(account) && !account.includes("{{")) {
    const message = `serviceAccountName: ${quote(account)} is no name`;
    yield { code: "kubernetes-name", path: "", message };
  }
  const { labels, annotations }: Readonly<Record<string, unknown>> = isObject(podMetadata) ? podMetadata : {};
  yield* inField("podMetadata", labelFindings(textsOf(labels), ""));
  yield* inField("podMetadata", annotationFindings(textsOf(annotations), ""));
  yield* inField("nodeSelector", labelFindings(textsOf(nodeSelector), ""));
  if (!hasClaim(volumeClaimTemplates)) {
    const message = "this waits for the claim of a workspace, which nobody makes";
    const hint = "add pipelineConfig.workspace with a size and kubernetes to the settings of the pipeline";
    for (const path of workspaceUsers.values())
      yield { code: "workspace-claim", path, part: "key", message, hint };
  }
}

/** None of these has a place in the pipeline: its own labels are looked at where they stand. */
function* inField(field: string, findings: Iterable<Finding>): Generator<Finding> {
  for (const { code, message } of findings) yield { code, path: "", message: `${field}: ${message}` };
}

/** The texts of a map, which a patch may have made anything. */
function textsOf(map: unknown): Readonly<Record<string, string>> {
  const entries = isObject(map) ? Object.entries(map) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function hasClaim(claims: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(claims) ? claims : [];
  return list.some((one) => isObject(one) && isObject(one.metadata) && one.metadata.name === claimName);
}
