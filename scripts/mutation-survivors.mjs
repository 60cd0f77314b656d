/** Tells of each mistake that no test notices as soon as it is known: a whole package takes as long as a lunch. */
class SurvivorsReporter {
  /** @param {Awaited<ReturnType<import("@stryker-mutator/core").Stryker["runMutationTest"]>>[number]} result */
  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (!["Survived", "NoCoverage", "Timeout"].includes(status)) return;
    const { line, column } = location.start;
    const text = (replacement ?? "").replace(/\s+/g, " ").slice(0, 100);
    console.log(`${status} ${fileName}:${line}:${column} ${mutatorName}: ${text}`);
  }
}

/** What Stryker asks a module of plugins for. */
export const strykerPlugins = [{ kind: "Reporter", name: "survivors", injectableClass: SurvivorsReporter }];
