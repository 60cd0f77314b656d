// A package that is loaded late as a whole is built in as a whole: of this file only what it names is.
export { didYouMean } from "@wye/pipeline-spec";
