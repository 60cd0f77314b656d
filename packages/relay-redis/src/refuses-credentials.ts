import { saidBy } from "@wye/relay";

/** Whether Redis has taken nobody for whom it was told: the words of Redis 6, and those before. */
export function refusesCredentials(error: unknown): boolean {
  return /\b(WRONGPASS|NOAUTH)\b|\binvalid password\b/.test(saidBy(error));
}
