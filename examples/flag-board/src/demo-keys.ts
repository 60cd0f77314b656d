/** The keys of the one environment: invented, known to everybody, and good for nothing but this demonstration. */
export const demoKeys = {
  sdkKey: "demo-sdk-key",
  mobileKey: "demo-mobile-key",
  envId: "demo-environment",
} as const;
