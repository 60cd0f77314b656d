import { describeValue, isObject } from "@wye/pipeline-spec";

/**
 * Refuses what is no report, such as the text that was to be validated.
 *
 * @throws TypeError that names the function
 */
export function checkReport(caller: string, report: unknown): void {
  if (isObject(report) && Array.isArray(report.problems) && isObject(report.counts)) return;
  throw new TypeError(`${caller} takes what validatePipeline gives, not ${describeValue(report)}`);
}
