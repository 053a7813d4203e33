/** Reads the collection as objects. The first comes when the count has proved that none is missing. */
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ seed: 7 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });

const items = shelf.items({ status: 'sell', where: 'estimated_value>=20' });
let dearest = { name: '', value: 0 };
for await (const { name, estimated_value } of items) {
  if ((estimated_value ?? 0) > dearest.value) dearest = { name, value: estimated_value ?? 0 };
}
console.log(items.summary?.consistency, items.summary?.rows, dearest.value > 0);

// The same as a file, with its manifest.
const { rows, sha256 } = await shelf.export({ out: 'items.csv', status: 'sell' });
console.log('file', rows > 0, sha256?.length);
