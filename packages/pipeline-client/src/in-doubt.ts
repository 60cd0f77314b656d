import { PipelineClientError } from "./client-error.js";

/** Whether the server may have carried out all the same what the error tells of. What may be asked once more has not been carried out. */
export function isInDoubt({ code, retryable }: PipelineClientError): boolean {
  if (retryable) return false;
  return code === "network" || code === "timeout" || code === "server_error" || code === "invalid_response";
}

/** The same error, with the id by which what was to be made can be looked for. */
export function withDoubt(error: PipelineClientError, doubt: string): PipelineClientError {
  const { code, status, serverCode, serverMessage, request, attempts, retryable } = error;
  return new PipelineClientError(
    error.message.replace(`; ${error.remedy}`, ""),
    { ...{ code, status, serverCode, serverMessage, request, attempts, retryable }, remedy: doubt },
    { cause: error },
  );
}
