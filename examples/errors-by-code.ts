/** Tells errors and ends of jobs apart: by code, by class, by state and by exit code. */
import { ApiError, type ErrorCode, ExitCode, type JobState, open, ShelfliftError } from 'shelflift';
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

// What happens later is a state of the job, which can be resumed.
const WAITING: readonly JobState[] = ['parked_limit', 'parked_unreachable', 'paused'];
const { job, state, exitCode, rows } = await shelf.import(
  { rows: [{ name: 'Star Cruiser' }, { name: 'Moon Rover' }], name: 'toys' },
  { collection: 'Main' },
);
console.log(state, exitCode === ExitCode.limit, rows.created, rows.pending);
for await (const waiting of shelf.jobs.list({ state: WAITING })) console.log(waiting.job === job);
