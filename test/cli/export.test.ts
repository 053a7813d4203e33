import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

test('export warns that CSV options have no effect on another format', async () => {
  await using api = await startSandbox({ seed: 3, seedItems: 5 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const told = async (...more: string[]) => {
    const { code, stderr } = await place.call(['export', 'items', ...more]);
    expect(code).toBe(0);
    return /^warning: (.*)$/m.exec(stderr)?.[1];
  };
  expect(await told('--out', 'a.xlsx', '--locale', 'de-DE', '--bom')).toBe(
    '--bom and --locale apply only to CSV and have no effect on a.xlsx.',
  );
  expect(await told('--out', 'a.ndjson', '--decimal', ',')).toBe(
    '--decimal applies only to CSV and has no effect on a.ndjson.',
  );
  expect(await told('--out', 'a.csv', '--locale', 'de-DE', '--bom')).toBeUndefined();
  // A layout's texts are sorted by it.
  expect(await told('--out', 'b.xlsx', '--template', 'insurance', '--locale', 'de-DE')).toBeUndefined();
});
