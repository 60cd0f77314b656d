/** A point of a drawing, in its units. */
export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}

/** The room that a label takes above its point. */
const room = { width: 58, height: 30 };

/** Which points of a curve have room for their value: the highest first, then the ends, then the others in turn. */
export function labelledPoints(points: readonly DrawnPoint[]): ReadonlySet<number> {
  const places = points.map((_, place) => place);
  // The highest point of a drawing has the smallest y.
  const highest = places.toSorted((a, b) => (points[a]?.y ?? 0) - (points[b]?.y ?? 0))[0] ?? 0;
  const labelled = new Set<number>();
  for (const place of [highest, 0, points.length - 1, ...places]) {
    const point = points[place];
    if (point === undefined) continue;
    const isFree = [...labelled].every((other) => !overlap(point, points[other] ?? point));
    if (isFree) labelled.add(place);
  }
  return labelled;
}

function overlap(a: DrawnPoint, b: DrawnPoint): boolean {
  return Math.abs(a.x - b.x) < room.width && Math.abs(a.y - b.y) < room.height;
}
