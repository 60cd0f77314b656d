import type { PostgresHealth, PostgresState } from "./postgres-health.js";

/** Keeps what there is to say about the health of a catalogue. */
export class HealthRecord {
  #health: PostgresHealth = {
    state: "loading",
    since: Date.now(),
    vehicles: 0,
    loadedAt: undefined,
    confirmedAt: undefined,
    failures: 0,
    problem: undefined,
  };

  read(): PostgresHealth {
    return this.#health;
  }

  load(vehicles: number): void {
    this.#health = { ...this.#health, vehicles, loadedAt: Date.now() };
  }

  confirm(): void {
    this.#enter("live", { confirmedAt: Date.now(), failures: 0, problem: undefined });
  }

  fail(problem: string): void {
    const { failures, loadedAt } = this.#health;
    this.#enter(loadedAt === undefined ? "loading" : "stale", { failures: failures + 1, problem });
  }

  close(): void {
    this.#enter("closed", {});
  }

  #enter(state: PostgresState, changes: Partial<PostgresHealth>): void {
    const since = state === this.#health.state ? this.#health.since : Date.now();
    this.#health = { ...this.#health, ...changes, state, since };
  }
}
