import { PipelineClientError } from "../client-error.js";
import type { CallOptions, RequestSettings } from "../client-options.js";
import { type ApiRequest, queryText } from "./api-request.js";
import { type Attempt, credentialsFor, exchange, type Outcome } from "./exchange.js";
import { type Failure, failureToError, mayBeDone } from "./failure.js";
import { checkCall, type KnownCall } from "./known-call.js";
import { onAbort } from "./on-abort.js";
import { createRedactor } from "./redactor.js";
import { SentSecrets } from "./sent-secrets.js";
import type { Answer, Call, Session, SessionSettings } from "./session.js";
import { sessionSettings } from "./session-settings.js";
import { pause } from "./unless-aborted.js";

/** Makes what sends the requests of a client. */
export function createSession(host: string, options: RequestSettings): Session {
  const settings = sessionSettings(host, options);
  const sent = new SentSecrets();
  return {
    settings,
    start(given: CallOptions = {}, known: KnownCall<CallOptions> = plainCall) {
      checkCall(given, known);
      return startCall(given, settings);
    },
    send: (request, call) => sendRequest(request, call, settings, sent),
    unusable: (request, reason, redactor = createRedactor([]), cause = undefined) => {
      const url = `${settings.host}${request.path}`;
      const failure: Failure = {
        ...{ code: "invalid_response", reason, cause },
        isInDoubt: !request.isRepeatable,
      };
      return failureToError(failure, { method: request.method, url }, 1, redactor);
    },
  };
}

const plainCall: KnownCall<CallOptions> = { caller: "a call", options: {} };

function startCall(options: CallOptions, { clock, timeoutMs, deadlineMs }: SessionSettings): Call {
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  return {
    signal,
    timeoutMs: options.timeoutMs ?? timeoutMs,
    endsAt: clock.now() + (options.deadlineMs ?? deadlineMs),
  };
}

async function sendRequest(
  request: ApiRequest,
  call: Call,
  settings: SessionSettings,
  sent: SentSecrets,
): Promise<Answer> {
  const { clock, retry } = settings;
  const url = `${settings.host}${request.path}${queryText(request.query)}`;
  let isRenewal = false;
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce({ request, url, isRenewal, sent }, call, settings);
    if ("answer" in outcome) return outcome.answer;
    const { failure, redactor } = outcome;
    const mayRepeat = failure.isRetryable === true && (request.isRepeatable || failure.isUndone === true);
    const isInDoubt = !request.isRepeatable && mayBeDone(failure);
    const told = { ...failure, isRetryable: mayRepeat, isInDoubt };
    const error = failureToError(told, { method: request.method, url }, attempt, redactor);
    if (isRefusal(failure) && !isRenewal && canRenew(settings)) {
      isRenewal = true;
      continue;
    }
    const backoffMs = clock.random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** (attempt - 1));
    const delayMs = Math.max(failure.retryAfterMs ?? 0, backoffMs);
    const isTooLong = delayMs > retry.maxDelayMs || clock.now() + delayMs >= call.endsAt;
    if (!mayRepeat || attempt > retry.limit || isTooLong) throw error;
    tellRetry(settings, { request: error.request ?? "", attempt, delayMs, error });
    await pause(delayMs, clock, call.signal);
    isRenewal = false;
  }
}

/** Whether nothing was done for want of another credential. Gateways say so by their login page, or by the way to it. */
function isRefusal({ code }: Failure): boolean {
  return code === "unauthenticated" || code === "login_required";
}

/** Whether something can give another credential than the one that was refused. */
function canRenew({ auth }: SessionSettings): boolean {
  return Object.values(auth).some((one) => typeof one === "function");
}

function tellRetry({ onRetry }: SessionSettings, event: Parameters<SessionSettings["onRetry"]>[0]): void {
  // Whoever watches has no say in what happens, at once or later.
  new Promise((resolve) => resolve(onRetry(event))).catch(() => {});
}

/** Sends a request once, with a limit of time; the reason of the caller's signal is thrown. */
async function attemptOnce(
  given: Omit<Attempt, "signal">,
  call: Call,
  settings: SessionSettings,
): Promise<Outcome> {
  const { clock } = settings;
  const timeoutMs = Math.max(0, Math.min(call.timeoutMs, call.endsAt - clock.now()));
  const controller = new AbortController();
  const timeout = new PipelineClientError("timeout", { code: "timeout" });
  call.signal.throwIfAborted();
  const leave = onAbort(call.signal, () => controller.abort(call.signal.reason));
  const cancelTimer = clock.after(timeoutMs, () => controller.abort(timeout));
  const attempt: Attempt = { ...given, signal: controller.signal };
  let isSent = false;
  try {
    const credentials = await credentialsFor(attempt, settings);
    if ("failure" in credentials) return { ...credentials, redactor: createRedactor(attempt.sent.all) };
    isSent = true;
    return await exchange(attempt, credentials.headers, settings);
  } catch (error) {
    // Frees a connection whose body nobody will read.
    controller.abort();
    call.signal.throwIfAborted();
    if (error !== timeout) throw error;
    const rest = timeoutMs < call.timeoutMs ? " that were left of the call" : "";
    const time = `within ${Math.round(timeoutMs)} ms${rest}`;
    const failure: Failure = isSent
      ? { code: "timeout", reason: `no complete answer ${time}`, isRetryable: true }
      : { ...{ code: "credentials", isRetryable: true, isUndone: true }, reason: `no credentials ${time}` };
    return { failure, redactor: createRedactor([]) };
  } finally {
    cancelTimer();
    leave();
  }
}
