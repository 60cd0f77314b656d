import { PipelineClientError } from "./client-error.js";
import type { Query } from "./http/api-request.js";
import type { Call, Session } from "./http/session.js";
import { filterText } from "./lists/filter.js";
import { type ListSource, readPages } from "./lists/read-pages.js";

/** Where to look for a name. */
export interface NameSearch<T> extends Pick<ListSource<T>, "path" | "member" | "read"> {
  /** Such as `pipeline`. */
  readonly kind: string;
  /** The members that are names, in the order in which they count. */
  readonly nameKeys: readonly (keyof T & string)[];
  readonly idOf: (item: T) => string;
  /** The scopes, in the order in which they count: the namespace of the user before what is shared. */
  readonly scopes: readonly Query[];
}

/** So many of one name are enough to say that there are several. */
const mostNamed = 3;

/**
 * The one thing of a name. Servers may take capitals for equal, so that what they give is looked at once more.
 *
 * @throws PipelineClientError `not_found` or `ambiguous_name`
 */
export async function findByName<T>(
  session: Session,
  search: NameSearch<T>,
  name: string,
  call: Call,
): Promise<T> {
  const { kind, nameKeys, scopes, idOf } = search;
  for (const scope of scopes) {
    for (const key of nameKeys) {
      const found: T[] = [];
      const filter = filterText({ [key]: name }, { [key]: "text" });
      const query = { pageSize: "50", pageToken: undefined, first: [["filter", filter]] as Query };
      const source = { ...search, query, scope: async () => scope };
      for await (const { items } of readPages(session, source, () => call)) {
        found.push(...items.filter((item) => item[key] === name));
        if (found.length >= mostNamed) break;
      }
      const [first, ...others] = found;
      if (first === undefined) continue;
      if (others.length === 0) return first;
      const ids = found.slice(0, mostNamed).map(idOf).join(", ");
      throw new PipelineClientError(
        `there are several ${kind}s of the name ${JSON.stringify(name)}: ${ids}`,
        {
          code: "ambiguous_name",
          remedy: "use an id",
        },
      );
    }
  }
  throw new PipelineClientError(`there is no ${kind} of the name ${JSON.stringify(name)}`, {
    code: "not_found",
  });
}
