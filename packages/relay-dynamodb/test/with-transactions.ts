import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
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
      try {
        for (const step of command.input.TransactItems ?? []) await perform(step);
        return { $metadata: {} };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const CancellationReasons = [{ Code: "ConditionalCheckFailed" }];
        throw new TransactionCanceledException({ message: "cancelled", $metadata: {}, CancellationReasons });
      }
    },
  };
  return Object.assign(client, overridden);
}
