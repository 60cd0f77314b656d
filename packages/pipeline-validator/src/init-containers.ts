import { type InitContainer, ownEntry, pointer } from "@wye/pipeline-spec";
import { isImage } from "./image-reference.js";
import { notOneOf } from "./not-one-of.js";
import { parseQuantity } from "./quantity.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** What is wrong with the init containers of a pod. */
export function* wrongInitContainers(containers: readonly InitContainer[], path: string): Generator<Finding> {
  const seen = new Set<string>();
  for (const [position, { name, image, restartPolicy, resources, volumeMounts }] of containers.entries()) {
    const at = `${path}/initContainers/${position}`;
    if (name === "") {
      yield { at, message: "the init container has no name", hint: "add name", sought: [`${at}/name`] };
    } else if (seen.has(name))
      yield { at: `${at}/name`, message: `two init containers are called ${quote(name)}` };
    else if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      const message = `${quote(name)} cannot be the name of a container`;
      yield { at: `${at}/name`, message, hint: "use lower-case letters, digits and -" };
    }
    seen.add(name);
    if (ofBackEnd.has(name)) {
      const message = `the pod has a container ${quote(name)} already`;
      yield { at: `${at}/name`, message, hint: "use another name" };
    }
    yield* mountedTwice(volumeMounts, at);
    if (image === "") {
      const message = `the init container ${quote(name)} has no image`;
      yield { at, message, hint: "add image", sought: [`${at}/image`] };
    } else if (!isImage(image)) {
      yield { at: `${at}/image`, message: `${quote(image)} is no reference of an image` };
    }
    yield* notOneOf(`${at}/restartPolicy`, restartPolicy, ["Always"]);
    yield* wrongRequests(resources, `${at}/resources`);
    for (const side of ["requests", "limits"] as const) {
      for (const [resource, text] of Object.entries(resources?.[side] ?? {})) {
        if ((parseQuantity(text) ?? -1) >= 0) continue;
        const place = pointer(at, "resources", side, resource);
        yield { at: place, message: `${quote(text)} is not an amount` };
      }
    }
  }
}

/** The containers of the pod of a task: the program, what watches it, and what brings the launcher. */
const ofBackEnd: ReadonlySet<string> = new Set(["main", "wait", "kfp-launcher"]);

function* mountedTwice(mounts: InitContainer["volumeMounts"], at: string): Generator<Finding> {
  const seen = new Set<string>();
  for (const [position, { mountPath }] of mounts.entries()) {
    if (mountPath !== "" && seen.has(mountPath)) {
      const message = `two volumes are mounted at ${quote(mountPath)}`;
      yield { at: `${at}/volumeMounts/${position}/mountPath`, message, hint: "use another path" };
    }
    seen.add(mountPath);
  }
}

/** Kubernetes refuses what asks for more than it may use. */
function* wrongRequests(resources: InitContainer["resources"], at: string): Generator<Finding> {
  for (const [resource, text] of Object.entries(resources?.requests ?? {})) {
    const limit = ownEntry(resources?.limits, resource) ?? "";
    const [request, most] = [parseQuantity(text), parseQuantity(limit)];
    if (request === undefined || most === undefined || request <= most) continue;
    yield {
      at: pointer(at, "requests", resource),
      message: `the request ${quote(text)} is above the limit ${quote(limit)}`,
    };
  }
}
