/** Does `work` for every request, one after the other; requests that come meanwhile are one more. What is given resolves when all is done. */
export function merged(work: () => Promise<void>): () => Promise<void> {
  let isAsked = false;
  let running: Promise<void> | undefined;
  const workOff = async () => {
    try {
      while (isAsked) {
        isAsked = false;
        await work();
      }
    } finally {
      // Not a moment later: who asks then begins anew.
      running = undefined;
    }
  };
  return () => {
    isAsked = true;
    running ??= workOff();
    return running;
  };
}
