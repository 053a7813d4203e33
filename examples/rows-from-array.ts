/** Imports objects from an array. Their keys are read as the headers of a spreadsheet would be. */
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox();
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });

const toys = [
  { name: 'Star Cruiser', year: 1984, condition: 'loose_good', tags: ['space', 'boxed'] },
  { name: 'Moon Rover', year: 1986, condition: null },
];
const { state, rows } = await shelf.import({ rows: toys, name: 'toys' }, { collection: 'Main' });
console.log(state, rows.created);
