import type { FakeUpstream, ReceivedPost } from "../src/testing/fake-upstream.js";

/** An event that reached upstream, with the post that brought it. */
export type ReceivedEvent = Record<string, unknown> & { readonly post: ReceivedPost };

/** Waits until upstream has events of all these kinds; gives the first of each kind. */
export async function eventsUntil(
  upstream: FakeUpstream,
  kinds: readonly string[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Record<string, ReceivedEvent>> {
  const found: Record<string, ReceivedEvent> = {};
  while (kinds.some((kind) => found[kind] === undefined)) {
    await meanwhile();
    for (const post of await upstream.takePosts()) {
      // What SDKs post is one event or a list of them, each of a kind.
      for (const event of [post.body].flat() as { kind: string }[]) found[event.kind] ??= { ...event, post };
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return found;
}
