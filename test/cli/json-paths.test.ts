/** design §2: paths in `--json` are absolute, so that a script may run anywhere. */
import { isAbsolute } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, TOYS } from './run-shelflift.ts';

it('every command that reports a file prints its absolute path', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  place.file('toys.csv', TOYS);
  const pathsOf = async (line: string): Promise<string[]> => {
    const { code, stdout } = await place.call([...line.split(' '), '--json']);
    expect(code, line).toBe(0);
    return pathsIn(JSON.parse(stdout));
  };
  for (const [line, names] of [
    ['import toys.csv --collection Main --out-dir .', ['toys.results.csv']],
    ['jobs results last --out-dir .', ['toys.results.csv']],
    ['set brand=Acme --collection Main --dry-run --plan plan.html', ['plan.html']],
    ['dupes --out dupes.csv', ['dupes.csv']],
    ['store backup copy.db', ['copy.db']],
    ['template infer toys.csv --out my.yaml', ['toys.csv', 'my.yaml']],
    ['template new form.xlsx', ['form.xlsx']],
    ['export items --out items.csv', ['items.csv', 'items.csv.manifest.json']],
    ['report inventory --out page.html', ['page.html']],
  ] as const) {
    const paths = await pathsOf(line);
    expect(
      paths.filter((path) => !isAbsolute(path)),
      line,
    ).toEqual([]);
    for (const name of names) expect(paths, line).toContain(`${place.folder}/${name}`);
  }
});

it('dupes refuses to write both rows and JSON to stdout, and checks its output file before it reads items', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  for (const [line, code] of [
    ['dupes --out - --json', 'two_outputs'],
    ['dupes --out dupes.pdf --json', 'unknown_format'],
  ] as const) {
    const run = await place.call(line.split(' '));
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([2, { error: { code } }]);
  }
  expect(api.control.counts().byOperation).toEqual({});
});

/** Values under keys that name files. */
function pathsIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) =>
    typeof value === 'string'
      ? /^(file|out|manifest|results|rejects|plan|snapshot|config)$/.test(key) && value !== ''
        ? [value]
        : []
      : pathsIn(value),
  );
}
