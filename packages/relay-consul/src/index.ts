export type { ConsulOptions } from "./consul-options.js";
export { consulStore } from "./consul-store.js";
