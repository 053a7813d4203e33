/** Tells errors and ends of jobs apart: by code, by class, by state, by reason and by exit code. */
import { ApiError, type ErrorCode, ExitCode, open, ShelfliftError, textOf } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ planLimit: 1 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'errors.db' });

const AGAIN: readonly ErrorCode[] = ['unreachable', 'timeout', 'store_locked'];

// What cannot be used is thrown, before anything is sent.
try {
  await shelf.import({ file: 'nothing.csv' });
} catch (error) {
  if (!(error instanceof ShelfliftError)) throw error;
  console.log(
    error.code,
    AGAIN.includes(error.code),
    error instanceof ApiError,
    error.position?.file?.endsWith('nothing.csv'),
  );
}

// What happens later is a state of the job: a full API plan parks it, and `jobs.resume` continues it.
const toys = { rows: [{ name: 'Star Cruiser' }, { name: 'Moon Rover' }], name: 'toys' };
const full = await shelf.import(toys, { collection: 'Main' });
if (full.state === 'parked') console.log(full.reason, full.exitCode === ExitCode.limit, full.rows.pending);
for await (const { job } of shelf.jobs.list({ state: 'parked' })) console.log(job === full.job);

// A question is a state, too. It has a code, a sentence, and the options that answer it.
const more = { rows: [...toys.rows, { name: 'Kite' }], name: 'more' };
const asked = await shelf.import(more, { collection: 'Main' });
if (asked.state === 'needs_answer') {
  console.log(asked.code, textOf(asked.question));
  sandbox.control.setPlanLimit(null);
  const answered = await shelf.jobs.apply(asked.job, { onlyNew: true });
  console.log(answered.state, answered.rows.created, answered.rows.skipped);
}
