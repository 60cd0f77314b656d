/** A DAG with an output as it should be: the right example of rules about outputs. */
export const goodOutput = `
components:
  comp-branch:
    dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}
    outputDefinitions: {parameters: {text: {parameterType: STRING}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`;
