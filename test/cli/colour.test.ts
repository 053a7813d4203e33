import { expect, test } from 'vitest';
import { newPlace } from './run-shelflift.ts';

const ESCAPE = '\u001b[';

test('colours are used only on request, or on a terminal that supports them', async () => {
  const place = newPlace();
  const file = place.file('toys.csv', 'name\nRobot\n');
  const dryRun = [
    'import',
    file,
    '--sandbox',
    '--collection',
    'Main',
    '--dry-run',
    '--out-dir',
    place.folder,
  ];
  const plain = await place.call(dryRun);
  expect(plain.stdout + plain.stderr).not.toContain(ESCAPE);
  const painted = await place.call([...dryRun, '--color', 'always']);
  expect(painted.code).toBe(0);
  expect(painted.stdout).toContain(`\n${ESCAPE}32mjob `);
  // Programs get none, whatever is asked.
  const json = await place.call([...dryRun, '--json', '--color', 'always']);
  expect(JSON.parse(json.stdout)).toMatchObject({ state: 'planned' });
  const wrong = await place.call(['import', 'none.csv', '--sandbox', '--color', 'always']);
  expect(wrong.stderr.startsWith(`${ESCAPE}31merror:`)).toBe(true);
  expect((await place.call(['import', 'none.csv', '--sandbox'])).stderr.startsWith('error: ')).toBe(true);
});
