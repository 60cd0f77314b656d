import { type GraphNote, graphNotes, type TrackedTasks, trackTasks } from "@wye/pipeline-runner/report";

/** What a page is told of a run, one after the other. */
export type Told =
  /** The pipeline as SVG; absent when there is nothing to draw. */
  | { readonly kind: "drawing"; readonly svg: string }
  | Picture
  /** Why there is nothing more to tell. */
  | { readonly kind: "problem"; readonly message: string };

/** How a run is, and what has happened since the last picture. */
export interface Picture extends Happening {
  readonly kind: "picture";
  readonly name: string;
  /** Its page on the server; the empty text where there is none. */
  readonly link: string;
  /** As the server calls it. */
  readonly state: string;
  readonly isFinal: boolean;
}

interface Happening {
  readonly notes: readonly (readonly [box: string, note: GraphNote])[];
  readonly happened: readonly string[];
}

type Events = readonly Parameters<TrackedTasks["take"]>[0][];

/** Keeps what events tell of a run: those of the local runner and those of a server are the same. */
export function trackHappenings(): (events: Events) => Happening {
  const tracked = trackTasks();
  return (events) => {
    for (const event of events) tracked.take(event);
    return {
      notes: [...graphNotes(tracked.tasks())],
      happened: events.map(({ task, reason }) => `${decodeURIComponent(task) || "the run"}: ${reason}`),
    };
  };
}
