import { expect, test } from "vitest";
import { settingsOf } from "./settings.js";

test("what the host does not say is as in a fresh installation", () => {
  const { options, target, ...settings } = settingsOf({});
  expect(settings).toEqual({
    driverImage: "ghcr.io/kubeflow/kfp-driver:latest",
    driverCommand: ["driver"],
    launcherImage: "ghcr.io/kubeflow/kfp-launcher:latest",
    launcherCommand: ["launcher-v2"],
    serviceAccountName: "pipeline-runner",
    mlPipelineAddress: "ml-pipeline.kubeflow.svc.cluster.local",
    metadataAddress: "metadata-grpc-service.kubeflow.svc.cluster.local",
    httpProxy: "",
    httpsProxy: "",
    noProxy: "",
    maxSize: 67_108_864,
    caBundle: undefined,
  });
  expect([options, target]).toEqual([{}, settingsOf({ target: "main" }).target]);
});

test("addresses are made of what is said of them", () => {
  const said = {
    namespace: "ns",
    clusterDomain: "c.d",
    mlPipelineServiceName: "p",
    metadataServiceName: "m",
  };
  expect(settingsOf(said)).toMatchObject({
    mlPipelineAddress: "p.ns.svc.c.d",
    metadataAddress: "m.ns.svc.c.d",
  });
});

const around =
  "localhost,127.0.0.1,.svc.c.d,kubernetes.default.svc,minio-service.kubeflow,metadata-grpc-service,metadata-grpc-service.kubeflow,ml-pipeline.kubeflow";

test.each([
  [{ httpProxy: "a" }, around],
  [{ httpsProxy: "a" }, around],
  [{ httpProxy: "", httpsProxy: "" }, ""],
  [{ httpProxy: "a", noProxy: "x" }, "x"],
  [{ httpProxy: "a", noProxy: "" }, ""],
  [{ noProxy: "x" }, "x"],
])("with %j the proxy is passed by for %j", (options, noProxy) => {
  expect(settingsOf({ ...options, clusterDomain: "c.d" }).noProxy).toBe(noProxy);
});

test.each([
  [{}, undefined],
  [{ secretName: "", configMapName: "" }, undefined],
  [{ key: "k" }, undefined],
  [{ secretName: "s" }, { secretName: "s" }],
  [
    { configMapName: "c", key: "k" },
    { configMapName: "c", key: "k" },
  ],
])(
  "a bundle %j of certificates is %j: it is there when it names a secret or a config map",
  (caBundle, is) => {
    expect(settingsOf({ caBundle }).caBundle).toEqual(is);
  },
);
