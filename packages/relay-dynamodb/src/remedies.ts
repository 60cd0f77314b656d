import type { Remedy } from "@wye/relay";

const layout = 'the partition key "namespace" and the sort key "key", both texts';

/** What is to be done about failures of DynamoDB and of the SDK of AWS. */
export function remediesFor(table: string): readonly Remedy[] {
  const name = JSON.stringify(table);
  return [
    {
      says: /\bResourceNotFoundException\b/,
      remedy: `there is no table ${name}: make one with ${layout}, or check its name, the region and the account`,
    },
    {
      says: /does not match the schema|missed key schema element|required keys|missing the key|Type mismatch for key/i,
      remedy: `the table ${name} must have ${layout}`,
    },
    { says: /Region is missing/, remedy: 'give connect: { region: "eu-west-1" }, or set AWS_REGION' },
    {
      says: /\bCredentialsProviderError\b/,
      remedy: "give connect: { credentials }, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role",
    },
    {
      says: /\b(ExpiredTokenException|ExpiredToken)\b/,
      remedy: "the credentials have expired: give a function as credentials, or a role that renews them",
    },
    {
      says: /\b(UnrecognizedClientException|InvalidSignatureException|MissingAuthenticationTokenException|IncompleteSignatureException)\b/,
      remedy:
        "AWS does not take the credentials: check key, secret and session token, and the clock of this machine",
    },
    {
      says: /\bAccessDenied(Exception)?\b/,
      remedy: `whoever comes needs the rights on ${name} that stand in the README of @wye/relay-dynamodb`,
    },
    {
      says: /\b(ProvisionedThroughputExceededException|ThrottlingException|RequestLimitExceeded)\b|has no capacity/,
      remedy: `raise the capacity of the table ${name}, or pay on demand`,
    },
    {
      says: /Deserialization error|\bSyntaxError\b|\bUnknownError\b/,
      remedy: "what answers there is not DynamoDB: check connect: { endpoint }, and proxies between",
    },
  ];
}
