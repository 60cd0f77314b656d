import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";

/**
 * dynalite knows no transactions. With one writer at a time they are the conditions, one by one, and then the updates; the
 * real suite runs the same cases with real ones.
 */
export function withTransactions(client: DynamoDBClient): DynamoDBClient {
  const send = client.send.bind(client);

  async function perform({ ConditionCheck: check, Update: update }: TransactWriteItem): Promise<void> {
    // A condition alone is an update that changes nothing.
    const { TableName, Key, ConditionExpression, ExpressionAttributeValues } = check ?? update ?? {};
    const condition = {
      ...(ConditionExpression === undefined ? {} : { ConditionExpression }),
      ...(update === undefined ? {} : { UpdateExpression: update.UpdateExpression }),
      ...(ExpressionAttributeValues === undefined ? {} : { ExpressionAttributeValues }),
    };
    await send(new UpdateItemCommand({ TableName, Key, ...condition }));
  }

  const overridden: Pick<DynamoDBClient, "send"> = {
    async send(command: unknown) {
      if (!(command instanceof TransactWriteItemsCommand))
        return await Reflect.apply(send, client, [command]);
      const steps = command.input.TransactItems ?? [];
      for (const [index, step] of inOrder(steps)) {
        try {
          await perform(step);
        } catch (error) {
          if (!(error instanceof DynamoDBServiceException)) throw error;
          // DynamoDB's own program for tests does not say which step it was.
          if (error.message.includes("incorrect data type")) throw error;
          const Code =
            error instanceof ConditionalCheckFailedException ? "ConditionalCheckFailed" : "ValidationError";
          const Message = error.message;
          const CancellationReasons = steps.map((_, other) =>
            other === index ? { Code, Message } : { Code: "None" },
          );
          throw new TransactionCanceledException({
            message: "cancelled",
            $metadata: {},
            CancellationReasons,
          });
        }
      }
      return { $metadata: {} };
    },
  };
  return Object.assign(client, overridden);
}

/** Conditions first, then what depends on none, and at last what they are conditions of. */
function inOrder(steps: readonly TransactWriteItem[]): readonly (readonly [number, TransactWriteItem])[] {
  const entries = [...steps.entries()];
  const bound = entries.filter(([, { Update }]) => Update?.ConditionExpression !== undefined);
  const checks = bound.map(([index, { Update }]): [number, TransactWriteItem] => {
    const { TableName, Key, ConditionExpression = "", ExpressionAttributeValues } = Update ?? {};
    const values = Object.entries(ExpressionAttributeValues ?? {}).filter(([name]) =>
      ConditionExpression.includes(name),
    );
    const valued = values.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(values) };
    return [index, { ConditionCheck: { TableName, Key, ConditionExpression, ...valued } }];
  });
  return [...checks, ...entries.filter((entry) => !bound.includes(entry)), ...bound];
}
