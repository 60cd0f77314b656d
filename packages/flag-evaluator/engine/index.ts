export { evaluate } from "./flags";
export { gather, measure } from "./response";
