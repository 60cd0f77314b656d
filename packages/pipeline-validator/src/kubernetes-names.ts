const label = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(?:\\.${label})*`;
const word = "[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

/** The name of a container or of a volume of a pod. */
export const partName: RegExp = new RegExp(`^(?=.{1,63}$)${label}$`);

/** The name of an object, such as a secret or a volume claim. */
export const objectName: RegExp = new RegExp(`^(?=.{1,253}$)${subdomain}$`);

/** The key of a label or taint, perhaps with a domain before it. */
export const labelKey: RegExp = new RegExp(`^(?:(?=[^/]{1,253}/)${subdomain}/)?${word}$`);

/** The value of a label or taint, which may be empty. */
export const labelValue: RegExp = new RegExp(`^(?:${word})?$`);

/** The key of an entry of a secret or config map, which becomes the name of a file. */
export const entryKey: RegExp = /^(?!\.\.|\.$)[-._A-Za-z0-9]{1,253}$/;
