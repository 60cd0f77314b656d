import type { RuleSeverity } from "./rule.js";

/** All severities that a rule can have. */
export const severities: readonly RuleSeverity[] = ["error", "warning", "info", "style", "off"];

/** The same, for people. */
export const severityNames = '"error", "warning", "info", "style" or "off"';
