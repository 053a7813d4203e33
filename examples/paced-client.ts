/** The client alone: seven operations, at the pace that the API allows. No ledger: a create is sent once, and never again. */
import { createClient, LimitReachedError } from 'shelflift/client';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ rateLimit: '50/1s', planLimit: 2 });
await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key, maxRate: 40 });

const { value: collections } = await client.listCollections();
const [main] = collections.data;
if (main === undefined) throw new Error('The team has no collection.');
for (const name of ['Star Cruiser', 'Moon Rover', 'Kite']) {
  try {
    const { value, requestId } = await client.createItem({ collection_id: main.id, name });
    console.log('created', value.name, requestId !== undefined);
  } catch (error) {
    if (!(error instanceof LimitReachedError)) throw error;
    console.log('full:', error.code, error.applied);
  }
}
const names = await Array.fromAsync(client.items(), ({ name }) => name);
console.log(names.length);
