/** A page of an answer: an empty list has no members. */
export function printPage(
  member: string,
  items: readonly unknown[],
  { totalSize, nextPageToken }: { readonly totalSize: number; readonly nextPageToken: string | undefined },
): unknown {
  return {
    ...(items.length > 0 && { [member]: items }),
    ...(totalSize > 0 && { total_size: totalSize }),
    ...(nextPageToken !== undefined && { next_page_token: nextPageToken }),
  };
}
