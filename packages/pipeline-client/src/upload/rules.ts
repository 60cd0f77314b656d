// Loaded when something is checked. What bundlers take in whole is this file, and of the package only what it names.
export { validatePipeline, validateRuntimeConfig } from "@wye/pipeline-validator";
