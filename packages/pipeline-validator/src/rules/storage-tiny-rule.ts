import type { PipelineGraph } from "@wye/pipeline-spec";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { kubernetes, platform } from "../platform-part.js";
import { largerUnit, parseQuantity } from "../quantity.js";
import { quote } from "../quote.js";
import { type Place, type Rule, underKfp } from "../rule.js";
import { claimTasks } from "../volume-claims.js";

/** Storage that is asked for in bytes, as nobody means it. */
export const storageTiny: Rule = {
  id: "storage-tiny",
  summary: "A volume is asked for with at least a megabyte.",
  reason:
    "A plain number is bytes and `m` is thousandths of one: some classes of storage refuse so little, and others give less than was meant.",
  severity: underKfp("warning"),
  examples: {
    wrong: platform("{pipelineConfig: {workspace: {size: '5'}}}"),
    right: platform("{pipelineConfig: {workspace: {size: 5Gi}}}"),
  },
  *check(index) {
    for (const { size, ...place } of sizes(index)) {
      const bytes = parseQuantity(size);
      if (bytes === undefined || bytes <= 0 || bytes >= 1e6) continue;
      yield { ...place, message: `${quote(size)} is less than a megabyte`, hint: largerUnit(size) };
    }
  },
};

/** What is asked for: by the workspace, by claims that tasks make, and by volumes of their own claims. */
function* sizes(index: PipelineGraph): Generator<Place & { readonly size: string }> {
  const at = "/platforms/kubernetes/pipelineConfig/workspace/size";
  yield { at, size: kubernetes(index)?.pipelineConfig?.workspace?.size ?? "" };
  for (const task of claimTasks(index)) {
    const source = task.input("parameter", "size")?.source;
    if (source?.kind === "constant" && typeof source.value === "string")
      yield { at: source.at, size: source.value };
  }
  for (const { name, message, path } of index.once(kubernetesSettings).messages) {
    if (name === "GenericEphemeralVolume") yield { at: `${path}/size`, size: message.size };
  }
}
