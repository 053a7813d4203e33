import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { languageOf } from '../../src/cli/show/say.ts';
import { newPlace } from './run-shelflift.ts';

describe('the language of a terminal', () => {
  it('follows --language first, then LC_ALL, LC_MESSAGES and LANG', () => {
    expect(languageOf('en', { LANG: 'de_DE.UTF-8' }, true)).toBe('en');
    expect(languageOf(undefined, { LC_ALL: '', LC_MESSAGES: 'de_AT', LANG: 'en_US' }, true)).toBe('de');
    expect(languageOf(undefined, { LC_ALL: 'C', LANG: 'de_DE' }, true)).toBe('en');
    expect(languageOf(undefined, { LANG: 'fr_FR' }, true)).toBe('en');
  });

  it('is English if the output is not a terminal, unless --language is given', () => {
    expect(languageOf(undefined, { LANG: 'de_DE' }, false)).toBe('en');
    expect(languageOf('de', {}, false)).toBe('de');
  });

  it('applies to errors and remedies, but not to --json', async () => {
    const place = newPlace();
    const call = ['export', 'sales', '--language', 'de', '--api-url', 'https://a.example'];
    const environment = { SHELFLIFT_API_KEY_FILE: '/no/such.key' };
    const german = await place.call(call, environment);
    expect(german).toMatchObject({ code: 2 });
    expect(german.stderr).toContain('Fehler: Die Schlüsseldatei /no/such.key lässt sich nicht lesen.');
    expect(german.stderr).toContain('Schlüssel in einer Datei speichern: shelflift profile add NAME');
    const forPrograms = await place.call([...call, '--json'], environment);
    expect(JSON.parse(forPrograms.stdout)).toEqual({
      error: {
        code: 'key_file_unreadable',
        message: 'The key file /no/such.key cannot be read.',
        params: { file: '/no/such.key' },
        actions: [
          { do: 'byHand', label: 'Check the path.' },
          { do: 'run', command: 'profile add', args: ['NAME'], label: 'To save the key in a file' },
        ],
      },
    });
  });

  it('applies to the progress, the problems and the plan of an import', async () => {
    const place = newPlace();
    place.file('toys.csv', 'Name,Year,Price\nFalcon,1979,1.50\nTie,87,dear\nBus,88,cheap\n');
    const call = ['import', 'toys.csv', '--collection', 'Main', '--sandbox', '--dry-run', '--language'];
    const [english, german] = [await place.call([...call, 'en']), await place.call([...call, 'de'])];
    const known = new Set(english.stderr.split('\n'));
    const isOwn = (line: string) => /^ *(?:"|$)/.test(line) || !line.includes(' ');
    const untranslated = german.stderr.split('\n').filter((line) => known.has(line) && !isOwn(line));
    expect(untranslated).toEqual([]);
    expect(german.stderr).toContain('erkannt: , · UTF-8 · Dezimalpunkt · Spaltennamen in Zeile 1');
    expect(german.stderr).toContain(
      '2 Zeilen: release_year: 2 Jahre mit zwei Ziffern (Spalte B Year); erwartet: ein Jahr von 1968 bis 2100; Zeilen 3, 4',
    );
    expect(german.stdout).toMatch(/^NEUE STÜCKE\nZEILE  STÜCK  NAME/m);
    expect(english.stdout).toMatch(/^CREATES\nROW  ITEM  NAME/m);
  });

  it('leaves the command at the end of a mistake without a full stop', async () => {
    for (const language of ['en', 'de']) {
      const { stderr } = await newPlace().call(['import', '--language', language]);
      expect(stderr).toMatch(/: shelflift import --help\n$/);
    }
  });

  it.each(Object.keys(COMMANDS))('applies to each line of: %s', async (about) => {
    const english = await outputOf(about, 'en');
    const german = await outputOf(about, 'de');
    expect(german.codes).toEqual(english.codes);
    expect(german.lines.filter((line) => isEnglish(line) || english.lines.includes(line))).toEqual([]);
  });
});

/** Commands that follow one another in a place of their own, by what they are about. */
const COMMANDS: Record<string, readonly string[]> = {
  'exports and reports': [
    'export items --out items.csv',
    'export items --out items.xlsx --delimiter ;',
    'export items --out insurance.xlsx --template insurance',
    'export listings --out listings.csv',
    'export collections --out collections.csv',
    'export sales',
    'export sales --out sales.csv',
    'export verify items.csv',
    'export verify items.csv --live',
    'export items --out changes.csv --changed-since-last weekly',
    'export verify broken.csv',
    'report inventory --out page.html',
    'report inventory --out page.xlsx --locale de-DE',
    'report listings --out listings.html',
    'report sales --out sales.html',
  ],
  'items, duplicates and comparisons': [
    'set brand=Ideal --collection Trains --yes',
    'jobs undo last --yes',
    'why $ITEM',
    'why $ITEM --offline',
    'dupes',
    'dupes --out dupes.xlsx',
    'export items --out before.csv',
    'import more.csv --collection Trains',
    'why $ITEM',
    'export items --out items.csv',
    'diff before.csv items.csv',
    'diff before.csv items.csv --by name,brand --out diff.html',
  ],
  'mistyped commands': [
    'imprt toys.csv',
    'import',
    'import toys.csv --nosuch',
    'import toys.csv --collectoin Trains',
    'import toys.csv --map',
    'jobs list --state foo',
    'jobs show 99',
  ],
  'the store': [
    'import more.csv --collection Trains',
    'store check',
    'store backup copy.db',
    'store copy --from copy.db --to other.db',
    'store prune --older-than 90d',
    'store check',
  ],
  'files that cannot be read as they are': [
    'import totals.csv --collection Trains --dry-run',
    'import far.csv --collection Trains --dry-run',
    'import wide.csv --collection Trains --dry-run',
    'import wide.csv --collection Trains --dry-run --map name=Title',
    'set --from wide.csv name=@Title',
    'import more.csv --collection Trains --template ./bad.yaml',
  ],
  'a list that lags': [
    'import more.csv --collection Trains',
    'export items --out items.csv',
    'export items --out items.csv --require-stable',
  ],
  'profiles, templates and corrections': [
    'doctor',
    'profile list',
    'profile add main --api-url $URL --key-env MY_KEY',
    'profile add other --api-url $URL --key-env MY_KEY',
    'profile list',
    'profile use other',
    'template check toys.csv --template generic',
    'template infer toys.csv --out my.yaml',
    'template list',
    'template new form.xlsx',
    'import toys.csv --collection Trains --skip-invalid --save-as trains',
    'import more.csv --collection Trains --dry-run --save-as trains',
    'template forget trains',
    'import toys.csv --collection Trains --dry-run --all-rows',
    'jobs show last',
    'jobs show last --changes',
    'jobs mend last --save-template mended.yaml',
    'jobs mend last --row 3 --set Price=2',
    'jobs mend last --row 4 --set Nosuch=2',
    'jobs mend last --row 4 --omit',
    'jobs mend last --ignore Shelf',
    'jobs show last',
    'import more.csv toys.csv toys.csv.results.csv --collection Trains',
  ],
  'jobs, schedules and workers': [
    'jobs list',
    'jobs list --since 1d --state cancelled',
    'import more.csv --collection Trains --dry-run',
    'import more.csv --collection Trains',
    'jobs undo last --yes',
    'jobs results last',
    'jobs prune --dry-run',
    'jobs prune',
    'jobs submit import toys.csv --collection Trains',
    'schedule list',
    'schedule run items',
    'schedule pause items',
    'schedule list',
    'worker --check --connect',
    'worker --once',
    'worker --once',
    'schedule resume items',
    'jobs list --limit 1',
    'jobs list',
    'schedule list',
  ],
};

/** How the servers of these commands differ. */
const SERVERS: Record<string, SandboxOptions> = { 'a list that lags': { listLagMs: 3_600_000 } };

/** Words of the files and of the sandbox's toys, names of fields and commands, and codes. */
const OWN =
  /Dining Car|weathered|with certificate|\b(?:Bus|Car|Falcon|Tie|Dinky|name|brand|sell|ok|folder|done|failed|planned|create|items|listings|import|export|to-read|GMT)\b/g;

/** The lines of all commands, without what differs by itself: addresses, ids, times, numbers. */
async function outputOf(about: string, language: string): Promise<{ codes: unknown[]; lines: string[] }> {
  await using api = await startSandbox({ seed: 3, seedItems: 40, ...SERVERS[about] });
  const place = newPlace({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: api.key,
    SHELFLIFT_STORE: 'l.db',
    MY_KEY: api.key,
  });
  place.file('more.csv', 'name,brand\nCar,Dinky\nBus,Dinky\n');
  place.file('toys.csv', 'Name,Year,Price,Shelf\nFalcon,1979,1.50,A3\nTie,87,dear,B1\nBus,88,cheap,B2\n');
  place.file('shelflift.yaml', workerConfig(api.url));
  place.file('totals.csv', 'Name,Value\nCar,5\nBus,4\nTotal,9\nAverage,4.5\n');
  place.file('wide.csv', `${Array.from({ length: 50 }, (_, at) => `c${at}`).join()}\n${'x,'.repeat(49)}x\n`);
  mkdirSync(join(place.folder, 'drop'));
  place.file('drop/boats.csv', 'name,estimated_value\nTug,5\nTug,5\n');
  place.file('far.csv', `${'a,'.repeat(16_384)}b\n${'1,'.repeat(16_384)}2\n`);
  place.file('bad.yaml', 'name: bad\ncolumns:\n  nme: name\n');
  const codes: unknown[] = [];
  const lines = new Set<string>();
  const all = COMMANDS[about] ?? [];
  for (const [index, line] of all.entries()) {
    // The last command of the store finds it damaged.
    if (line === 'store check' && index === all.length - 1) damage(join(place.folder, 'l.db'));
    if (line.includes('broken.csv')) {
      for (const end of ['.csv', '.csv.manifest.json'])
        copyFileSync(join(place.folder, `items${end}`), join(place.folder, `broken${end}`));
      appendFileSync(join(place.folder, 'broken.csv'), 'x\n');
    }
    const item = api.control.items().at(-1)?.id ?? '';
    const words = line.replace('$ITEM', item).replace('$URL', api.url).split(' ');
    const { code, stdout, stderr } = await place.call([...words, '--language', language]);
    codes.push(`${line}: ${code}`);
    for (const each of `${stdout}\n${stderr}`.split('\n')) {
      const own = plain(each.replaceAll(place.folder, ''));
      if (/\p{L}{2}/u.test(own)) lines.add(own);
    }
  }
  return { codes, lines: [...lines] };
}

/** Changes lines of a store as no program does. */
function damage(file: string): void {
  const store = new DatabaseSync(file);
  store.exec(`PRAGMA foreign_keys = OFF;
    UPDATE rows SET state = 'lost' WHERE ordinal = 1;
    UPDATE rows SET input = '{' WHERE ordinal = 2;
    UPDATE jobs SET record = '{}', first_sent_at = NULL;`);
  store.close();
}

/** A schedule whose file cannot be delivered. */
function workerConfig(apiUrl: string): string {
  return [
    `profiles: { main: { apiUrl: '${apiUrl}', keyEnv: MY_KEY } }`,
    'schedules:',
    '  items:',
    '    profile: main',
    '    cron: "0 2 * * *"',
    '    timeZone: Europe/Berlin',
    '    task: { export: items, out: "items.csv" }',
    '    deliver: [{ folder: ./nowhere }]',
    'hotFolders: [{ path: ./drop, profile: main, import: { collection: Trains } }]',
    '',
  ].join('\n');
}

/** A line without commands, options, paths, ids, names of fields, quotations and numbers. */
function plain(line: string): string {
  return line
    .replaceAll(/"[^"]*"|„[^“]*“/g, ' ')
    .replaceAll(/shelflift [a-z]+(?: [a-z]+)?|(?<=^|\s)--[a-z-]+/g, ' ')
    .replaceAll(/[^\s()]*[/_.:=#\d][^\s()]*[/_.\w][^\s()]*/g, ' ')
    .replaceAll(OWN, ' ')
    .replaceAll(/\d+|\s+/g, ' ')
    .trim();
}

/** Words that German does not have. */
function isEnglish(line: string): boolean {
  return /\b(?:the|of|is|are|and|with|from|by|to|not|no|row|rows|column|columns|item|job)\b/.test(line);
}
