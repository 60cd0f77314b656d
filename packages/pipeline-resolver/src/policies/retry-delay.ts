import { checkArguments, describeValue, durationMs, type RetryPolicy } from "@wye/pipeline-spec";

const hour = 3_600_000;

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is none. The delay grows by the factor with
 * every failure, from the duration up to the maximum. What is not set is as the specification says: no delay, twice as long
 * each time, an hour at most; a longer maximum is an hour as well.
 *
 * @param failures  how many attempts have failed, from 1
 */
export function retryDelayMs(policy: RetryPolicy | undefined, failures: number): number | undefined {
  if (!Number.isInteger(failures) || failures < 1) {
    throw new TypeError(
      `retryDelayMs takes how many attempts have failed, from 1, not ${describeValue(failures)}`,
    );
  }
  if (policy !== undefined) checkArguments("retryDelayMs", "object", { policy });
  if (policy === undefined || failures > policy.maxRetryCount) return undefined;
  const { backoffDuration = "0s", backoffFactor, backoffMaxDuration } = policy;
  const first = Math.max(0, durationMs(backoffDuration));
  const most = backoffMaxDuration === undefined ? hour : Math.max(0, durationMs(backoffMaxDuration));
  // A factor of zero is one that is not set.
  const delay = first === 0 ? 0 : first * (backoffFactor > 0 ? backoffFactor : 2) ** (failures - 1);
  return Math.min(delay, most, hour);
}
