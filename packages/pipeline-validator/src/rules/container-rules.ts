import { containers, isPseudoImage } from "../containers.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const executorEmpty: Rule = {
  id: "executor-empty",
  summary: "An executor is a container, an importer, a resolver or a custom job.",
  reason: "An executor without any of them cannot run.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: null}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check({ executors }) {
    for (const { spec, path, label } of executors) {
      if (spec.spec !== undefined) continue;
      const message = `the executor ${quote(label)} has nothing to run`;
      yield {
        at: path,
        part: "key",
        message,
        hint: "add container, importer or resolver",
        sought: [`${path}/*`],
      };
    }
  },
};

const imageMissing: Rule = {
  id: "image-missing",
  summary: "A container has an image.",
  reason: "Kubernetes cannot start a container without image.",
  severity: always("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {image: ''}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {image: 'busybox:1.36'}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.image !== "") continue;
      yield {
        at: path,
        part: "key",
        message: `the container of ${quote(executor.label)} has no image`,
        hint: "add image",
        sought: [`${path}/image`],
      };
    }
  },
};

const commandMissing: Rule = {
  id: "command-missing",
  summary: "A container has a command or arguments.",
  reason:
    "The launcher of the back end replaces the entry point of the image, and fails with `command and arguments are empty`.",
  severity: underKfp("error"),
  examples: {
    wrong: "deploymentSpec: {executors: {exec-report: {container: {command: []}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {command: [], args: [hello]}}}}",
  },
  *check(index) {
    for (const { spec, path, executor } of index.once(containers)) {
      if (spec.command.length > 0 || spec.args.length > 0 || isPseudoImage(spec.image)) continue;
      const message = `the container of ${quote(executor.label)} has neither command nor arguments`;
      const sought = [`${path}/command/*`, `${path}/args/*`];
      yield { at: path, part: "key", message, hint: "add the entry point of the image as command", sought };
    }
  },
};

const lifecycle: Rule = {
  id: "lifecycle-unsupported",
  summary: "A container has no lifecycle.",
  reason: "The open-source back end and the local runner ignore the check before the cache.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {lifecycle: {preCacheCheck: {command: [check]}}}}}}",
    right: "deploymentSpec: {executors: {exec-report: {container: {lifecycle: null}}}}",
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      if (spec.lifecycle?.preCacheCheck === undefined) continue;
      const at = `${path}/lifecycle/preCacheCheck`;
      yield { at, part: "key", message: "the open-source back end ignores preCacheCheck" };
    }
  },
};

/** Rules about containers. */
export const containerRules: RuleFamily = {
  title: "Executors and containers",
  rules: [executorEmpty, imageMissing, commandMissing, lifecycle],
};
