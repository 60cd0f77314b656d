/** The part of Swagger UI that is used here; the package has no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Viewer {
    preauthorizeApiKey(scheme: string, key: string): unknown;
  }
  interface ViewerOptions {
    readonly dom_id: string;
    readonly url: string;
    /** Null: nobody else is asked whether the description is valid. */
    readonly validatorUrl: null;
    readonly defaultModelsExpandDepth: number;
    readonly supportedSubmitMethods: readonly string[];
    readonly onComplete: () => void;
  }
  // biome-ignore lint/style/noDefaultExport: that is how the package exports it
  export default function SwaggerUI(options: ViewerOptions): Viewer;
}
