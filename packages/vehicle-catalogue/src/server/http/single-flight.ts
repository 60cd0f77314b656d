import { type Awaitable, isPending } from "../awaitable.js";
import type { CatalogueCall } from "../catalogue.js";
import { type AbortableCall, createCall } from "./abortable-call.js";

/** Lets requests for the same thing share the work for it. It is given up when all of them have gone. */
export type SingleFlight<Value> = (
  key: string,
  call: CatalogueCall,
  start: (call: CatalogueCall) => Awaitable<Value>,
) => Awaitable<Value>;

interface Flight<Value> {
  readonly result: PromiseLike<Value>;
  readonly call: AbortableCall;
  passengers: number;
}

/** Makes one that knows nothing under way. What is there at once is shared with nobody. */
export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();

  const board = (key: string, flight: Flight<Value>, { signal }: CatalogueCall): PromiseLike<Value> => {
    flight.passengers++;
    const leave = (): void => {
      flight.passengers--;
      if (flight.passengers > 0) return;
      // Whoever comes now starts anew, and gets no answer that was given up.
      land(key, flight);
      flight.call.abort(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    const settled = (): void => signal.removeEventListener("abort", leave);
    flight.result.then(settled, settled);
    return flight.result;
  };
  const land = (key: string, flight: Flight<Value>): void => {
    if (flights.get(key) === flight) flights.delete(key);
  };

  return (key, call, start) => {
    const under = flights.size === 0 ? undefined : flights.get(key);
    if (under !== undefined) return board(key, under, call);
    const own = createCall();
    const result = start(own);
    if (!isPending(result)) return result;
    const flight = { result, call: own, passengers: 0 };
    flights.set(key, flight);
    const ended = (): void => land(key, flight);
    result.then(ended, ended);
    return board(key, flight, call);
  };
}
