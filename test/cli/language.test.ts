import { describe, expect, it } from 'vitest';
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
    expect(german.stderr).toContain('error: Die Schlüsseldatei /no/such.key lässt sich nicht lesen.');
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
});
