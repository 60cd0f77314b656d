/** A pipeline with one parameter, a whole number. */
export const numbers: string = `
pipelineInfo: {name: numbers}
schemaVersion: 2.1.0
root:
  inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}}}
  dag: {tasks: {count: {taskInfo: {name: count}, componentRef: {name: comp-count}}}}
components: {comp-count: {executorLabel: exec-count}}
deploymentSpec: {executors: {exec-count: {container: {image: alpine, command: [date]}}}}
`;
