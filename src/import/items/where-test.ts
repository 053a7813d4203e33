/** The test of `--where`, with the names of collections if an expression asks for them. */
import type { ApiClient } from '../../api/client.ts';
import { COLLECTION_NAME, ItemValues } from '../../where/item-values.ts';
import type { Where } from '../../where/where.ts';
import { WhereTest } from '../../where/where-test.ts';

/** @throws MissingScopeError if an expression asks for collection names that the key may not read */
export async function whereTest(
  expressions: readonly Where[],
  { client, signal }: { client: ApiClient; signal: AbortSignal },
): Promise<WhereTest> {
  const wantsNames = expressions.some(({ fields }) => fields.includes(COLLECTION_NAME));
  const collections = wantsNames ? await Array.fromAsync(client.collections({ signal })) : [];
  const names = new Map(collections.map(({ id, name }) => [id.toLowerCase(), name]));
  return new WhereTest(expressions, new ItemValues(names));
}
