/** An answer that is no success, in one of the forms that the API server has. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;

  constructor(status: number, body: string, contentType = "application/json") {
    super(body);
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }
}

const statuses: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  6: 409,
  7: 403,
  9: 400,
  10: 409,
  12: 501,
  13: 500,
  14: 503,
  16: 401,
};

/** A refusal of a service: what went wrong inside of wrappings, and a detail for people. */
export function refusal(code: number, message: string, detail?: string): Refusal {
  const short = detail ?? (code === 13 ? "Internal Server Error" : message);
  const details = [{ "@type": "type.googleapis.com/google.rpc.Status", code, message: short }];
  return new Refusal(statuses[code] ?? 500, JSON.stringify({ code, message, details }));
}

/** A mistake that nobody has expected: it comes with a stack trace. */
export function internalError(message: string): Refusal {
  const whole = `Internal error: ${message}\n<stack>`;
  const details = [{ "@type": "type.googleapis.com/google.rpc.Status", code: 2, message: whole }];
  return new Refusal(500, JSON.stringify({ code: 13, message: whole, details }));
}

/** A refusal of the gateway, before any service sees the request. */
export function gatewayRefusal(code: number, message: string): Refusal {
  return new Refusal(statuses[code] ?? 500, JSON.stringify({ code, message }));
}

/** A refusal of an upload or an artifact: the reason stays on the server. */
export function uploadRefusal(status: number, message: string, details = `${message}\n<stack>`): Refusal {
  // Written out by hand there, without a type.
  const body = JSON.stringify({ error_message: message, error_details: details });
  return new Refusal(status, body, "text/plain; charset=utf-8");
}

/** Something is not there: `kind` as the server calls it. */
export function unknown(kind: string, id: string, wrapping: string): Refusal {
  return refusal(5, `${wrapping}: ResourceNotFoundError: ${kind} ${id} not found`, `${kind} ${id} not found`);
}

/** Something is wrong with a request. */
export function invalid(wrapping: string, reason: string): Refusal {
  return refusal(3, `${wrapping === "" ? "" : `${wrapping}: `}Invalid input error: ${reason}`, reason);
}
