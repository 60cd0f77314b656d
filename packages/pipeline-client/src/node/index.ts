export { type DiscoveryOptions, discoverConnection, type PipelineConnection } from "./discover-connection.js";
export { type NodeFetchOptions, nodeFetch } from "./node-fetch.js";
export { podTokenPath, tokenFile } from "./token-file.js";
