/** Type of a field of a Kubernetes setting: a scalar, a map of texts, or a message; `[]` means a list of them. */
export interface KubernetesField {
  readonly type: string;
  readonly isList: boolean;
}

// One line per message: its fields with their types. S text, B true or false, I integer, M map of texts; P and O are
// InputParameterSpec and TaskOutputParameterSpec of the pipeline specification, J any object.
const table = `
KubernetesExecutorConfig secretAsVolume:SecretAsVolume[] secretAsEnv:SecretAsEnv[] pvcMount:PvcMount[] nodeSelector:NodeSelector podMetadata:PodMetadata imagePullSecret:ImagePullSecret[] imagePullPolicy:S configMapAsVolume:ConfigMapAsVolume[] configMapAsEnv:ConfigMapAsEnv[] activeDeadlineSeconds:I fieldPathAsEnv:FieldPathAsEnv[] tolerations:Toleration[] genericEphemeralVolume:GenericEphemeralVolume[] nodeAffinity:NodeAffinityTerm[] podAffinity:PodAffinityTerm[] enabledSharedMemory:EnabledSharedMemory emptyDirMounts:EmptyDirMount[] securityContext:SecurityContext initContainers:InitContainer[]
EnabledSharedMemory volumeName:S size:S
SecretAsVolume secretName:S mountPath:S optional:B secretNameParameter:P
SecretAsEnv secretName:S keyToEnv:SecretKeyToEnvMap[] optional:B secretNameParameter:P
SecretKeyToEnvMap secretKey:S envVar:S
PvcMount taskOutputParameter:O constant:S componentInputParameter:S mountPath:S pvcNameParameter:P subPath:S
NodeSelector labels:M nodeSelectorJson:P
PodMetadata labels:M annotations:M
ConfigMapAsVolume configMapName:S mountPath:S optional:B configMapNameParameter:P
ConfigMapAsEnv configMapName:S keyToEnv:ConfigMapKeyToEnvMap[] configMapNameParameter:P optional:B
ConfigMapKeyToEnvMap configMapKey:S envVar:S
GenericEphemeralVolume volumeName:S mountPath:S accessModes:S[] size:S defaultStorageClass:B storageClassName:S metadata:PodMetadata
ImagePullSecret secretName:S secretNameParameter:P
FieldPathAsEnv name:S fieldPath:S
Toleration key:S operator:S value:S effect:S tolerationSeconds:I tolerationJson:P
SelectorRequirement key:S operator:S values:S[]
NodeAffinityTerm matchExpressions:SelectorRequirement[] matchFields:SelectorRequirement[] weight:I nodeAffinityJson:P
PodAffinityTerm matchPodExpressions:SelectorRequirement[] matchPodLabels:M topologyKey:S namespaces:S[] matchNamespaceExpressions:SelectorRequirement[] matchNamespaceLabels:M weight:I anti:B
SecurityContext runAsUser:I runAsGroup:I runAsNonRoot:B
EmptyDirMount volumeName:S mountPath:S medium:S sizeLimit:S
InitContainer name:S image:S command:S[] args:S[] env:InitContainerEnvVar[] volumeMounts:InitContainerVolumeMount[] restartPolicy:S resources:InitContainerResources
InitContainerEnvVar name:S value:S
InitContainerVolumeMount volumeName:S mountPath:S
InitContainerResources requests:M limits:M
`;

/** The fields of each message of the Kubernetes settings, by lower-camel name. */
export const kubernetesMessages: ReadonlyMap<string, ReadonlyMap<string, KubernetesField>> = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [message = "", ...fields] = line.split(" ");
      return [message, new Map(fields.map(readField))] as const;
    }),
);

function readField(text: string): readonly [name: string, field: KubernetesField] {
  const [name = "", type = ""] = text.split(":");
  return [name, { type: type.replace("[]", ""), isList: type.endsWith("[]") }];
}
