/** Shows the progress of an import. Everything that happens is an event with a `type`. */
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ latencyMs: 5 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });

const rows = Array.from({ length: 100 }, (_, index) => ({
  name: `Toy ${index + 1}`,
  year: 1970 + (index % 50),
}));
const run = shelf.import({ rows, name: 'bar' }, { collection: 'Main' });

const WIDTH = 20;
for await (const event of run) {
  switch (event.type) {
    case 'sending': {
      const filled = Math.round((event.done / event.total) * WIDTH);
      const left = event.leftMs === undefined ? '' : `, ${Math.ceil(event.leftMs / 1000)} s left`;
      console.log(`[${'#'.repeat(filled).padEnd(WIDTH)}] ${event.done} of ${event.total}${left}`);
      break;
    }
    case 'limited':
      console.log(`The API asks for a pause until ${new Date(event.until).toISOString()}.`);
      break;
    case 'note':
    case 'warning':
      console.log(event.message);
      break;
    default:
  }
}
const { state } = await run;
console.log(state);
