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
});
