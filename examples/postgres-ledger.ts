/** Keeps the ledger on PostgreSQL, so that another machine can go on with a job. Opened once, shared by two shelves. */
import { open, openLedger } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

const location = process.env['LEDGER'] ?? 'postgres://localhost/shelflift';
await using sandbox = await startSandbox();
await using ledger = await openLedger(location, { onOutage: (message) => console.error(message) });
const settings = { apiUrl: sandbox.url, key: sandbox.key, target: 'practice', store: ledger };

await using shelf = await open(settings);
const toys = [{ name: 'Star Cruiser' }, { name: 'Moon Rover' }];
const { job } = await shelf.plan({ rows: toys, name: 'toys' }, { collection: 'Main' });

await using elsewhere = await open(settings);
const { state, rows } = await elsewhere.jobs.apply(job);
console.log(state, rows.created);
