/** Configurations, templates and layouts: read, and where they are accepted, used. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { readConfig, saveProfile } from '../../src/account/profiles.ts';
import type { Item } from '../../src/api/schemas.ts';
import { compileColumns } from '../../src/export/layout/compile-columns.ts';
import { parseLayout } from '../../src/export/layout/load-layout.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import { parseTemplate } from '../../src/mapping/template/load-template.ts';
import { ItemValues } from '../../src/where/item-values.ts';
import { checkWorkerConfig } from '../../src/worker/config/check-config.ts';
import { fillPattern } from '../../src/worker/schedule/file-pattern.ts';
import { nextFire } from '../../src/worker/schedule/fire-times.ts';
import type { Adversary } from './adversary.ts';
import { corpus } from './corpus.ts';
import { numbersOf, spoil, withOtherValues } from './spoil.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const WORDS = [
  ': ',
  '- ',
  '? ',
  '| ',
  '>-\n',
  '{',
  '}',
  '[',
  ']',
  '&a ',
  '*a',
  '<<: *a\n',
  '---\n',
  '...\n',
  '%YAML 9.9\n',
  '\t',
  '#',
  '!!binary ',
  '!!js/function ',
  '!!set ',
  '!!timestamp ',
  '!x ',
  '~',
  'null',
  'true',
  '.inf',
  '.nan',
  '0x1F',
  '1e400',
  '-0',
  '__proto__: ',
  'constructor: ',
  'toString: ',
  '"\\ud800"',
  '"\\0"',
  "'",
  '"',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\n  ',
  '\n',
  '"0 0 30 2 *"',
  '"* * * * * *"',
  'L',
  '#5',
  '{{period.end:',
  '}}',
  '(a+)+$',
  '(?<=x)',
  '\\p{L}',
  '[[[[[[[['.repeat(40),
  'name = ',
  ' or ',
  '(('.repeat(80),
  'Europe/Atlantis',
  'https://',
  'file:///etc/passwd',
  '../../..',
  'a'.repeat(3000),
];
const VALUES: unknown[] = [
  null,
  true,
  '',
  0,
  -1,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  '__proto__',
  'constructor',
  'name',
  'tags',
  'custom_fields.x',
  'custom_fields.',
  '(',
  '(a+)+$',
  '[',
  '* * * * *',
  '0 0 31 2 *',
  '{{',
  '{{period.end:yyyy}}',
  'x'.repeat(300),
  '\u0000',
  '\u202e',
  '🧸',
  { from: 'name' },
  ['name', 'name'],
  { is: [] },
  { when: { from: 'name', matches: '(' }, set: { status: 'sold' } },
  'estimated_value * 2',
  '=1+1',
  'de',
  'xx-XX-u-x',
];
const HEADERS = ['Name', 'Brand', 'Year', 'Condition', 'Value', 'Tags'];
const ITEM: Item = {
  object: 'item',
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Bear',
  brand: 'Steiff',
  release_year: 1999,
  condition: 'loose_good',
  status: 'keep',
  tags: ['a', 'b'],
  custom_fields: { place: 'Shelf', count: 3 },
  collection_id: '11111111-1111-4111-8111-111111111111',
  estimated_value: 12.5,
  currency: 'eur',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
};

interface Document {
  text: string;
  use: (text: string) => unknown;
}

export function yaml(folder: string): Adversary {
  const file = join(folder, 'shelflift.yaml');
  const environment = { XDG_CONFIG_HOME: folder, SHELFLIFT_API_KEY: 'ck' };
  const useConfig = async (text: string) => {
    writeFileSync(file, text);
    const { config } = await checkWorkerConfig(file, environment);
    for (const { cron, timeZone, task } of Object.values(config.schedules)) {
      const fire = nextFire({ cron, timeZone }, NOW);
      const out = 'out' in task ? task.out : undefined;
      if (fire !== undefined && typeof out === 'string')
        fillPattern(out, { start: NOW, end: fire, timeZone });
    }
  };
  const useProfiles = async (text: string) => {
    writeFileSync(join(folder, 'shelflift/config.yaml'), text);
    readConfig(environment);
    await saveProfile(environment, { useByDefault: 'main' });
  };
  const documents: Document[] = [
    ...shipped('import').map((text) => ({ text, use: useTemplate })),
    ...shipped('export').map((text) => ({ text, use: useLayout })),
    ...corpus('yaml/config').flatMap((text) => Array.from({ length: 8 }, () => ({ text, use: useConfig }))),
    ...corpus('yaml/profiles').flatMap((text) =>
      Array.from({ length: 4 }, () => ({ text, use: useProfiles })),
    ),
    ...corpus('yaml/template').flatMap((text) =>
      Array.from({ length: 4 }, () => ({ text, use: useTemplate })),
    ),
    ...corpus('yaml/layout').flatMap((text) => Array.from({ length: 4 }, () => ({ text, use: useLayout }))),
  ];
  mkdirSync(join(folder, 'shelflift'), { recursive: true });
  return {
    async play(number) {
      const random = numbersOf(number * 2_654_435_761 + 12);
      const { text, use } = documents[random(documents.length)] as Document;
      // Half of them stay YAML, with other values in it.
      await use(
        random(2) === 0
          ? spoil(Buffer.from(text), WORDS, random).toString()
          : stringify(withOtherValues(parse(text), VALUES, random)),
      );
      return 'read';
    },
  };
}

function shipped(kind: 'import' | 'export'): string[] {
  const folder = join('templates', kind);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function useTemplate(text: string): void {
  const template = parseTemplate(text, 'template.yaml');
  const own = Object.values(template.columns).flatMap((column) =>
    typeof column === 'string' ? [column] : [(column as { from?: string | string[] }).from ?? []].flat(),
  );
  const headers = [...new Set([...own, ...HEADERS])].slice(0, 26);
  const letters = headers.map((_, index) => String.fromCodePoint(65 + index));
  const mapping = compileMapping({
    headers,
    letters,
    format: 'csv',
    map: {},
    defaults: {},
    mode: 'upsert',
    match: ['name'],
    template,
  });
  for (const cell of ['Bear', '1999', '12,50 €', 'yes', '', '2020-02-30'])
    mapping.asCreate(mapping.mapRow(headers.map(() => cell)));
  mapping.resolveDecimals();
}

function useLayout(text: string): void {
  const layout = parseLayout(text, 'layout.yaml');
  const names = new Map([[ITEM.collection_id, 'Main']]);
  for (const format of ['csv', 'xlsx'] as const)
    for (const column of compileColumns(layout, {
      look: { format, decimal: 'point', locale: layout.locale },
      values: new ItemValues(names),
      moneyFormat: undefined,
      collectionNames: names,
      customFields: ['place', 'count'],
      onTooLong: () => undefined,
    }))
      column.cell(ITEM);
}
