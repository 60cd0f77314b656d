const firstMs = 100;
const longestMs = 30_000;

/** How long to wait after so many failures in a row: longer each time, and by chance, so that not all come at once. */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  const most = Math.min(longestMs, firstMs * 2 ** Math.min(failures, 20));
  return most / 2 + (random() * most) / 2;
}
