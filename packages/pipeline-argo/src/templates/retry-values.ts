import { type Duration, durationMs, type RetryPolicy } from "@wye/pipeline-spec";

/** The inputs of executors that try again, in the order of limit, wait, factor, longest wait. */
export const retryInputs = [
  "retry-max-count",
  "retry-backoff-duration",
  "retry-backoff-factor",
  "retry-backoff-max-duration",
] as const;

/** What a task gives to these inputs. */
export function retryValues(policy: RetryPolicy | undefined): Readonly<Record<string, string | undefined>> {
  if (policy === undefined) return {};
  const [count, duration, factor, maxDuration] = retryInputs;
  return {
    [count]: String(policy.maxRetryCount),
    [duration]: wholeSeconds(policy.backoffDuration),
    [factor]: goNumber(policy.backoffFactor),
    [maxDuration]: wholeSeconds(policy.backoffMaxDuration),
  };
}

function wholeSeconds(duration: Duration | undefined): string | undefined {
  return duration === undefined ? undefined : String(Math.trunc(durationMs(duration) / 1000) || 0);
}

/** A number as Go prints it by default: with an exponent of two digits or more from a million, and below a ten-thousandth. */
function goNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
