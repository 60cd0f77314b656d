export type { ExitCode } from "./exit-code.js";
export type { Host, Output } from "./host.js";
export { run } from "./program.js";
