/** Runs a worker inside a program: here it imports what is in a watched folder, and ends. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { runWorker } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox();
mkdirSync('inbox', { recursive: true });
writeFileSync('inbox/toys.csv', 'name,year\nStar Cruiser,1984\nMoon Rover,1986\n');

// Without `once` it runs until the signal is aborted.
const { exitCode, runs } = await runWorker({
  config: {
    profiles: { main: { apiUrl: sandbox.url, keyEnv: 'TOYS_KEY' } },
    hotFolders: [{ path: 'inbox', profile: 'main', import: { collection: 'Main' } }],
  },
  store: 'worker.db',
  environment: { TOYS_KEY: sandbox.key },
  once: true,
  onEvent: (event) => {
    if (event.type === 'ended') console.log(event.run.file?.endsWith('toys.csv'), event.run.state);
  },
});
console.log(exitCode, runs.length, sandbox.control.items().length);
