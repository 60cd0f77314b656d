import {
  environmentStatus,
  type StatusOfConfiguration,
  type StatusOfEnvironment,
  sameParts,
  statusDocument,
} from "./status-document.js";

/** Gives the status document as text, which is kept as long as it would say the same. */
export function createStatusText(
  environments: () => readonly StatusOfEnvironment[],
  configuration: StatusOfConfiguration | undefined,
): () => string {
  let parts: readonly unknown[] = [];
  let text = "";
  return () => {
    const all = environments();
    const now = [
      configuration?.configured,
      configuration?.status,
      ...all.flatMap((environment) => [environment.name, environmentStatus(environment)]),
    ];
    if (text === "" || !sameParts(parts, now)) {
      text = JSON.stringify(statusDocument(all, configuration));
      parts = now;
    }
    return text;
  };
}
