/** An example with an importer of these fields. */
export const importerExample = (importer: string, rest = ""): string => `
root: {dag: {tasks: {loop: null, import: {taskInfo: {name: import}, componentRef: {name: comp-import}}}}}
components:
  comp-loop: null
  comp-import:
    executorLabel: exec-import
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}
deploymentSpec:
  executors:
    exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, ${importer}}}
${rest}`;

/** A URI that nothing is wrong with. */
export const goodUri = "artifactUri: {constant: 'gs://bucket/data.csv'}";
