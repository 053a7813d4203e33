/** Of one thing it is told in the singular. */
import { expect, it } from 'vitest';
import { counted } from '../../src/base/counted.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

it('singular and plural nouns agree with their counts', () => {
  expect([0, 1, 2, 1200].map((value) => counted(value, 'row'))).toEqual([
    '0 rows',
    '1 row',
    '2 rows',
    '1,200 rows',
  ]);
  expect(counted(1, 'row waits', 'rows wait')).toBe('1 row waits');
  expect(counted(2, 'pass', 'passes')).toBe('2 passes');
});

it('no command prints "1 items"', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file('toys.csv', 'name,brand,status,tags,quantity\nRobot,Acme,sell,x,1\n');
  place.file('bad.csv', 'name,year\nRobot,soon\n');
  for (const line of [
    'template check toys.csv --template generic',
    'template infer toys.csv --out my.yaml',
    'template new form.xlsx',
    'import toys.csv --collection Main --dry-run --check-similar',
    'import toys.csv --collection Main',
    'import toys.csv --collection Main --force --dry-run --check-similar',
    'import bad.csv --collection Main',
    'jobs list',
    'set brand=Ideal --status sell --dry-run',
    'set brand=Ideal --collection Main --max-changes 0',
    'export items --out items.csv',
    'export listings --out listings.csv',
    'export verify items.csv',
    'export verify items.csv --live',
    'report inventory --out page.html',
    'report listings --out listings.html',
    'dupes',
    'jobs prune --dry-run',
    'store check',
    'store backup copy.db',
    'doctor',
  ]) {
    const { stdout, stderr } = await place.call(line.split(' '));
    // `1 s`, `1/s` and names of files are no nouns.
    expect(
      `${stdout}\n${stderr}`.match(/(?<![\d.,:/-])1 (?!is\b|was\b|has\b|pass\b)[a-z]{2,}s\b[^\n]*/g),
      line,
    ).toBeNull();
  }
});
