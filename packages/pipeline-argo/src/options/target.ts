/** The versions of the back end that workflows can be made for. */
export type ArgoTarget = "2.16" | "2.17" | "main";

/** How the workflows of one version differ from those of the others. */
export interface TargetTraits {
  /** Drivers get the time at which the workflow was made. */
  readonly createTime: boolean;
  /** Templates say in an annotation whether they run a driver or a launcher. */
  readonly runtimeRole: boolean;
  /** Switches are always there with their value, rather than only when they are on. */
  readonly explicitFlags: boolean;
  /** Pods of drivers can get labels and annotations. */
  readonly driverPodMetadata: boolean;
  /** Containers that ask for root where root is not allowed are refused. */
  readonly refusesRoot: boolean;
}

/** The traits of each version. */
export const targets: { readonly [T in ArgoTarget]: TargetTraits } = {
  "2.16": {
    createTime: false,
    runtimeRole: false,
    explicitFlags: false,
    driverPodMetadata: false,
    refusesRoot: false,
  },
  "2.17": {
    createTime: true,
    runtimeRole: true,
    explicitFlags: false,
    driverPodMetadata: false,
    refusesRoot: false,
  },
  main: {
    createTime: true,
    runtimeRole: true,
    explicitFlags: true,
    driverPodMetadata: true,
    refusesRoot: true,
  },
};
