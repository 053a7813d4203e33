/** Maps rows by a function of its own. The version tells imports apart: the same rows are not sent twice by the same one. */
import { type ItemFields, open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

interface Toy {
  title: string;
  maker?: string;
  cents: number;
  sold: boolean;
}

function fieldsOf({ title, maker, cents, sold }: Toy): ItemFields {
  return {
    name: title,
    brand: maker,
    estimated_value: cents / 100,
    status: sold ? 'sold' : 'keep',
    custom_fields: { source: 'till' },
  };
}

await using sandbox = await startSandbox();
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'mapping.db' });

const toys: Toy[] = [
  { title: 'Star Cruiser', maker: 'Galaxy', cents: 1250, sold: false },
  { title: 'Moon Rover', cents: 800, sold: true },
];
const options = { collection: 'Main', map: fieldsOf, mapVersion: '1' };
const first = await shelf.import({ rows: toys, name: 'till' }, options);
console.log(first.state, first.rows.created);

const again = await shelf.import({ rows: toys, name: 'till' }, options);
console.log(again.state, again.rows.created);
