import { longText } from "../compile/long-text.js";
import { tagsIn } from "../problems/argo-tags.js";
import {
  annotationFindings,
  isNamespace,
  isObjectName,
  labelFindings,
} from "../problems/kubernetes-names.js";
import type { Finding } from "../problems/problem-book.js";
import { quote } from "../problems/quote.js";
import type { Settings } from "./settings.js";

/** What Kubernetes, Linux or Argo refuses of what the options put into the workflow. */
export function* optionFindings({ options, target, ...settings }: Settings): Generator<Finding> {
  for (const name of [
    "namespace",
    "mlPipelineServiceName",
    "metadataServiceName",
    "clusterDomain",
  ] as const) {
    const value = options[name];
    const isName = name === "clusterDomain" ? isObjectName : isNamespace;
    if (value !== undefined && !isName(value))
      yield optionFinding("kubernetes-name", name, `${quote(value)} is no name`);
  }
  // The name is an argument of every driver, as the proxies are.
  const { displayName = "" } = options;
  const { httpProxy, httpsProxy, noProxy } = settings;
  for (const [name, value] of Object.entries({ displayName, httpProxy, httpsProxy, noProxy })) {
    const message = longText(value);
    if (message !== undefined) yield optionFinding("long-argument", name, message);
  }
  for (const { code, message } of tagsIn(displayName, "")) yield optionFinding(code, "displayName", message);
  if (!target.driverPodMetadata) return;
  for (const { code, message } of labelFindings(options.driverPodLabels ?? {}, ""))
    yield optionFinding(code, "driverPodLabels", message);
  for (const { code, message } of annotationFindings(options.driverPodAnnotations ?? {}, ""))
    yield optionFinding(code, "driverPodAnnotations", message);
}

function optionFinding(code: Finding["code"], option: string, message: string): Finding {
  return { code, path: "", message: `${option}: ${message}` };
}
