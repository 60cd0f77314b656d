/** Kinds of mistakes that the back ends run, and why: each has to be a warning, and must not be an error. */
export const warnedKinds: Readonly<Record<string, string>> = {
  "a loop over nothing": "the back end runs it: the loop succeeds and does nothing, which is a warning",
  "a branch of a one-of dropped": "the back end takes a one-of with one choice; that is a warning",
  "an accelerator without type":
    "the driver requests none then, and compilers write a limit without type; that is a warning",
  "an artifact type without namespace":
    "the back end accepts any title of an artifact that nobody consumes; that is a warning",
  "a variable with a dash": "Kubernetes takes such names, only shells cannot read them; that is a warning",
  "a variable that is set twice": "Kubernetes takes the later value; that is a warning",
  "settings of an unknown executor": "the back end does not look at them; that is a warning",
  "a misspelt platform": "the back end does not look at it; that is a warning",
  "a branch of a one-of named twice": "the back end takes the first that there is; that is a warning",
  "an iterator on a container":
    "the back end repeats executors as well, which no compiler writes; that is a warning",
  "a negative limit of parallelism": "the back end takes it for none; that is a warning",
};
