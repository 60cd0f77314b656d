/** Ends this process although something is left to be written once no output has taken anything for so long. */
export function endWhenStalled(outputs: readonly NodeJS.WriteStream[], longestStallMs: number): void {
  const waiting = outputs.filter(({ writableLength }) => writableLength > 0);
  // Outputs may lead to one reader: while it takes what is in one of them, the other one has to wait.
  const stalledAt = new Map<NodeJS.WriteStream, number>();
  const isStalled = (output: NodeJS.WriteStream): boolean =>
    output.writableLength === 0 ||
    performance.now() - (stalledAt.get(output) ?? Number.NEGATIVE_INFINITY) < 1.5 * longestStallMs;
  for (const output of waiting)
    output.setTimeout?.(longestStallMs, () => {
      stalledAt.set(output, performance.now());
      if (waiting.every(isStalled)) process.exit();
      output.setTimeout(longestStallMs);
    });
}
