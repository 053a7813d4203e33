/** The test of `--where`, with the names of collections if an expression asks for them. */
import type { ApiClient } from '../../api/client.ts';
import type { Item } from '../../api/schemas.ts';
import { COLLECTION_NAME, ItemValues } from '../../where/item-values.ts';
import { allOf, type Where } from '../../where/where.ts';

/** @throws MissingScopeError if an expression asks for collection names that the key may not read */
export async function whereTest(
  expressions: readonly Where[],
  { client, signal }: { client: ApiClient; signal: AbortSignal },
): Promise<(item: Item) => boolean> {
  const wantsNames = expressions.some(({ fields }) => fields.includes(COLLECTION_NAME));
  const collections = wantsNames ? await Array.fromAsync(client.collections({ signal })) : [];
  const names = new Map(collections.map(({ id, name }) => [id.toLowerCase(), name]));
  return allOf(expressions, new ItemValues(names));
}
