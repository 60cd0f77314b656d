import type { Seeded } from "./seeded.js";

export const countries: readonly string[] = ["us", "de", "fr", "gb", "jp", "br", "in", "ca", "au", "se"];
export const plans: readonly string[] = ["free", "pro", "team", "enterprise"];
export const groups: readonly string[] = ["beta", "internal", "qa", "vip", "early", "sales", "support"];
export const domains: readonly string[] = ["example.com", "corp.example.com", "mail.test", "acme.io"];
export const systems: readonly string[] = ["ios", "android", "macos", "windows", "linux"];
export const cities: readonly string[] = ["Berlin", "Paris", "Tokyo", "London"];

/** There are so many users and organisations that contexts and lists share some of them. */
export const users = 50_000;
export const organisations = 500;

export const userKey = (n: number): string =>
  `user-${((n * 2654435761) >>> 0).toString(16).padStart(8, "0")}-4c1e-9f27-a1b2c3d4${String(n % 10_000).padStart(4, "0")}`;
export const organisationKey = (n: number): string => `org-${String(n % organisations).padStart(5, "0")}`;

const names = ["adam", "john.dev", "maria", "bob+test", "admin", "zoe123", "root"];

/** A point in time as a number or as text. */
export function moment(random: Seeded): number | string {
  return random.chance(0.5)
    ? 1600000000000 + random.below(1e11)
    : new Date(1600000000000 + random.below(1e11)).toISOString();
}

/** A context of one kind or of several, or a user of the old form. */
export function seededContext(random: Seeded): object {
  const n = random.below(users);
  const form = random.next();
  const user = seededUser(random, n);
  const org = {
    key: organisationKey(random.below(organisations)),
    name: "Org",
    plan: random.pick(plans),
    employees: random.below(3000),
  };
  const device = {
    key: `dev-${random.hex(16)}`,
    os: random.pick(systems),
    version: `${1 + random.below(5)}.${random.below(10)}`,
  };
  if (form < 0.5) return { kind: "user", ...user };
  if (form < 0.85) return { kind: "multi", user, org, ...(random.chance(0.5) ? { device } : {}) };
  if (form >= 0.95) return { kind: "org", ...org };
  const { key, email, country, anonymous, ...custom } = user;
  return { key, ...(email ? { email } : {}), country, ...(anonymous ? { anonymous } : {}), custom };
}

function seededUser(random: Seeded, n: number) {
  const user: Record<string, unknown> = {
    key: userKey(n),
    email: `${random.pick(names)}@${random.pick(domains)}`,
    country: random.pick(countries),
    plan: random.pick(plans),
    age: 15 + random.below(60),
    groups: [random.pick(groups), random.pick(groups)],
    appVersion: `${1 + random.below(5)}.${random.below(10)}.${random.below(5)}${random.chance(0.1) ? `-beta.${random.below(3)}` : ""}`,
    createdAt: moment(random),
    address: { city: random.pick(cities) },
  };
  if (random.chance(0.2)) user.anonymous = true;
  for (const [name, share] of Object.entries({ email: 0.15, age: 0.1, address: 0.1 }))
    if (random.chance(share)) delete user[name];
  return user;
}
