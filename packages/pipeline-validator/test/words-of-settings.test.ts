import { expect, test } from "vitest";
import type { Profile } from "../src/index.js";
import { exampleText } from "./example-text.js";
import { told } from "./told.js";

// What is said of each setting of Kubernetes that is wrong, where, and what to do about it.

const root = "/platforms/kubernetes/deploymentSpec/executors/exec-report/";
const toldOf = (text: string, profile: Profile = "kfp"): readonly string[] =>
  told(text, profile).map((line) => line.replaceAll(root, ""));
const k8s = (settings: string): string =>
  exampleText(
    "patch",
    `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {${settings}}}}}}\n`,
  );
const constant = (value: string): string => `{runtimeValue: {constant: ${value}}}`;
const aff = (one: string, of = "Expressions") => `nodeAffinity: [{match${of}: [{${one}}]}]`;
const init = (s: string) => `initContainers: [${s}]`;
const eph = (more: string) => `genericEphemeralVolume: [{mountPath: /e, volumeName: v, ${more}}]`;
const once = "accessModes: [ReadWriteOnce], defaultStorageClass: true, size: 1Gi";
const secretEnv = (key: string, v = "A") =>
  `secretAsEnv: [{secretNameParameter: ${constant("s")}, keyToEnv: [{secretKey: '${key}', envVar: ${v}}]}]`;

const configMapEnv = (key: string) =>
  `configMapAsEnv: [{configMapNameParameter: ${constant("c")}, keyToEnv: [{${key}}]}]`;

// biome-ignore format: a table
const rows: readonly (readonly [settings: string, ...told: readonly string[]])[] = [
  [aff("operator: In, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0: nothing says which label is meant | add key"],
  [aff("key: a b, operator: Exists"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/key: \"a b\" cannot be the name of a label"],
  [aff("key: a, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0: nothing says how the values are compared | add operator, such as In"],
  [aff("key: a, operator: In"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: In needs at least one value | add values"],
  [aff("key: a, operator: NotIn"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: NotIn needs at least one value | add values"],
  [aff("key: a, operator: Exists, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: Exists takes no values | use In, or remove values"],
  [aff("key: a, operator: DoesNotExist, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: DoesNotExist takes no values | use In, or remove values"],
  [aff("key: a, operator: Gt, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: Gt takes one whole number | write values: ['4']"],
  [aff("key: a, operator: Lt, values: ['1', '2']"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/values: Lt takes one whole number | write values: ['4']"],
  [aff("key: a, operator: Within, values: [b]"), "platform-value-invalid at nodeAffinity/0/matchExpressions/0/operator: \"Within\" is not a value of operator | there are \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\""],
  [aff("key: metadata.labels, operator: In, values: [n]", "Fields"), "platform-value-invalid at nodeAffinity/0/matchFields/0/key: \"metadata.labels\" is no field of a node that can be asked for | use metadata.name, or matchExpressions for labels"],
  [aff("operator: In, values: [n]", "Fields"), "platform-value-invalid at nodeAffinity/0/matchFields/0/key: \"\" is no field of a node that can be asked for | use metadata.name, or matchExpressions for labels"],
  [aff("key: metadata.name, operator: Exists", "Fields"), "platform-value-invalid at nodeAffinity/0/matchFields/0/operator: \"Exists\" is not a value of operator | there are \"In\", \"NotIn\""],
  [aff("key: metadata.name, operator: NotIn, values: [a, b]", "Fields"), "platform-value-invalid at nodeAffinity/0/matchFields/0/values: a field is compared with one value, not 2 | write one term for each value"],
  [aff("key: metadata.name, operator: In", "Fields"), "platform-value-invalid at nodeAffinity/0/matchFields/0/values: a field is compared with one value, not 0 | write one term for each value"],
  [init("{image: 'a:1'}"), "platform-value-invalid at initContainers/0: the init container has no name | add name"],
  [init("{name: a, image: 'a:1'}, {name: a, image: 'a:1'}"), "platform-value-invalid at initContainers/1/name: two init containers are called \"a\""],
  [init("{name: A, image: 'a:1'}"), "platform-value-invalid at initContainers/0/name: \"A\" cannot be the name of a container | use lower-case letters, digits and -"],
  [init("{name: wait, image: 'a:1'}"), "platform-value-invalid at initContainers/0/name: the pod has a container \"wait\" already | use another name"],
  [init("{name: a}"), "platform-value-invalid at initContainers/0: the init container \"a\" has no image | add image"],
  [init("{name: a, image: 'a b'}"), "platform-value-invalid at initContainers/0/image: \"a b\" is no reference of an image"],
  [init("{name: a, image: 'a:1', restartPolicy: Never}"), "platform-value-invalid at initContainers/0/restartPolicy: \"Never\" is not a value of restartPolicy | there is \"Always\""],
  [`emptyDirMounts: [{volumeName: a, mountPath: /x}, {volumeName: b, mountPath: /y}], ${init("{name: i, image: 'a:1', volumeMounts: [{volumeName: a, mountPath: /q}, {volumeName: b, mountPath: /q}]}")}`, "platform-value-invalid at initContainers/0/volumeMounts/1/mountPath: two volumes are mounted at \"/q\" | use another path"],
  [init("{name: a, image: 'a:1', resources: {requests: {cpu: '2'}, limits: {cpu: '1'}}}"), "platform-value-invalid at initContainers/0/resources/requests/cpu: the request \"2\" is above the limit \"1\""],
  [init("{name: a, image: 'a:1', resources: {requests: {cpu: two}, limits: {memory: -1Gi}}}"), "platform-value-invalid at initContainers/0/resources/requests/cpu: \"two\" is not an amount", "platform-value-invalid at initContainers/0/resources/limits/memory: \"-1Gi\" is not an amount"],
  ["tolerations: [{key: a, operator: Exists, value: b}]", "platform-value-invalid at tolerations/0/value: a toleration with the operator Exists has no value | use Equal"],
  ["tolerations: [{key: a b, operator: Exists}]", "platform-value-invalid at tolerations/0/key: \"a b\" cannot be the key of a taint"],
  ["tolerations: [{key: a, value: b c}]", "platform-value-invalid at tolerations/0/value: \"b c\" cannot be the value of a taint"],
  ["tolerations: [{operator: Equal}]", "platform-value-invalid at tolerations/0: a toleration without key tolerates every taint, which only the operator Exists does | add key, or use Exists"],
  ["tolerations: [{key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}]", "platform-value-invalid at tolerations/0/tolerationSeconds: tolerationSeconds is for the effect NoExecute only | use NoExecute"],
  ["tolerations: [{key: a, operator: Is}]", "platform-value-invalid at tolerations/0/operator: \"Is\" is not a value of operator | there are \"Exists\", \"Equal\""],
  ["tolerations: [{key: a, effect: No}]", "platform-value-invalid at tolerations/0/effect: \"No\" is not a value of effect | there are \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"", "ambiguous-scalar at tolerations/0/effect: No without quotes is text to the API server and a boolean to the Python SDK | put it in quotes, or write false"],
  ["nodeAffinity: [{matchExpressions: [{key: a, operator: Exists}], weight: 101}]", "platform-value-invalid at nodeAffinity/0/weight: the weight 101 is not between 1 and 100"],
  ["activeDeadlineSeconds: '2147483648'", "platform-value-invalid at activeDeadlineSeconds: 2147483648 cannot be a deadline | write a number up to 2147483647"],
  ["activeDeadlineSeconds: -1", "lifetime-negative at activeDeadlineSeconds: a deadline cannot be negative | remove it, or write how many seconds"],
  ["securityContext: {runAsUser: -1}", "platform-value-invalid at securityContext/runAsUser: -1 cannot be a user | write a number up to 2147483647"],
  ["securityContext: {runAsGroup: '2147483648'}", "platform-value-invalid at securityContext/runAsGroup: 2147483648 cannot be a group | write a number up to 2147483647"],
  ["securityContext: {runAsUser: 0, runAsNonRoot: true}", "platform-value-invalid at securityContext/runAsUser: user 0 is root, which runAsNonRoot forbids | use another user"],
  [secretEnv("a/b"), "platform-value-invalid at secretAsEnv/0/keyToEnv/0/secretKey: \"a/b\" cannot be a key of a secret or config map | use letters, digits, -, _ and ."],
  [secretEnv(""), "platform-value-invalid at secretAsEnv/0/keyToEnv/0: nothing says which key is meant | add secretKey"],
  [secretEnv("a", "1A"), "platform-value-invalid at secretAsEnv/0/keyToEnv/0/envVar: \"1A\" cannot be the name of an environment variable"],
  [secretEnv("a", "''"), "platform-value-invalid at secretAsEnv/0/keyToEnv/0/envVar: \"\" cannot be the name of an environment variable"],
  [secretEnv("a", "A.B"), "env-name-invalid at secretAsEnv/0/keyToEnv/0/envVar: programs and shells cannot read the variable \"A.B\" | use letters, digits and underscores, not beginning with a digit"],
  [`configMapAsEnv: [{configMapNameParameter: ${constant("c")}, keyToEnv: [{configMapKey: k, envVar: A.B}]}]`, "env-name-invalid at configMapAsEnv/0/keyToEnv/0/envVar: programs and shells cannot read the variable \"A.B\" | use letters, digits and underscores, not beginning with a digit"],
  ["fieldPathAsEnv: [{name: A.B, fieldPath: metadata.name}]", "env-name-invalid at fieldPathAsEnv/0/name: programs and shells cannot read the variable \"A.B\" | use letters, digits and underscores, not beginning with a digit"],
  [init("{name: a, image: 'a:1', env: [{name: A.B, value: c}]}"), "env-name-invalid at initContainers/0/env/0/name: programs and shells cannot read the variable \"A.B\" | use letters, digits and underscores, not beginning with a digit"],
  ["fieldPathAsEnv: [{name: A, fieldPath: spec.host}]", "platform-value-invalid at fieldPathAsEnv/0/fieldPath: \"spec.host\" is no field of a pod that a variable can take | use \"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\" and 4 more"],
  ["fieldPathAsEnv: [{name: A}]", "platform-value-invalid at fieldPathAsEnv/0/fieldPath: \"\" is no field of a pod that a variable can take | use \"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\" and 4 more"],
  ["fieldPathAsEnv: [{fieldPath: metadata.name}]", "platform-value-invalid at fieldPathAsEnv/0/name: \"\" cannot be the name of an environment variable"],
  ["emptyDirMounts: [{mountPath: /e}]", "platform-value-invalid at emptyDirMounts/0: the volume has no name | add volumeName"],
  ["emptyDirMounts: [{volumeName: v}]", "platform-value-invalid at emptyDirMounts/0/mountPath: nothing says where it is mounted | add mountPath"],
  ["emptyDirMounts: [{volumeName: v, mountPath: '/a:b'}]", "platform-value-invalid at emptyDirMounts/0/mountPath: the mount path \"/a:b\" has a colon | use a path without"],
  ["emptyDirMounts: [{volumeName: v, mountPath: /e, medium: memory}]", "platform-value-invalid at emptyDirMounts/0/medium: \"memory\" is not a value of medium | did you mean \"Memory\"?"],
  ["emptyDirMounts: [{volumeName: v, mountPath: /e, sizeLimit: lots}]", "platform-value-invalid at emptyDirMounts/0/sizeLimit: \"lots\" is not an amount | write 512Mi or 2Gi"],
  ["emptyDirMounts: [{volumeName: My_V, mountPath: /e}]", "kubernetes-name-invalid at emptyDirMounts/0/volumeName: \"My_V\" cannot be the name of a volume | use lower-case letters, digits and -"],
  ["emptyDirMounts: [{volumeName: v, mountPath: /}]", "mount-path-taken at emptyDirMounts/0/mountPath: the root of the container cannot be a volume | mount it elsewhere"],
  ["emptyDirMounts: [{volumeName: v, mountPath: e}]", "mount-path-relative at emptyDirMounts/0/mountPath: the mount path \"e\" is relative | write /e"],
  ["genericEphemeralVolume: [{mountPath: /e, volumeName: v, accessModes: [ReadWriteOnce], defaultStorageClass: true}]", "platform-value-invalid at genericEphemeralVolume/0: the volume has no size | add size, such as 5Gi"],
  [eph("accessModes: [ReadWriteOnce], storageClassName: Fast_SSD, size: 1Gi"), "platform-value-invalid at genericEphemeralVolume/0/storageClassName: \"Fast_SSD\" cannot be the name of a storage class | use lower-case letters, digits and -"],
  [eph("accessModes: [], defaultStorageClass: true, size: 1Gi"), "platform-value-invalid at genericEphemeralVolume/0/accessModes: a volume claim needs at least one access mode | write [ReadWriteOnce]"],
  [eph("accessModes: [Often], defaultStorageClass: true, size: 1Gi"), "platform-value-invalid at genericEphemeralVolume/0/accessModes/0: \"Often\" is no access mode | there are \"ReadWriteOnce\", \"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOncePod\""],
  [eph("accessModes: [ReadWriteOncePod, ReadOnlyMany], defaultStorageClass: true, size: 1Gi"), "platform-value-invalid at genericEphemeralVolume/0/accessModes/0: ReadWriteOncePod stands alone: only one pod may use the volume | remove it, or the others"],
  [eph("accessModes: [ReadWriteOnce], defaultStorageClass: true, size: '999999'"), "storage-tiny at genericEphemeralVolume/0/size: \"999999\" is less than a megabyte | write 999999Mi"],
  [eph("accessModes: [ReadWriteOnce], defaultStorageClass: true, size: '1000000'")],
  [eph("accessModes: [ReadWriteOnce], defaultStorageClass: true, size: '0'"), "platform-value-invalid at genericEphemeralVolume/0/size: \"0\" is not an amount above zero | write 5Gi"],
  ["pvcMount: [{constant: c, mountPath: /d, subPath: ../a}]", "platform-value-invalid at pvcMount/0/subPath: the path \"../a\" leads out of the volume | use a path from the root of the volume, without / and .."],
  ["pvcMount: [{constant: c, mountPath: /d, subPath: /a}]", "platform-value-invalid at pvcMount/0/subPath: the path \"/a\" leads out of the volume | use a path from the root of the volume, without / and .."],
  [`secretAsVolume: [{secretName: a, secretNameParameter: ${constant("b")}, mountPath: /s}]`, "platform-setting-ignored at secretAsVolume/0/secretName: this does nothing: secretNameParameter says \"b\" | change secretNameParameter, or write the same in both places"],
  [`imagePullSecret: [{secretName: a, secretNameParameter: {componentInputParameter: message}}]`, "platform-setting-ignored at imagePullSecret/0/secretName: this does nothing: secretNameParameter takes the name from elsewhere | change secretNameParameter, or write the same in both places"],
  [`configMapAsVolume: [{configMapName: a, configMapNameParameter: ${constant("b")}, mountPath: /s}]`, "platform-setting-ignored at configMapAsVolume/0/configMapName: this does nothing: configMapNameParameter says \"b\" | change configMapNameParameter, or write the same in both places"],
  [`configMapAsEnv: [{configMapName: a, configMapNameParameter: ${constant("b")}, keyToEnv: [{configMapKey: k, envVar: A}]}]`, "platform-setting-ignored at configMapAsEnv/0/configMapName: this does nothing: configMapNameParameter says \"b\" | change configMapNameParameter, or write the same in both places"],
  [`secretAsEnv: [{secretName: a, secretNameParameter: ${constant("b")}, keyToEnv: [{secretKey: k, envVar: A}]}]`, "platform-setting-ignored at secretAsEnv/0/secretName: this does nothing: secretNameParameter says \"b\" | change secretNameParameter, or write the same in both places"],
  [`pvcMount: [{constant: a, pvcNameParameter: ${constant("b")}, mountPath: /s}]`, "platform-setting-ignored at pvcMount/0/constant: this does nothing: pvcNameParameter says \"b\" | change pvcNameParameter, or write the same in both places"],
  [`pvcMount: [{componentInputParameter: message, pvcNameParameter: ${constant("b")}, mountPath: /s}]`, "platform-setting-ignored at pvcMount/0/componentInputParameter: this does nothing: pvcNameParameter says \"b\" | change pvcNameParameter, or write the same in both places"],
  [`tolerations: [{tolerationJson: ${constant("{key: a, operator: Exists}")}, key: a, operator: Exists, value: '', effect: NoExecute, tolerationSeconds: 5}]`, "platform-setting-ignored at tolerations/0/key: this does nothing: tolerationJson is all that the driver takes here | put it into tolerationJson", "platform-setting-ignored at tolerations/0/operator: this does nothing: tolerationJson is all that the driver takes here | put it into tolerationJson", "platform-setting-ignored at tolerations/0/effect: this does nothing: tolerationJson is all that the driver takes here | put it into tolerationJson", "platform-setting-ignored at tolerations/0/tolerationSeconds: this does nothing: tolerationJson is all that the driver takes here | put it into tolerationJson"],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: b}")}, labels: {c: d}}`, "platform-setting-ignored at nodeSelector/labels: this does nothing: nodeSelectorJson is all that the driver takes here | put it into nodeSelectorJson"],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("{}")}, matchFields: [{key: a}], matchExpressions: [{key: a}], weight: 5}]`, "platform-setting-ignored at nodeAffinity/0/matchFields: this does nothing: nodeAffinityJson is all that the driver takes here | put it into nodeAffinityJson", "platform-setting-ignored at nodeAffinity/0/matchExpressions: this does nothing: nodeAffinityJson is all that the driver takes here | put it into nodeAffinityJson", "platform-setting-ignored at nodeAffinity/0/weight: this does nothing: nodeAffinityJson is all that the driver takes here | put it into nodeAffinityJson"],
  ["podAffinity: [{matchPodLabels: {a: b}, weight: 101}]", "platform-setting-ignored at podAffinity/0: the open-source back end does nothing of this setting"],
  [`${secretEnv("a")}, fieldPathAsEnv: [{name: A, fieldPath: metadata.name}]`, "env-name-clash at fieldPathAsEnv/0/name: the variable \"A\" is set twice | see secretAsEnv/0/keyToEnv/0/envVar: already here"],
  [`imagePullSecret: [{secretNameParameter: ${constant("5")}}]`, "kubernetes-name-invalid at imagePullSecret/0/secretNameParameter/runtimeValue/constant: the name of a Kubernetes object is a text, not the number 5"],
  [`secretAsVolume: [{secretNameParameter: ${constant("a.b")}, mountPath: /s}]`, "kubernetes-name-invalid at secretAsVolume/0/secretNameParameter/runtimeValue/constant: the back end calls the volume \"a.b\" as well, which cannot be the name of one | use a name of at most 63 lower-case letters, digits and -"],
  [`secretAsVolume: [{secretNameParameter: ${constant("''")}, mountPath: /s}]`, "platform-source-type at secretAsVolume/0/secretNameParameter/runtimeValue/constant: the name is empty | write the name of the object"],
  ["imagePullSecret: [{secretName: My_S}]", "kubernetes-name-invalid at imagePullSecret/0/secretName: \"My_S\" cannot be the name of a Kubernetes object | use lower-case letters, digits and -"],
  ["podMetadata: {annotations: {a b: c}}", "label-invalid at podMetadata/annotations/a b: \"a b\" cannot be the name of an annotation"],
  ["podMetadata: {labels: {a b: c}}", "label-invalid at podMetadata/labels/a b: \"a b\" cannot be the name of a label"],
  ["podMetadata: {labels: {a: c d}}", "label-invalid at podMetadata/labels/a: \"c d\" cannot be the value of a label | use letters, digits, -, _ and ."],
  ["nodeSelector: {labels: {a b: c}}", "label-invalid at nodeSelector/labels/a b: \"a b\" cannot be the name of a label"],
  [`secretAsVolume: [{secretNameParameter: ${constant("app")}, mountPath: /a}], configMapAsVolume: [{configMapNameParameter: ${constant("app")}, mountPath: /b}]`, "volume-repeated at configMapAsVolume/0/configMapNameParameter/runtimeValue/constant: the volume \"app\" is a secret and a config map | give one of the two another name | see secretAsVolume/0/secretNameParameter/runtimeValue/constant: already here"],
  [`secretAsVolume: [{secretNameParameter: ${constant("gcs-scratch")}, mountPath: /a}]`, "volume-repeated at secretAsVolume/0/secretNameParameter/runtimeValue/constant: the back end has a volume \"gcs-scratch\" of its own, which is an empty folder and not a secret | use another name"],
  [`genericEphemeralVolume: [{mountPath: /e, volumeName: app, ${once}}], emptyDirMounts: [{volumeName: app, mountPath: /f}]`, "volume-repeated at emptyDirMounts/0/volumeName: the volume \"app\" is a claim of its own and an empty folder | give one of the two another name | see genericEphemeralVolume/0/volumeName: already here"],
  [`pvcMount: [{constant: app, mountPath: /p}], emptyDirMounts: [{volumeName: app, mountPath: /f}]`, "volume-repeated at emptyDirMounts/0/volumeName: the volume \"app\" is a volume claim and an empty folder | give one of the two another name | see pvcMount/0/constant: already here"],
  [`nodeSelector: {nodeSelectorJson: ${constant("[a]")}}`, "platform-source-type at nodeSelector/nodeSelectorJson/runtimeValue/constant: nodeSelectorJson is an object, not a list"],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: 5}")}}`, "platform-source-type at nodeSelector/nodeSelectorJson/runtimeValue/constant: the label \"a\" is a text, not the number 5 | put it in quotes"],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a b: c}")}}`, "platform-source-type at nodeSelector/nodeSelectorJson/runtimeValue/constant: \"a b\", \"c\" cannot be a label | use letters, digits, -, _ and ."],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: c d}")}}`, "platform-source-type at nodeSelector/nodeSelectorJson/runtimeValue/constant: \"a\", \"c d\" cannot be a label | use letters, digits, -, _ and ."],
  [`nodeSelector: {nodeSelectorJson: ${constant("{a: null, b: c}")}}`],
  [`nodeSelector: {nodeSelectorJson: ${constant("null")}}`],
  [`nodeSelector: {nodeSelectorJson: ${constant("'{{$.pipeline_job_name}}'")}}`],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("[a]")}}]`, "platform-source-type at nodeAffinity/0/nodeAffinityJson/runtimeValue/constant: nodeAffinityJson is an object, not a list"],
  [`tolerations: [{tolerationJson: ${constant("true")}}]`, "platform-source-type at tolerations/0/tolerationJson/runtimeValue/constant: tolerationJson is an object or a list, not true"],
  [`tolerations: [{tolerationJson: ${constant("[]")}}]`],
  [`tolerations: [{tolerationJson: ${constant("{}")}}]`],
  [`configMapAsVolume: [{configMapNameParameter: ${constant("''")}, mountPath: /s}]`, "platform-source-type at configMapAsVolume/0/configMapNameParameter/runtimeValue/constant: the name is empty | write the name of the object"],
  [`imagePullSecret: [{secretNameParameter: ${constant("null")}}]`, "kubernetes-name-invalid at imagePullSecret/0/secretNameParameter/runtimeValue/constant: the name of a Kubernetes object is a text, not null"],
  [`nodeAffinity: [{nodeAffinityJson: ${constant("x")}}]`, "platform-source-type at nodeAffinity/0/nodeAffinityJson/runtimeValue/constant: nodeAffinityJson is an object, not the text \"x\""],
  [`tolerations: [{tolerationJson: ${constant("5")}}]`, "platform-source-type at tolerations/0/tolerationJson/runtimeValue/constant: tolerationJson is an object or a list, not the number 5"],
  ["tolerations: [{tolerationJson: {componentInputParameter: message}}]", "platform-source-type at tolerations/0/tolerationJson/componentInputParameter: the value is of type STRING, and STRUCT or LIST is needed here | make it a STRUCT or LIST: a text with JSON in it is not read"],
  ["nodeSelector: {nodeSelectorJson: {componentInputParameter: message}}", "platform-source-type at nodeSelector/nodeSelectorJson/componentInputParameter: the value is of type STRING, and STRUCT is needed here | make it a STRUCT: a text with JSON in it is not read"],
  [`secretAsVolume: [{secretNameParameter: {}, mountPath: /a}]`, "platform-source-missing at secretAsVolume/0/secretNameParameter: nothing says where the value comes from | add runtimeValue.constant, componentInputParameter or taskOutputParameter"],
  ["tolerations: [{tolerationJson: {runtimeValue: {}}}]", "platform-source-missing at tolerations/0/tolerationJson: nothing says where the value comes from | add runtimeValue.constant, componentInputParameter or taskOutputParameter"],
  [`imagePullSecret: [{secretName: "{{$.inputs.parameters['message']}}"}]`, "placeholder-unsupported at imagePullSecret/0/secretName: the back end expands no placeholder of an input in the Kubernetes settings | name the input in componentInputParameter, or the output in taskOutputParameter"],
  [`tolerations: [{tolerationJson: ${constant(`"{{$.outputs.parameters['x'].output_file}}"`)}}]`, "placeholder-unsupported at tolerations/0/tolerationJson/runtimeValue/constant: the back end expands no placeholder of an input in the Kubernetes settings | name the input in componentInputParameter, or the output in taskOutputParameter"],
  ["imagePullSecret: [{secretNameParameter: {componentInputParameter: massage}}]", "platform-input-unknown at imagePullSecret/0/secretNameParameter/componentInputParameter: component \"comp-branch\" has no input parameter \"massage\" | there is \"label\""],
  ["imagePullSecret: [{secretNameParameter: {componentInputParameter: lable}}]", "platform-input-unknown at imagePullSecret/0/secretNameParameter/componentInputParameter: component \"comp-branch\" has no input parameter \"lable\" | did you mean \"label\"?"],
  ["imagePullSecret: [{secretNameParameter: {componentInputParameter: rows}}]", "platform-input-unknown at imagePullSecret/0/secretNameParameter/componentInputParameter: component \"comp-branch\" has no input parameter \"rows\" | the root has it: declare it here as well, and hand it down from task to task"],
  ["imagePullSecret: [{secretNameParameter: {taskOutputParameter: {producerTask: none, outputParameterKey: x}}}]", "platform-input-unknown at imagePullSecret/0/secretNameParameter/taskOutputParameter/producerTask: there is no task \"none\" in component \"comp-branch\" | there is \"report\""],
  ["imagePullSecret: [{secretNameParameter: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}]", "platform-input-unknown at imagePullSecret/0/secretNameParameter/taskOutputParameter/producerTask: there is no task \"prepare\" in component \"comp-branch\" | it is a task of the root"],
  ["configMapAsEnv: [{keyToEnv: [{configMapKey: k, envVar: A}]}]", "platform-name-missing at configMapAsEnv/0: nothing says which one is meant here | add configMapNameParameter"],
  ["secretAsEnv: [{keyToEnv: [{secretKey: k, envVar: A}]}]", "platform-name-missing at secretAsEnv/0: nothing says which one is meant here | add secretNameParameter"],
  ["secretAsVolume: [{mountPath: /a}]", "platform-name-missing at secretAsVolume/0: nothing says which one is meant here | add secretNameParameter"],
  ["configMapAsVolume: [{mountPath: /a}]", "platform-name-missing at configMapAsVolume/0: nothing says which one is meant here | add configMapNameParameter"],
  ["pvcMount: [{mountPath: /a}]", "platform-name-missing at pvcMount/0: nothing says which one is meant here | add pvcNameParameter"],
  [`configMapAsEnv: [{configMapNameParameter: ${constant("c")}}]`, "secret-keys-missing at configMapAsEnv/0: no key of it becomes a variable | add keyToEnv"],
  [`${init("{name: a, image: 'a:1', volumeMounts: [{volumeName: v, mountPath: x}]}")}, emptyDirMounts: [{volumeName: v, mountPath: /x}]`, "platform-value-invalid at initContainers/0/volumeMounts/0/mountPath: the mount path \"x\" is not absolute | begin it with /"],
  [`${init("{name: a, image: 'a:1', volumeMounts: [{volumeName: v}]}")}, emptyDirMounts: [{volumeName: v, mountPath: /x}]`, "platform-value-invalid at initContainers/0/volumeMounts/0/mountPath: nothing says where it is mounted | add mountPath"],
  ["emptyDirMounts: [{volumeName: v, mountPath: /a}, {volumeName: w, mountPath: /a}]", "mount-path-repeated at emptyDirMounts/1/mountPath: two volumes are mounted at \"/a\" | see emptyDirMounts/0/mountPath: already here"],
  ["enabledSharedMemory: {volumeName: s}", "platform-setting-ignored at enabledSharedMemory: the open-source back end does nothing of this setting | mount an empty folder at /dev/shm with medium: Memory"],
  ["imagePullPolicy: always", "platform-value-invalid at imagePullPolicy: \"always\" is not a value of imagePullPolicy | did you mean \"Always\"?"],
  [configMapEnv("configMapKey: a/b, envVar: A"), "platform-value-invalid at configMapAsEnv/0/keyToEnv/0/configMapKey: \"a/b\" cannot be a key of a secret or config map | use letters, digits, -, _ and ."],
  [configMapEnv("envVar: A"), "platform-value-invalid at configMapAsEnv/0/keyToEnv/0: nothing says which key is meant | add configMapKey"],
  [configMapEnv("configMapKey: k, envVar: 1A"), "platform-value-invalid at configMapAsEnv/0/keyToEnv/0/envVar: \"1A\" cannot be the name of an environment variable"],
  [configMapEnv("configMapKey: 5, envVar: A"), "platform-field-type at configMapAsEnv/0/keyToEnv/0/configMapKey: expected text, got the number 5 | put it in quotes"],
  [configMapEnv("configMapKey: k, envVar: 5"), "platform-field-type at configMapAsEnv/0/keyToEnv/0/envVar: expected text, got the number 5 | put it in quotes"],
  [init("{name: a, image: 'a:1', env: [{name: 1A, value: c}]}"), "platform-value-invalid at initContainers/0/env/0/name: \"1A\" cannot be the name of an environment variable"],
  ["tolerations: [{key: a, operator: Exists, tolerationSeconds: 5}]", "platform-value-invalid at tolerations/0/tolerationSeconds: tolerationSeconds is for the effect NoExecute only | use NoExecute"],
  ["fieldPathAsEnv: [{name: A, fieldPath: \"metadata.labels['']\"}]", "platform-value-invalid at fieldPathAsEnv/0/fieldPath: \"metadata.labels['']\" is no field of a pod that a variable can take | use \"metadata.name\", \"metadata.namespace\", \"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\" and 4 more"],
  ["fieldPathAsEnv: [{name: A, fieldPath: \"metadata.annotations['a']\"}, {name: B, fieldPath: \"metadata.labels['b']\"}]"],
  ["nodeAffinity: [{matchFields: [{key: 5, operator: In, values: [a]}]}]", "platform-field-type at nodeAffinity/0/matchFields/0/key: expected text, got the number 5 | put it in quotes"],
  ["tolerations: [{operator: 5}, {key: 5}]", "platform-field-type at tolerations/0/operator: expected text, got the number 5 | put it in quotes", "platform-field-type at tolerations/1/key: expected text, got the number 5 | put it in quotes"],
  [eph("accessModes: [[ReadWriteOnce]], defaultStorageClass: true, size: 1Gi"), "platform-field-type at genericEphemeralVolume/0/accessModes/0: expected text, got a list | write ReadWriteOnce"],
  ["configMapAsVolume: [{configMapName: c, mountPath: /c}], configMapAsEnv: [{configMapName: c, keyToEnv: [{configMapKey: k, envVar: K}]}]"],
  ["pvcMount: [{taskOutputParameter: 5, mountPath: /x}]", "platform-field-type at pvcMount/0/taskOutputParameter: expected an object (TaskOutputParameterSpec), got the number 5"],
  ["pvcMount: [{componentInputParameter: 5, mountPath: /x}]", "platform-field-type at pvcMount/0/componentInputParameter: expected text, got the number 5 | put it in quotes"],
  [`fieldPathAsEnv: [{name: A, fieldPath: metadata.labels.${"a".repeat(60)}}]`, `platform-value-invalid at fieldPathAsEnv/0/fieldPath: "metadata.labels.${"a".repeat(60)}" is no field of a pod that a variable can take | write metadata.labels['${"a".repeat(60)}']`],
  [`fieldPathAsEnv: [{name: A, fieldPath: metadata.labels.${"a".repeat(61)}}]`, `platform-value-invalid at fieldPathAsEnv/0/fieldPath: "metadata.labels.${"a".repeat(61)}" is no field of a pod that a variable can take | use "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName" and 4 more`],
  ["fieldPathAsEnv: [{name: A, fieldPath: 5}, {name: 5, fieldPath: metadata.name}]", "platform-field-type at fieldPathAsEnv/0/fieldPath: expected text, got the number 5 | put it in quotes", "platform-field-type at fieldPathAsEnv/1/name: expected text, got the number 5 | put it in quotes"],
  ["genericEphemeralVolume: [{mountPath: /e, volumeName: v, size: 5, defaultStorageClass: true, accessModes: [ReadWriteOnce]}]", "platform-field-type at genericEphemeralVolume/0/size: expected text, got the number 5 | put it in quotes"],
  ["emptyDirMounts: [{mountPath: /e, volumeName: 5}]", "platform-field-type at emptyDirMounts/0/volumeName: expected text, got the number 5 | put it in quotes"],
  [`configMapAsVolume: [{configMapName: a, configMapNameParameter: ${constant("a")}, mountPath: /s}]`],
  ["pvcMount: [{componentInputParameter: message, pvcNameParameter: {componentInputParameter: message}, mountPath: /s}]"],
  ["initContainers: [{name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn, image: 'a:1'}]"],
  ["initContainers: [{name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn, image: 'a:1'}]", "platform-value-invalid at initContainers/0/name: \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\" cannot be the name of a container | use lower-case letters, digits and -"],
  ["initContainers: [{name: 5, image: 'a:1'}]", "platform-field-type at initContainers/0/name: expected text, got the number 5 | put it in quotes"],
  ["initContainers: [{name: a, image: 5}]", "platform-field-type at initContainers/0/image: expected text, got the number 5 | put it in quotes"],
  ["emptyDirMounts: [{volumeName: a, mountPath: /x}], initContainers: [{name: a, image: 'a:1', volumeMounts: [{volumeName: a}, {volumeName: a}]}]", "platform-value-invalid at initContainers/0/volumeMounts/0/mountPath: nothing says where it is mounted | add mountPath", "platform-value-invalid at initContainers/0/volumeMounts/1/mountPath: nothing says where it is mounted | add mountPath"],
  ["initContainers: [{name: a, image: 'a:1', resources: {requests: {cpu: '1'}, limits: {cpu: '1'}}}]"],
  ["initContainers: [{name: a, image: 'a:1', resources: {requests: {cpu: '0'}}}]"],
  ["emptyDirMounts: [{volumeName: 'a', mountPath: /a, medium: Memory}, {volumeName: 'a', mountPath: /b}]", "volume-merged at emptyDirMounts/1/volumeName: two volumes are called \"a\", and become one | give one of the two another name | see emptyDirMounts/0/volumeName: already here"],
  ["emptyDirMounts: [{volumeName: '{{$.pipeline_job_name}}', mountPath: /a, medium: Memory}, {volumeName: '{{$.pipeline_job_name}}', mountPath: /b}]", "kubernetes-name-invalid at emptyDirMounts/0/volumeName: \"{{$.pipeline_job_name}}\" cannot be the name of a volume | use lower-case letters, digits and -", "kubernetes-name-invalid at emptyDirMounts/1/volumeName: \"{{$.pipeline_job_name}}\" cannot be the name of a volume | use lower-case letters, digits and -"],
  ["emptyDirMounts: [{volumeName: '', mountPath: /a, medium: Memory}, {volumeName: '', mountPath: /b}]", "platform-value-invalid at emptyDirMounts/0: the volume has no name | add volumeName", "platform-value-invalid at emptyDirMounts/1: the volume has no name | add volumeName"],
  ["secretAsVolume: [{secretNameParameter: {runtimeValue: {constant: app}}, mountPath: /a}], secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: app}}, keyToEnv: [{secretKey: k, envVar: A}]}]"],
  ["emptyDirMounts: [{volumeName: s3-scratch, mountPath: /e}, {volumeName: dot-cache-scratch, mountPath: /f}]"],
  ["pvcMount: [{constant: s3-scratch, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"s3-scratch\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: minio-scratch, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"minio-scratch\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: dot-local-scratch, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"dot-local-scratch\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: dot-cache-scratch, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"dot-cache-scratch\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: dot-config-scratch, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"dot-config-scratch\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: kfp-launcher, mountPath: /p}]", "volume-repeated at pvcMount/0/constant: the back end has a volume \"kfp-launcher\" of its own, which is an empty folder and not a volume claim | use another name"],
  ["pvcMount: [{constant: c, mountPath: /p}], initContainers: [{name: a, image: 'a:1', volumeMounts: [{volumeName: b, mountPath: /q}]}]"],
];
test.each(rows.map(([settings, ...lines]) => [settings, lines] as const))("%s", (settings, lines) => {
  expect(toldOf(k8s(settings))).toEqual(lines);
});

test("the same name in its old and its new field is one name", () => {
  expect(toldOf(k8s(`imagePullSecret: [{secretName: a, secretNameParameter: ${constant("a")}}]`))).toEqual(
    [],
  );
});

test("an amount of shared memory is looked at for the other profile", () => {
  const of = (size: string) => toldOf(k8s(`enabledSharedMemory: {volumeName: s, size: ${size}}`), "spec");
  expect(of("1Gi")).toEqual([]);
  expect(of("lots")).toEqual([
    'platform-value-invalid at enabledSharedMemory/size: "lots" is not an amount | write 512Mi or 2Gi',
  ]);
});

test("what the back end does nothing of is told to the letter for the other profile", () => {
  const of = (more: string) => toldOf(k8s(`podAffinity: [{${more}}]`), "spec");
  const at = "platform-value-invalid at podAffinity/0";
  const topology = `${at}: nothing says what the pods are to have in common | add topologyKey, such as kubernetes.io/hostname`;
  const wanted = "values: In needs at least one value | add values";
  expect(of("matchPodLabels: {a: b}")).toEqual([topology]);
  expect(of("topologyKey: 5").map((line) => line.split(":")[0])).toEqual([
    "platform-field-type at podAffinity/0/topologyKey",
  ]);
  expect(of("topologyKey: zone, weight: 1")).toEqual([]);
  expect(of("topologyKey: zone, weight: 100")).toEqual([]);
  expect(of("topologyKey: zone, weight: 0")).toEqual([`${at}/weight: the weight 0 is not between 1 and 100`]);
  expect(of("topologyKey: zone, weight: 101")).toEqual([
    `${at}/weight: the weight 101 is not between 1 and 100`,
  ]);
  for (const field of ["matchPodExpressions", "matchNamespaceExpressions"])
    expect(of(`topologyKey: zone, ${field}: [{key: a, operator: In}]`)).toEqual([
      `${at}/${field}/0/${wanted}`,
    ]);
});

const claims = "accessModes: [ReadWriteOnce], storageClassName: fast";
test.each([
  ["emptyDirMounts", "", "", true],
  ["emptyDirMounts", "medium: Memory", "medium: Memory", true],
  ["emptyDirMounts", "medium: ''", "", true],
  ["emptyDirMounts", "", "medium: Memory", false],
  ["emptyDirMounts", "medium: Memory", "medium: HugePages", false],
  ["emptyDirMounts", "sizeLimit: 1Gi", "sizeLimit: 1Gi", true],
  ["emptyDirMounts", "sizeLimit: ''", "", true],
  ["emptyDirMounts", "sizeLimit: 1Gi", "sizeLimit: 2Gi", false],
  ["emptyDirMounts", "sizeLimit: 1Gi", "", false],
  ["genericEphemeralVolume", `size: 1Gi, ${claims}`, `size: 1Gi, ${claims}`, true],
  ["genericEphemeralVolume", `size: 1Gi, ${claims}`, `size: 2Gi, ${claims}`, false],
  ["genericEphemeralVolume", `size: 1Gi, ${claims}`, `size: 1Gi, ${claims.replace("Once", "Many")}`, false],
  ["genericEphemeralVolume", `size: 1Gi, ${claims}`, `size: 1Gi, ${claims.replace("fast", "slow")}`, false],
])("%s of one name, with %j and %j, are alike: %j", (list, one, other, alike) => {
  const volume = (path: string, more: string) => `{volumeName: a, mountPath: ${path}${more && `, ${more}`}}`;
  const lines = toldOf(k8s(`${list}: [${volume("/a", one)}, ${volume("/b", other)}]`));
  const merged = lines.filter((line) => line.startsWith("volume-merged"));
  expect(merged.map((line) => line.slice(0, line.indexOf(":")))).toEqual(
    alike ? [] : [`volume-merged at ${list}/1/volumeName`],
  );
});
