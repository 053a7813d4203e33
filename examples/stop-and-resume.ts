/** Stops an import in the middle, and resumes it. Requests in flight are finished and recorded first. */
import { InterruptedError, open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ rateLimit: '50/1s' });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'resume.db' });

const rows = Array.from({ length: 200 }, (_, index) => ({ name: `Toy ${index + 1}` }));
const run = shelf.import({ rows, name: 'many' }, { collection: 'Main' });
let job: string | undefined;
try {
  for await (const event of run) {
    if (event.type === 'sending' && event.done >= 20) run.stop();
  }
} catch (error) {
  if (!(error instanceof InterruptedError)) throw error;
  job = error.job;
}
if (job === undefined) throw new Error('The import was faster than this program.');
const { rows: sent } = await shelf.jobs.get(job);
console.log('interrupted', sent.pending > 0);

// The rows are not needed again: all of them are in the store.
const { state, rows: all } = await shelf.jobs.resume(job);
console.log(state, all.created);
