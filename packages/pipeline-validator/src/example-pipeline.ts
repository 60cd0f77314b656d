/** The pipeline that the examples of the rules change; nothing is wrong with it. */
export const examplePipeline: string = `\
pipelineInfo:
  name: example
schemaVersion: 2.1.0
root:
  inputDefinitions:
    parameters:
      rows: {parameterType: NUMBER_INTEGER}
      mode: {parameterType: STRING, isOptional: true, defaultValue: fast, literals: [fast, exact]}
  dag:
    tasks:
      prepare:
        taskInfo: {name: prepare}
        componentRef: {name: comp-prepare}
        inputs:
          parameters:
            rows: {componentInputParameter: rows}
      train:
        taskInfo: {name: train}
        componentRef: {name: comp-train}
        dependentTasks: [prepare]
        inputs:
          artifacts:
            data: {taskOutputArtifact: {producerTask: prepare, outputArtifactKey: data}}
          parameters:
            label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}
      branch:
        taskInfo: {name: branch}
        componentRef: {name: comp-branch}
        dependentTasks: [prepare]
        inputs:
          parameters:
            label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}
        triggerPolicy:
          condition: inputs.parameter_values['label'] == 'large'
      loop:
        taskInfo: {name: loop}
        componentRef: {name: comp-loop}
        parameterIterator:
          items: {raw: '["a", "b"]'}
          itemInput: item
components:
  comp-prepare:
    executorLabel: exec-prepare
    inputDefinitions:
      parameters:
        rows: {parameterType: NUMBER_INTEGER}
    outputDefinitions:
      artifacts:
        data: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}
      parameters:
        label: {parameterType: STRING}
  comp-train:
    executorLabel: exec-train
    inputDefinitions:
      artifacts:
        data: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}
      parameters:
        label: {parameterType: STRING}
        epochs: {parameterType: NUMBER_INTEGER, defaultValue: 3, isOptional: true}
    outputDefinitions:
      artifacts:
        model: {artifactType: {schemaTitle: system.Model, schemaVersion: 0.0.1}}
  comp-branch:
    inputDefinitions:
      parameters:
        label: {parameterType: STRING}
    dag:
      tasks:
        report:
          taskInfo: {name: report}
          componentRef: {name: comp-report}
          inputs:
            parameters:
              message: {componentInputParameter: label}
  comp-loop:
    inputDefinitions:
      parameters:
        item: {parameterType: STRING}
    dag:
      tasks:
        report:
          taskInfo: {name: report}
          componentRef: {name: comp-report}
          inputs:
            parameters:
              message: {componentInputParameter: item}
  comp-report:
    executorLabel: exec-report
    inputDefinitions:
      parameters:
        message: {parameterType: STRING}
deploymentSpec:
  executors:
    exec-prepare:
      container:
        image: python:3.12
        command: [python, prepare.py]
        args:
          - --rows={{$.inputs.parameters['rows']}}
          - --data={{$.outputs.artifacts['data'].path}}
          - --label={{$.outputs.parameters['label'].output_file}}
    exec-train:
      container:
        image: python:3.12
        command: [python, train.py]
        args:
          - --data={{$.inputs.artifacts['data'].path}}
          - --label={{$.inputs.parameters['label']}}
          - --epochs={{$.inputs.parameters['epochs']}}
          - --model={{$.outputs.artifacts['model'].uri}}
    exec-report:
      container:
        image: busybox
        command: [echo, "{{$.inputs.parameters['message']}}"]
`;
