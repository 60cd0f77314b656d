import {
  type ComponentNode,
  describeComponent,
  type PipelineGraph,
  pointer,
  type ResolverSpec,
} from "@wye/pipeline-spec";
import { filterFields, parseArtifactFilter } from "../artifact-filter.js";
import { importerExample as example, goodUri } from "../importer-example.js";
import { near } from "../name-hint.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { suggest } from "../suggest.js";

/** A component that a resolver runs. */
interface Resolver {
  readonly component: ComponentNode;
  readonly path: string;
  readonly spec: ResolverSpec;
}

function resolvers({ components }: PipelineGraph): readonly Resolver[] {
  return components.flatMap((component) => {
    const { executor } = component;
    if (executor?.spec.spec?.$case !== "resolver") return [];
    return [{ component, path: `${executor.path}/resolver`, spec: executor.spec.spec.value }];
  });
}

const resolverExample = (queries: string) =>
  example("").replace(
    "importer: {typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, }",
    `resolver: {outputArtifactQueries: ${queries}}`,
  );

const executorUnsupported: Rule = {
  id: "executor-unsupported",
  summary: "Executors are containers and importers.",
  reason: "The compiler of the open-source back end refuses resolvers and custom jobs when a run is created.",
  severity: underKfp("warning"),
  examples: {
    wrong: resolverExample("{artifact: {filter: 'artifact_type=\"system.Dataset\"'}}"),
    right: example(goodUri),
  },
  *check({ executors }) {
    for (const { spec, path } of executors) {
      const form = spec.spec?.$case;
      if (form !== "resolver" && form !== "customJob") continue;
      const message = `the open-source back end does not run a ${form === "resolver" ? "resolver" : "custom job"}`;
      yield { at: `${path}/${form}`, part: "key", message };
    }
  },
};

const resolverOutput: Rule = {
  id: "resolver-output",
  summary: "A resolver has one query for each output artifact of its component, and at least one.",
  reason: "An artifact without query has no value, and a query without artifact nobody can use.",
  severity: always("error"),
  examples: {
    wrong: resolverExample("{artefact: {filter: 'artifact_type=\"system.Dataset\"'}}"),
    right: example(goodUri),
    besides: ["executor-unsupported"],
  },
  *check(index) {
    for (const { component, path, spec } of index.once(resolvers)) {
      const queries = Object.keys(spec.outputArtifactQueries);
      const declared = component.spec.outputDefinitions?.artifacts ?? {};
      if (queries.length === 0) {
        yield {
          at: path,
          part: "key",
          message: "the resolver has no query",
          hint: "add outputArtifactQueries",
          sought: [`${path}/outputArtifactQueries/*`],
        };
        continue;
      }
      const strange = queries.filter((name) => !Object.hasOwn(declared, name));
      for (const name of strange) {
        const at = pointer(`${path}/outputArtifactQueries`, name);
        const message = `${describeComponent(component)} has no output artifact ${quote(name)}`;
        const sought = [pointer(`${component.path}/outputDefinitions/artifacts`, name)];
        yield { at, part: "key", message, hint: near(name, declared), sought };
      }
      for (const name of strange.length > 0 ? [] : Object.keys(declared)) {
        if (Object.hasOwn(spec.outputArtifactQueries, name)) continue;
        const at = pointer(`${component.path}/outputDefinitions/artifacts`, name);
        const sought = [pointer(`${path}/outputArtifactQueries`, name)];
        yield { at, part: "key", message: `the resolver has no query for the output ${quote(name)}`, sought };
      }
    }
  },
};

const resolverFilter: Rule = {
  id: "resolver-filter-invalid",
  summary: "The filter of an artifact query follows the grammar.",
  reason:
    'The query cannot be made. Conditions are `in_context("…")`, `artifact_type="…"`, `uri="…"`, `name="…"`, `state=…`, joined by `AND`.',
  severity: always("error"),
  examples: {
    wrong: resolverExample("{artifact: {filter: 'artifact_tipe=\"system.Dataset\"'}}"),
    right: example(goodUri),
    besides: ["executor-unsupported"],
  },
  *check({ executors }) {
    for (const { spec, path } of executors) {
      if (spec.spec?.$case !== "resolver") continue;
      for (const [name, { filter }] of Object.entries(spec.spec.value.outputArtifactQueries)) {
        const result = filter === "" ? undefined : parseArtifactFilter(filter);
        if (result === undefined || result.ok) continue;
        const at = `${pointer(`${path}/resolver/outputArtifactQueries`, name)}/filter`;
        const { message, span, word } = result;
        yield { at, span, message, hint: word === undefined ? undefined : suggest(word, filterFields) };
      }
    }
  },
};

const resolverLimit: Rule = {
  id: "resolver-limit-negative",
  summary: "The limit of an artifact query is not negative.",
  reason: "A query cannot find fewer than no artifacts; unset, the limit is 1.",
  severity: always("error"),
  examples: {
    wrong: resolverExample("{artifact: {filter: 'artifact_type=\"system.Dataset\"', limit: -1}}"),
    right: example(goodUri),
    besides: ["executor-unsupported"],
  },
  *check({ executors }) {
    for (const { spec, path } of executors) {
      if (spec.spec?.$case !== "resolver") continue;
      for (const [name, { limit }] of Object.entries(spec.spec.value.outputArtifactQueries)) {
        if (limit >= 0) continue;
        const at = `${pointer(`${path}/resolver/outputArtifactQueries`, name)}/limit`;
        yield { at, message: `a limit of ${limit} makes no sense` };
      }
    }
  },
};

/** Rules about resolvers and custom jobs. */
export const resolverRules: RuleFamily = {
  title: "Resolvers and custom jobs",
  appliesTo: ({ executors }) =>
    executors.some(({ spec }) => spec.spec?.$case === "resolver" || spec.spec?.$case === "customJob"),
  rules: [executorUnsupported, resolverOutput, resolverFilter, resolverLimit],
};
