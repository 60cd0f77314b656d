export type { CatalogueErrorCode } from "../catalogue-error.js";
export { CatalogueError } from "../catalogue-error.js";
export type { ReadVehicles } from "../records/read-vehicles.js";
export type { RecordProblem, RecordRepair } from "../records/record-problem.js";
export { formatRecordProblem } from "../records/record-problem.js";
export type { OpenEvData } from "./vehicles-from-open-ev-data.js";
export { isOpenEvData, vehiclesFromOpenEvData } from "./vehicles-from-open-ev-data.js";
