/** What people call an environment and its project. */
export interface EnvironmentAbout {
  readonly envKey?: string;
  readonly envName?: string;
  readonly projKey?: string;
  readonly projName?: string;
}

/** The members of what it is called. */
export const aboutNames: readonly (keyof EnvironmentAbout)[] = ["envKey", "envName", "projKey", "projName"];
