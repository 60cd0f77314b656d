import { expect, test } from "vitest";
import { stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

// What Kubernetes just takes of each setting, and what it just does not.

const root = "/platforms/kubernetes/deploymentSpec/executors/exec-report";
/** Where values are found that Kubernetes does not take. */
function wrongPlaces(config: object, profile: "kfp" | "spec" = "kfp"): readonly string[] {
  const platform = {
    platforms: { kubernetes: { deploymentSpec: { executors: { "exec-report": config } } } },
  };
  return validatePipeline(`${examplePipeline}---\n${stringify(platform)}`, { profile })
    .problems.filter(({ code }) => code === "platform-value-invalid")
    .map(({ path }) => path.slice(root.length));
}

const claim = (more: object) => ({ pvcMount: [{ constant: "c", mountPath: "/x", ...more }] });
const toleration = (more: object) => ({ tolerations: [{ key: "a", operator: "Equal", ...more }] });
const term = (more: object) => ({
  nodeAffinity: [{ matchExpressions: [{ key: "a", operator: "Exists" }], ...more }],
});
const podTerm = (more: object) => ({ podAffinity: [{ topologyKey: "zone", ...more }] });
const disk = (more: object) => ({ emptyDirMounts: [{ volumeName: "v", mountPath: "/x", ...more }] });
const ephemeral = (more: object) => ({
  genericEphemeralVolume: [
    {
      volumeName: "v",
      mountPath: "/x",
      size: "5Gi",
      accessModes: ["ReadWriteOnce"],
      defaultStorageClass: true,
      ...more,
    },
  ],
});
const secret = { runtimeValue: { constant: "s" } };
const secretKey = (secretKey: string, envVar = "A") => ({
  secretAsEnv: [{ secretNameParameter: secret, keyToEnv: [{ secretKey, envVar }] }],
});
const field = (fieldPath: string) => ({ fieldPathAsEnv: [{ name: "A", fieldPath }] });
const user = (more: object) => ({ securityContext: more });

// biome-ignore format: a table
const rows: readonly (readonly [name: string, right: object, wrong: object, place: string])[] = [
  ["a deadline", { activeDeadlineSeconds: "2147483647" }, { activeDeadlineSeconds: "2147483648" }, "/activeDeadlineSeconds"],
  ["a user", user({ runAsUser: "2147483647" }), user({ runAsUser: "2147483648" }), "/securityContext/runAsUser"],
  ["a user from 0", user({ runAsUser: "0" }), user({ runAsUser: "-1" }), "/securityContext/runAsUser"],
  ["a group", user({ runAsGroup: "2147483647" }), user({ runAsGroup: "2147483648" }), "/securityContext/runAsGroup"],
  ["a group from 0", user({ runAsGroup: "0" }), user({ runAsGroup: "-1" }), "/securityContext/runAsGroup"],
  ["root where that is not forbidden", user({ runAsUser: "0", runAsNonRoot: false }), user({ runAsUser: "0", runAsNonRoot: true }), "/securityContext/runAsUser"],
  ["another user than root", user({ runAsUser: "1", runAsNonRoot: true }), user({ runAsUser: "0", runAsNonRoot: true }), "/securityContext/runAsUser"],
  ["the least weight", term({ weight: 1 }), term({ weight: 0 }), "/nodeAffinity/0/weight"],
  ["the greatest weight", term({ weight: 100 }), term({ weight: 101 }), "/nodeAffinity/0/weight"],
  ["a value without Exists", toleration({ value: "b" }), toleration({ value: "b", operator: "Exists" }), "/tolerations/0/value"],
  ["Exists for every taint", toleration({ key: "", operator: "Exists" }), toleration({ key: "" }), "/tolerations/0"],
  ["Exists for every taint, said", toleration({ key: "", operator: "Exists" }), toleration({ key: "", operator: "" }), "/tolerations/0"],
  ["a key of a taint", toleration({ key: "a.b/c" }), toleration({ key: "a b" }), "/tolerations/0/key"],
  ["a domain before the key of a taint", toleration({ key: `${"d".repeat(253)}/c` }), toleration({ key: `${"d".repeat(254)}/c` }), "/tolerations/0/key"],
  ["a value of a taint", toleration({ value: "v".repeat(63) }), toleration({ value: "v".repeat(64) }), "/tolerations/0/value"],
  ["seconds for NoExecute", toleration({ effect: "NoExecute", tolerationSeconds: "5" }), toleration({ effect: "NoSchedule", tolerationSeconds: "5" }), "/tolerations/0/tolerationSeconds"],
  ["pages of a size", disk({ medium: "HugePages-2Mi" }), disk({ medium: "HugePages-2M" }), "/emptyDirMounts/0/medium"],
  ["pages of ten digits", disk({ medium: "HugePages-1234567890Mi" }), disk({ medium: "HugePages-12345678901Mi" }), "/emptyDirMounts/0/medium"],
  ["pages of a tebibyte", disk({ medium: "HugePages-1Ti" }), disk({ medium: "HugePages-1Pi" }), "/emptyDirMounts/0/medium"],
  ["pages of any size", disk({ medium: "HugePages" }), disk({ medium: "HugePage" }), "/emptyDirMounts/0/medium"],
  ["the memory", disk({ medium: "Memory" }), disk({ medium: "memory" }), "/emptyDirMounts/0/medium"],
  ["an amount of 0", disk({ sizeLimit: "0" }), disk({ sizeLimit: "-1" }), "/emptyDirMounts/0/sizeLimit"],
  ["no amount", disk({ sizeLimit: "" }), disk({ sizeLimit: "1Gb" }), "/emptyDirMounts/0/sizeLimit"],
  ["a name of a volume", disk({}), disk({ volumeName: "" }), "/emptyDirMounts/0"],
  ["a size above 0", ephemeral({ size: "1" }), ephemeral({ size: "0" }), "/genericEphemeralVolume/0/size"],
  ["a size that is one", ephemeral({ size: "1Gi" }), ephemeral({ size: "1GB" }), "/genericEphemeralVolume/0/size"],
  ["a size at all", ephemeral({}), ephemeral({ size: "" }), "/genericEphemeralVolume/0"],
  ["an access mode", ephemeral({ accessModes: ["ReadOnlyMany"] }), ephemeral({ accessModes: [] }), "/genericEphemeralVolume/0/accessModes"],
  ["a known access mode", ephemeral({ accessModes: ["ReadOnlyMany", "ReadWriteMany"] }), ephemeral({ accessModes: ["ReadOnlyMany", "ReadMany"] }), "/genericEphemeralVolume/0/accessModes/1"],
  ["one pod alone", ephemeral({ accessModes: ["ReadWriteOncePod"] }), ephemeral({ accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] }), "/genericEphemeralVolume/0/accessModes/0"],
  ["a storage class", ephemeral({ storageClassName: "fast-1" }), ephemeral({ storageClassName: "fast_1" }), "/genericEphemeralVolume/0/storageClassName"],
  ["a key of a secret", secretKey("a.b_c-d"), secretKey("a/b"), "/secretAsEnv/0/keyToEnv/0/secretKey"],
  ["a key of a secret with a dot", secretKey("a."), secretKey("."), "/secretAsEnv/0/keyToEnv/0/secretKey"],
  ["a long key of a secret", secretKey("K".repeat(253)), secretKey("K".repeat(254)), "/secretAsEnv/0/keyToEnv/0/secretKey"],
  ["a key at all", secretKey("a"), secretKey(""), "/secretAsEnv/0/keyToEnv/0"],
  ["a variable", secretKey("a", "_A.b-1"), secretKey("a", "1A"), "/secretAsEnv/0/keyToEnv/0/envVar"],
  ["a field of a pod", field("status.podIP"), field("status.podIp"), "/fieldPathAsEnv/0/fieldPath"],
  ["a label of a pod", field("metadata.labels['a/b']"), field("metadata.labels.a"), "/fieldPathAsEnv/0/fieldPath"],
  ["a path in a volume", claim({ subPath: "a/..b/c.." }), claim({ subPath: "a/../b" }), "/pvcMount/0/subPath"],
  ["a path from the root of a volume", claim({ subPath: "a/b" }), claim({ subPath: "/a/b" }), "/pvcMount/0/subPath"],
  ["a mount path without a colon", claim({ mountPath: "/a-b" }), claim({ mountPath: "/a:b" }), "/pvcMount/0/mountPath"],
  ["a mount path at all", claim({ mountPath: "a" }), claim({ mountPath: "" }), "/pvcMount/0/mountPath"],
];

for (const [name, right, wrong, place] of rows) {
  test(name, () => {
    expect(wrongPlaces(right)).toEqual([]);
    expect(wrongPlaces(wrong)).toEqual([place]);
  });
}

test("what the back end does nothing of is looked at for the other profile", () => {
  expect(wrongPlaces(podTerm({ weight: 101 }))).toEqual([]);
  expect(wrongPlaces(podTerm({ weight: 101 }), "spec")).toEqual(["/podAffinity/0/weight"]);
  expect(wrongPlaces(podTerm({ weight: 100 }), "spec")).toEqual([]);
});
