/** The pipelines that come with the page; `data/ATTRIBUTION.md` says where they are from. */
export const examples: readonly { readonly file: string; readonly label: string }[] = [
  { file: "training-with-mistakes.yaml", label: "Training, with mistakes" },
  { file: "training.yaml", label: "Training" },
  { file: "hello_world.yaml", label: "Hello world" },
  { file: "flip_coin.yaml", label: "Flip a coin: conditions" },
  { file: "pipeline_with_loops.yaml", label: "Loops" },
  { file: "collected_parameters.yaml", label: "A nested pipeline, collected outputs" },
  { file: "if_else_with_oneof_artifacts.yaml", label: "One of several artifacts" },
  { file: "artifacts_complex.yaml", label: "Artifacts through nested loops" },
  { file: "pipeline_with_exit_handler.yaml", label: "An exit handler" },
  { file: "pipeline_with_importer.yaml", label: "Importers" },
  { file: "metrics_visualization_v2.yaml", label: "Tasks side by side" },
  { file: "hello_world_schema_2_0_0.yaml", label: "Of an older schema" },
  { file: "invalid_yaml.yaml", label: "A misspelt field" },
];
