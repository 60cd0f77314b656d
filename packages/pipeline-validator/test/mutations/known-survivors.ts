/** Kinds of mistakes that are reported as warnings only, or not at all, and why. They fail the build when that changes. */
export const knownSurvivors: Readonly<Record<string, string>> = {
  "a loop over nothing": "the back end runs it: the loop succeeds and does nothing, which is a warning",
  "a branch of a one-of dropped": "the back end takes a one-of with one choice; that is a warning",
  "an accelerator without type":
    "the driver requests none then, and compilers write a limit without type; that is a warning",
  "an artifact type without namespace":
    "the back end accepts any title of an artifact that nobody consumes; that is a warning",
};
