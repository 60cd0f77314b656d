type Json = { [name: string]: unknown };

interface Spec extends Json {
  root: { dag: { tasks: Json } } & Json;
  components: Json;
  deploymentSpec: { executors: Json };
}

const ex = (edit: (p: Spec) => void): string => {
  const p: Spec = {
    pipelineInfo: { name: "p" },
    schemaVersion: "2.1.0",
    root: { dag: { tasks: {} } },
    components: {},
    deploymentSpec: { executors: {} },
  };
  edit(p);
  return JSON.stringify(p);
};
const container = (o: Json = {}): Json => ({ container: { image: "i", command: ["c"], ...o } });
const T = (_: number, o: Json = {}): Json => ({
  taskInfo: { name: "t" },
  componentRef: { name: "comp-a" },
  ...o,
});
/** Names that are all near to each other, in no order. */
const names = (n: number, p = "n"): string[] =>
  Array.from({ length: n }, (_, i) => `${p}${(i * 7919) % n}x${i}`);
const obj = (list: readonly string[], f: (name: string, i: number) => unknown): Json =>
  Object.fromEntries(list.map((n, i) => [n, f(n, i)]));

/** Texts with as many mistakes, names or connections as fit, each of a kind that once took time by its square. */
export const worstInputs: Readonly<Record<string, (n: number) => string>> = {
  unknownComponents: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), (m) => T(0, { componentRef: { name: `comp-${m}` } }));
      p.components = obj(names(n, "comp-q"), () => ({ executorLabel: "exec-a" }));
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  unknownExecutors: (n) =>
    ex((p) => {
      p.components = obj(names(n, "comp-q"), (m) => ({ executorLabel: `exec-${m}` }));
      p.deploymentSpec.executors = obj(names(n, "exec-z"), () => container());
    }),
  oddNames: (n) =>
    ex((p) => {
      p.components = obj(names(n, "Comp_q"), () => ({ executorLabel: "exec-a" }));
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  literals: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), (m) =>
        T(0, { inputs: { parameters: { p: { runtimeValue: { constant: m } } } } }),
      );
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        inputDefinitions: { parameters: { p: { parameterType: "STRING", literals: names(n, "m") } } },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  undeclaredInputs: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, {
        inputs: { parameters: obj(names(n), () => ({ runtimeValue: { constant: 1 } })) },
      });
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        inputDefinitions: {
          parameters: obj(names(n, "m"), () => ({ parameterType: "STRING", isOptional: true })),
        },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  missingInputs: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, {
        inputs: { parameters: obj(names(n), () => ({ runtimeValue: { constant: 1 } })) },
      });
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        inputDefinitions: { parameters: obj(names(n, "m"), () => ({ parameterType: "STRING" })) },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  unknownProducers: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), (m) =>
        T(0, {
          inputs: {
            parameters: { a: { taskOutputParameter: { producerTask: `${m}q`, outputParameterKey: "b" } } },
          },
        }),
      );
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        inputDefinitions: { parameters: { a: { parameterType: "STRING" } } },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  dependsOnUnknown: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, { dependentTasks: names(n) });
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  dependsOnAll: (n) =>
    ex((p) => {
      const k = Math.floor(Math.sqrt(n));
      const ns = names(k);
      p.root.dag.tasks = obj(ns, () => T(0, { dependentTasks: ns }));
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  placeholders1: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container({ args: ["{{$.inputs.parameters['x']}}".repeat(n)] });
    }),
  placeholdersMany: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container({
        args: names(n).map((m) => `{{$.inputs.parameters['${m}']}}`),
      });
    }),
  malformed1: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container({ args: ["{{$.inputs.parameters['x']} ".repeat(n)] });
    }),
  strays1: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container({ args: ["$.inputs.parameters['x'] ".repeat(n)] });
    }),
  envRefs: (n) =>
    ex((p) => {
      p.deploymentSpec.executors["exec-a"] = container({
        env: names(n).map((m) => ({ name: m, value: `$(${m}z)$(${m})` })),
      });
    }),
  envTwice: (n) =>
    ex((p) => {
      p.deploymentSpec.executors["exec-a"] = container({
        env: names(n).map(() => ({ name: "A", value: "x" })),
      });
    }),
  conditions: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), (m) =>
        T(0, { triggerPolicy: { condition: `inputs.parameter_values['${m}'] == 1` } }),
      );
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  longCondition: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, {
        triggerPolicy: {
          condition: Array.from({ length: n }, (_, i) => `inputs.parameter_values['a'] == ${i}`).join(" || "),
        },
      });
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  unknownFields: (n) =>
    ex((p) => {
      p.root = { dag: { tasks: {} }, ...obj(names(n, "inputDefinit"), () => 1) };
    }),
  wrongTypes: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), () => 5);
    }),
  nulls: (n) =>
    ex((p) => {
      p.components = obj(names(n), () => null);
      p.root.dag.tasks = obj(names(n), (m) => T(0, { componentRef: { name: m } }));
    }),
  execUnknown: (n) =>
    ex((p) => {
      p.deploymentSpec.executors["exec-a"] = container(obj(names(n, "imag"), () => 1));
    }),
  oneofs: (n) =>
    ex((p) => {
      p.components["comp-b"] = {
        dag: {
          tasks: { t: T(0) },
          outputs: {
            parameters: {
              o: {
                valueFromOneof: {
                  parameterSelectors: names(n).map((m) => ({ producerSubtask: "t", outputParameterKey: m })),
                },
              },
            },
          },
        },
        outputDefinitions: { parameters: { o: { parameterType: "STRING" } } },
      };
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        outputDefinitions: { parameters: obj(names(n, "m"), () => ({ parameterType: "STRING" })) },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  chain: (n) =>
    ex((p) => {
      p.components = obj(
        Array.from({ length: n }, (_, i) => `comp-${i}`),
        (_, i) => ({ dag: { tasks: { t: T(0, { componentRef: { name: `comp-${i + 1}` } }) } } }),
      );
    }),
  cycle: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(
        Array.from({ length: n }, (_, i) => `t${i}`),
        (_, i) => T(0, { dependentTasks: [`t${(i + 1) % n}`] }),
      );
    }),
  platform: (n) =>
    JSON.stringify({
      pipeline_spec: JSON.parse(
        ex((p) => {
          p.root.dag.tasks.t = T(0);
          p.components["comp-a"] = { executorLabel: "exec-a" };
          p.deploymentSpec.executors["exec-a"] = container();
        }),
      ),
      platform_spec: {
        platforms: {
          kubernetes: {
            deploymentSpec: {
              executors: {
                "exec-a": {
                  tolerations: names(n).map((m) => ({ operator: m, efect: m })),
                  pvcMount: names(n).map((m) => ({ mountPath: "/x", componentInputParameter: m })),
                },
              },
            },
          },
        },
      },
    }),
  runtime: (n) =>
    JSON.stringify({
      pipelineSpec: JSON.parse(
        ex((p) => {
          p.root.inputDefinitions = { parameters: obj(names(n), () => ({ parameterType: "STRING" })) };
        }),
      ),
      runtimeConfig: { parameterValues: obj(names(n, "m"), () => 5) },
    }),
  rawItems: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, {
        parameterIterator: { itemInput: "a", items: { raw: JSON.stringify(names(n)) } },
      });
      p.components["comp-a"] = {
        dag: { tasks: { x: T(0) } },
        inputDefinitions: { parameters: { a: { parameterType: "NUMBER_INTEGER" } } },
      };
    }),
  oneLong: (n) =>
    ex((p) => {
      p.components[`comp-${"a".repeat(n)}`] = { executorLabel: "exec-a" };
    }),
  suppress: (n) =>
    "schemaVersion: 2.1.0\npipelineInfo: {name: p}\nroot: {dag: {tasks: {}}}\n" +
    "# wye-disable-next-line task-cycle\n".repeat(n),
  words: (n) =>
    "schemaVersion: 2.1.0\npipelineInfo: {name: p}\nroot: {dag: {tasks: {}}}\n# wye-disable-next-line " +
    names(n).join(" ") +
    "\n",
  iterations: (n) =>
    ex((p) => {
      p.root.dag.tasks = obj(names(n), (m) =>
        T(0, { parameterIterator: { itemInput: m, items: { inputParameter: m } } }),
      );
      p.components["comp-a"] = {
        dag: { tasks: { x: T(0) } },
        inputDefinitions: {
          parameters: obj(names(n, "m"), () => ({ parameterType: "STRING", isOptional: true })),
        },
      };
    }),
  placeholdersAndStrays: (n) =>
    ex((p) => {
      const text = "{{$.inputs.parameters['a']}} $.inputs.parameters['a'] ".repeat(n);
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container({ args: [text] });
    }),
  importersBelowManyLevels: (n) =>
    ex((p) => {
      const all = names(n);
      const inputDefinitions = { parameters: { uri: { parameterType: "STRING" } } };
      const down = (name: string, inner: Json = { componentInputParameter: "uri" }) =>
        T(0, { componentRef: { name }, inputs: { parameters: { uri: inner } } });
      p.root.dag.tasks.t = down("comp-0", { runtimeValue: { constant: "bucket/data" } });
      p.components = obj(all, () => ({ executorLabel: "exec-a", inputDefinitions }));
      for (let i = 0; i < n; i++) {
        const tasks = i + 1 < n ? { t: down(`comp-${i + 1}`) } : obj(all, (name) => down(name));
        p.components[`comp-${i}`] = { inputDefinitions, dag: { tasks } };
      }
      const importer = {
        artifactUri: { runtimeParameter: "uri" },
        typeSchema: { schemaTitle: "system.Model" },
      };
      p.deploymentSpec.executors["exec-a"] = { importer };
    }),
  wrongSettings: (n) => {
    const executors = {
      "exec-a": { secretAsEnv: obj(names(n), () => 5), pvcMount: names(n).map(() => ({ constant: 5 })) },
    };
    const spec = ex((p) => {
      p.root.dag.tasks.t = T(0);
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    });
    return `${spec}\n---\n${JSON.stringify({ platforms: { kubernetes: { deploymentSpec: { executors } } } })}\n`;
  },
  deletedClaims: (n) => {
    const claim = { pvc_name: { runtimeValue: { constant: "x" } } };
    const inputDefinitions = { parameters: { pvc_name: { parameterType: "STRING" } } };
    const spec = ex((p) => {
      for (let i = 0; i < n; i++) {
        p.root.dag.tasks[`d${i}`] = T(0, {
          componentRef: { name: "comp-d" },
          inputs: { parameters: claim },
        });
        p.root.dag.tasks[`m${i}`] = T(0, {
          componentRef: { name: "comp-m" },
          inputs: { parameters: claim },
        });
        p.root.dag.tasks[`u${i}`] = T(0, { dependentTasks: [i === 0 ? "d0" : `u${i - 1}`] });
      }
      p.components["comp-d"] = { executorLabel: "exec-d", inputDefinitions };
      p.components["comp-m"] = { executorLabel: "exec-m", inputDefinitions };
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-d"] = container({ image: "argostub/deletepvc" });
      p.deploymentSpec.executors["exec-m"] = container({ image: "argostub/createpvc" });
      p.deploymentSpec.executors["exec-a"] = container();
    });
    const executors = { "exec-a": { pvcMount: [{ mountPath: "/a", pvcNameParameter: claim.pvc_name }] } };
    return `${spec}\n---\n${JSON.stringify({ platforms: { kubernetes: { deploymentSpec: { executors } } } })}\n`;
  },
  componentsOfOneExecutor: (n) =>
    ex((p) => {
      const all = names(n, "comp-");
      const inputDefinitions = { parameters: { x: { parameterType: "STRING" } } };
      const inputs = { parameters: { x: { runtimeValue: { constant: "y" } } } };
      p.root.dag.tasks = obj(all, (name) => T(0, { componentRef: { name }, inputs }));
      p.components = obj(all, () => ({ executorLabel: "exec-a", inputDefinitions }));
      const command = all.map(() => "{{$.inputs.parameters['x']}}");
      p.deploymentSpec.executors["exec-a"] = container({ command });
    }),
  componentsLikeOneOfManyInputs: (n) =>
    ex((p) => {
      const all = names(n);
      const parameters = obj(all, () => ({ parameterType: "STRING" }));
      const inputs = { parameters: obj(all, () => ({ runtimeValue: { constant: "x" } })) };
      p.root.dag.tasks = obj(all, (name) => T(0, { componentRef: { name: `comp-${name}` } }));
      p.root.dag.tasks.first = T(0, { inputs });
      p.components = obj(names(n, "comp-n"), () => ({ executorLabel: "exec-a" }));
      p.components["comp-a"] = { executorLabel: "exec-a", inputDefinitions: { parameters } };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  conditionsOnUnknownInputs: (n) =>
    ex((p) => {
      const all = names(n);
      const inputs = { parameters: { a: { runtimeValue: { constant: "x" } } } };
      p.root.dag.tasks = obj(all, (name) =>
        T(0, { inputs, triggerPolicy: { condition: `inputs.parameter_values['q${name}'] == 'a'` } }),
      );
      const parameters = obj(all, () => ({ parameterType: "STRING", isOptional: true }));
      p.components["comp-a"] = { executorLabel: "exec-a", inputDefinitions: { parameters } };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  placeholdersOfUnknownInputs: (n) =>
    ex((p) => {
      const all = names(n);
      p.root.dag.tasks = obj(all, (name) =>
        T(0, {
          inputs: {
            parameters: { a: { runtimeValue: { constant: `{{$.inputs.parameters['q${name}']}}` } } },
          },
        }),
      );
      const parameters = obj(all, () => ({ parameterType: "STRING", isOptional: true }));
      p.components["comp-a"] = { executorLabel: "exec-a", inputDefinitions: { parameters } };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  literalsThatNeverMeet: (n) =>
    ex((p) => {
      const all = names(n);
      const parameters = { a: { componentInputParameter: "a" } };
      p.root.inputDefinitions = { parameters: { a: { parameterType: "STRING", literals: names(n, "x") } } };
      p.root.dag.tasks = obj(all, () => T(0, { inputs: { parameters } }));
      p.components["comp-a"] = {
        executorLabel: "exec-a",
        inputDefinitions: { parameters: { a: { parameterType: "STRING", literals: names(n, "y") } } },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  brackets: (n) => `x: ${"[]".repeat(n)}\n`,
  jsonLines: (n) => '{"a": [1, {}], "b": "c"}\n'.repeat(n),
  aliasesInARow: (n) => `x: ${"*a ".repeat(n)}\n`,
  lostPartsElsewhere: (n) =>
    ex((p) => {
      p.root.dag.tasks.t = T(0, { inputs: { parameters: obj(names(n), () => ({})) } });
      p.components = obj(names(Math.min(n, 1000), "comp-q"), () => ({
        executorLabel: "exec-a",
        inputDefinitions: { parameters: { x: { isOptional: 5 } } },
      }));
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
  finalStatuses: (n) =>
    ex((p) => {
      const all = names(n);
      p.root.dag.tasks = obj(all, () => T(0));
      p.root.dag.tasks.exit = T(0, {
        componentRef: { name: "comp-exit" },
        dependentTasks: all,
        inputs: { parameters: obj(all, () => ({ taskFinalStatus: { producerTask: all[0] } })) },
      });
      p.components["comp-a"] = { executorLabel: "exec-a" };
      p.components["comp-exit"] = {
        executorLabel: "exec-a",
        inputDefinitions: { parameters: obj(all, () => ({ parameterType: "TASK_FINAL_STATUS" })) },
      };
      p.deploymentSpec.executors["exec-a"] = container();
    }),
};
