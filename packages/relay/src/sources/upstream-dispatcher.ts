import { Agent, type Dispatcher, interceptors } from "undici";

/** The connections of one relay to upstream, when its host brings no dispatcher: redirects are followed five times. */
export function createUpstreamDispatcher(connectTimeoutMs: number): {
  readonly dispatcher: Dispatcher;
  readonly close: () => Promise<void>;
} {
  const agent = new Agent({ connect: { timeout: connectTimeoutMs } });
  return { dispatcher: followRedirects(agent), close: () => agent.destroy() };
}

/** A dispatcher that follows up to five redirects; posts stay posts, and keys do not go along to another origin. */
export function followRedirects(dispatcher: Dispatcher): Dispatcher {
  return dispatcher.compose(postStaysPost, interceptors.redirect({ maxRedirections: 5 }));
}

/** What 301 and 302 mean for a post here: the same as the status that keeps the method. */
const keepingMethod: Readonly<Record<number, number>> = { 301: 308, 302: 307 };

/** A post that has moved is posted again. As a GET, which browsers make of some, it would lose its events in silence. */
const postStaysPost: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, options.method === "POST" ? keepMethod(handler) : handler);

function keepMethod(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, message) {
      const moved = headers.location === undefined ? undefined : keepingMethod[status];
      handler.onResponseStart?.(controller, moved ?? status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
