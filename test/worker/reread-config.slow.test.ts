import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { EXPORT } from './example-config.ts';

test('a worker reads its configuration again when the file changes or at SIGHUP, if it is valid', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_KEY: api.key });
  const profiles = `profiles:\n  main: { apiUrl: "${api.url}", keyEnv: SHELFLIFT_API_KEY }\n`;
  place.file('shelflift.yaml', profiles);
  const child = place.start(['worker', '--config', 'shelflift.yaml']);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const until = async (word: string) => {
    while (!said.includes(word)) await once(child.stderr ?? child, 'data');
    said = said.slice(said.indexOf(word) + word.length);
  };
  await until('worker started');
  place.file('shelflift.yaml', `${profiles}schedules: { wrong: {} }\n`);
  await until('keeps its current configuration');
  place.file('shelflift.yaml', profiles + EXPORT());
  await until('The configuration has changed');
  await until('worker started');
  const ran = await place.call(['schedule', 'run', 'accounting', '--config', 'shelflift.yaml']);
  expect(ran.code).toBe(0);
  await until('"delivered"');
  // The same text: what it names may be another.
  child.kill('SIGHUP');
  await until('SIGHUP');
  await until('worker started');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
});
