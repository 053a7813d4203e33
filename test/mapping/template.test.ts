import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { english, message } from '../../src/messages/message.ts';
import { listLayouts } from '../../src/export/layout/load-layout.ts';
import { type Message, PARAMS } from '../../src/messages/params.ts';
import { UsageError } from '../../src/base/errors.ts';
import { listTemplates, loadTemplate, parseTemplate } from '../../src/mapping/template/load-template.ts';
import { templateMode } from '../../src/mapping/template/template-mode.ts';
import { columnLetter } from '../../src/sheets/cell.ts';
import { codesOf, compile, mapOne, valuesOf } from './helpers.ts';

function problemsOf(text: string): string[] {
  try {
    parseTemplate(text, 't.yaml');
  } catch (error) {
    if (error instanceof UsageError && error.code === 'bad_template') return error.message.split('\n');
    throw error;
  }
  return [];
}

test('amounts in hundredths are rounded once when they are converted, and the note has them in whole units', () => {
  const spec = { cents: true, currency: 'usd', rates: { EUR: 0.92 } };
  const template = {
    name: 't',
    columns: {
      name: 'Name',
      estimated_value: { from: 'Price', ...spec },
      'custom_fields.paid': { from: 'Paid', as: 'money' as const, ...spec },
    },
  };
  const row = mapOne({ Name: 'Falcon', Price: '€ 1251', Paid: '1251 EUR' }, { template });
  expect(row.fields).toMatchObject({ estimated_value: { value: 11.51 } });
  expect(row.customFields).toMatchObject({ paid: { value: 11.51 } });
  const about = { currency: 'EUR', from: '12.51', rate: '0.92', to: '11.51' };
  expect(row.notes).toContainEqual(message('converted', { field: 'estimated_value', ...about }));
  for (const decimals of ['12.50', '12,50', '€ 12.50', '$12.5'])
    expect(codesOf(mapOne({ Name: 'Falcon', Price: decimals, Paid: decimals }, { template }))).toEqual([
      'not_an_integer',
      'not_an_integer',
    ]);
});

describe('loading a template', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shelflift-template-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('finds a shipped template by name; each template has a unique name and a description', async () => {
    const templates = listTemplates();
    expect(templates.map((entry) => entry.name)).toEqual(
      expect.arrayContaining(['action-figures', 'die-cast', 'generic', 'status-change']),
    );
    for (const { name } of templates) expect((await loadTemplate(name)).name).toBe(name);
    const described = [...templates, ...listLayouts()].map(({ description }) => description.code);
    const known = Object.keys(PARAMS).filter((code) => /^(?:import_template|export_layout)_/.test(code));
    expect(described.toSorted()).toEqual(known.toSorted());
  });

  test('reads a name of several letters as a header, not as column letters', () => {
    const template = { name: 't', guess: false, columns: { name: 'Title', series: 'B' } };
    expect(compile(['Title', 'x'], { template }).columns[1]?.target).toBeUndefined();
  });

  test('finds a file by its path', async () => {
    const file = join(folder, 'mine.yaml');
    await writeFile(file, 'name: mine\ncolumns:\n  name: Thing\n');
    expect(await loadTemplate(file)).toEqual({ name: 'mine', columns: { name: 'Thing' } });
  });

  test('refuses an unknown name with a list of the known names', async () => {
    await expect(loadTemplate('die-cats')).rejects.toMatchObject({
      code: 'no_such_template',
      remedy: expect.stringContaining('die-cast'),
    });
    await expect(loadTemplate(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'no_such_template' });
  });
});

describe('problems of a template file are reported with line and column', () => {
  test.each([
    ['name: x\ncolumns: [', /^t\.yaml:2:\d+: /],
    ['name: x\ncolums: {}', /^t\.yaml:2:1: colums: is unknown: expected name, .*columns, /],
    [
      'name: x\ncolumns:\n  nmae: Thing',
      /^t\.yaml:3:3: columns\.nmae: expected a field: .*custom_fields\.NAME$/,
    ],
    [
      'name: x\ncolumns:\n  tags: { from: Tags, separator: ";" }',
      /^t\.yaml:3:23: columns\.tags\.separator: is unknown: expected .*, separators, /,
    ],
    [
      'name: x\ncolumns:\n  condition: { words: { mint: minty } }',
      /^t\.yaml:3:25: .*expected mint_on_card, .*found minty$/,
    ],
    [
      'name: x\ncolumns:\n  brand: { decimal: comma }',
      /^t\.yaml:3:12: columns\.brand\.decimal: only for estimated_value, and custom fields as money or decimal$/,
    ],
    ['name: x\ncolumns:\n  estimated_value: { currency: eurodollar }', /currency code/],
    [
      'name: x\ncolumns:\n  name: { from: A, pattern: "(a" }',
      /^t\.yaml:3:20: columns\.name\.pattern: .*missing closing \): .*RE2/,
    ],
    ['name: x\ncolumns:\n  name: { from: A, pattern: "(a+)+$(?=b)" }', /columns\.name\.pattern: .*RE2/],
    ['name: x\ncolumns:\n  name: { from: A, pattern: "((a{1000}){1000})" }', /invalid repeat count/],
    [
      'name: x\ncolumns:\n  name: { from: A, pattern: "(a)", group: 2 }',
      /the pattern has no group 2, only 1/,
    ],
    ['name: x\ncolumns:\n  name: { from: A, pattern: "(?P<x>a)", group: y }', /no group "y", only x/],
    [
      'name: x\ncolumns:\n  name: { from: A, join: [A, B] }',
      /^t\.yaml:3:20: columns\.name\.join: from and join: keep one/,
    ],
    [
      'name: x\ncolumns:\n  name: { from: A, as: integer }',
      /columns\.name\.as: only for custom_fields\.NAME: name has a fixed kind/,
    ],
    [
      'name: x\ncolumns:\n  custom_fields.a: { from: A, as: float }',
      /columns\.custom_fields\.a\.as: expected one of .*integer/,
    ],
    [
      'name: x\ncolumns:\n  status: { from: A, yes: for sale }',
      /columns\.status\.yes: expected keep, sell, .*found for sale/,
    ],
    [
      'name: x\ncolumns:\n  status: { from: A, words: { x: sell }, unknownWords: keep }',
      /unknownWords: expected issue or blank/,
    ],
    [
      'name: x\ncolumns:\n  brand: { from: A, words: { HW: { condition: damaged } } }',
      /words\.HW: expected text/,
    ],
    [
      'name: x\ncolumns:\n  name: { column: 0 }',
      /columns\.name\.column: expected a column letter such as C, or a position counted from 1/,
    ],
    [
      'name: x\nconditions:\n  - when: { from: A, filled: true }\n    set: { id: 7 }',
      /^t\.yaml:4:12: conditions\.0\.set\.id: id can come only from a column/,
    ],
    [
      'name: x\nconditions:\n  - when: { all: [{ from: A, matches: "[" }] }\n    set: { status: sold }',
      /^t\.yaml:3:30: conditions\.0\.when\.all\.0\.matches: /,
    ],
    ['columns: {}', /^t\.yaml:1:1: name: expected a name for the template$/],
    ['name: x\ncolumns:', /^t\.yaml:2:1: columns: expected a map from fields to the columns they come from$/],
    ['name: x\ndefaults: [a]', /^t\.yaml:2:1: defaults: expected a map from fields to values$/],
    [
      'name: x\nconditions: { status: sold }',
      /^t\.yaml:2:1: conditions: expected a list of \{ when, set \}$/,
    ],
    [
      'name: x\ncolumns:\n  custom_fields.__proto__: A',
      /^t\.yaml:3:3: columns\.custom_fields\.__proto__: expected a field: /,
    ],
    ['name: x\nskip:\n  - from: Owned', /skip\.0: expected one of is, blank, filled/],
    ['name: x\ndefaults: { id: "1" }', /id can come only from a column/],
    [
      'name: x\ncolumns: { brand: B }\nconstants: { brand: Acme }',
      /constants\.brand: brand has a column as well as a constant/,
    ],
    [
      'name: x\ncolumns: { brand: 2019 }',
      /^t\.yaml:2:12: columns\.brand: expected a header, a list of headers, or a map of options$/,
    ],
    ['- a', /^t\.yaml:1:1: the template: /],
    ['', /^t\.yaml:1:1: the template: /],
  ])('%j', (text, expected) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test('all at once', () => {
    expect(problemsOf('name: 5\ncolumns:\n  nmae: Thing\n  tags: { from: 3 }').length).toBeGreaterThan(1);
  });
});

describe('a template can have', () => {
  test('candidates, a letter, and short forms', () => {
    const template = {
      name: 't',
      columns: { name: ['Title', 'Thing'], brand: { column: 'c' }, series: { from: 'Line' } },
    };
    expect(compile(['Thing', 'Line', 'x'], { template }).columns.map((column) => column.target)).toEqual([
      'name',
      'series',
      'brand',
    ]);
  });

  test('a word that sets two fields, unless the other field has a value in its own column', () => {
    const template = {
      name: 't',
      columns: { condition: { words: { MIB: { condition: 'mint_on_card', packaging: 'in_package' } } } },
    };
    expect(valuesOf(mapOne({ name: 'x', packaging: '', condition: 'm.i.b.' }, { template }))).toMatchObject({
      condition: 'mint_on_card',
      packaging: 'in_package',
    });
    expect(
      valuesOf(mapOne({ name: 'x', packaging: 'opened', condition: 'MIB' }, { template }))['packaging'],
    ).toBe('opened');
  });

  test('a setting that turns built-in words off, and further texts that count as blank', () => {
    const template = {
      name: 't',
      columns: {
        condition: { builtInWords: false, blankWords: ['so so'] },
        brand: { blankWords: ['no brand'] },
      },
    };
    expect(codesOf(mapOne({ name: 'x', condition: 'MOC' }, { template }))).toEqual(['unknown_word']);
    expect(valuesOf(mapOne({ name: 'x', condition: 'So-so', brand: 'No brand' }, { template }))).toEqual({
      name: 'x',
    });
  });

  test('rules to skip rows, including rows that a results file marks as done', () => {
    const said = (skip: Message | undefined) => skip && english(skip);
    const skip = (rule: object) => ({ name: 't', skip: [{ from: 'Owned', ...rule }] });
    const row = (owned: string, rule: object) =>
      said(mapOne({ name: 'x', Owned: owned }, { template: skip(rule) }).skip);
    expect(row('NO', { is: ['no', 'wanted'] })).toBe('Owned is NO');
    expect(row('yes', { is: ['no', 'wanted'] })).toBeUndefined();
    expect(row('', { blank: true })).toBe('Owned is blank');
    expect(row('x', { filled: true })).toBe('Owned is filled');
    expect(() => compile(['name'], { template: skip({ is: ['no'] }) })).toThrow(
      /skips rows based on column Owned/,
    );
    expect(
      compile(['name'], { template: skip({ is: ['no'], optional: true }) }).mapRow(['x']).skip,
    ).toBeUndefined();
    expect(mapOne({ name: '=x', _row: '2', _state: 'invalid' })).toMatchObject({
      fields: { name: { value: '=x' } },
    });
  });

  test('required columns, ignored columns, and guessing turned off', () => {
    expect(() =>
      compile(['name'], { template: { name: 't', columns: { brand: { from: 'Maker', required: true } } } }),
    ).toThrow(/requires a column for brand \(Maker\)/);
    const template = { name: 't', guess: false, ignore: ['Photo'], columns: { name: 'Title' } };
    expect(
      compile(['Title', 'Photo', 'Brand'], { template }).columns.map(
        ({ target, reason }) => target ?? reason.code,
      ),
    ).toEqual(['name', 'template_ignores', 'not_known']);
  });
});

test('status-change finds items by the best available key, and changes nothing else', async () => {
  const template = await loadTemplate('status-change');
  const modeOf = (headers: string[]) =>
    templateMode(template, {
      headers,
      letters: headers.map((_, index) => columnLetter(index)),
      format: 'csv',
      map: {},
    });
  expect(modeOf(['id', 'name', 'status'])).toEqual({ mode: 'update', match: ['id'] });
  expect(modeOf(['sku', 'name', 'status'])).toEqual({ mode: 'update', match: ['custom_fields.sku'] });
  expect(modeOf(['name', 'status'])).toEqual({ mode: 'update', match: ['name'] });
  expect(() => modeOf(['Colour', 'status'])).toThrow(/finds items by id, or custom_fields.sku, or name/);
  const flags = { headers: ['id', 'status'], letters: ['A', 'B'], format: 'csv', map: {} } as const;
  const given = { ...flags, headers: [...flags.headers], letters: [...flags.letters] };
  expect(templateMode(template, { ...given, match: ['custom_fields.x'] })).toEqual({
    mode: 'update',
    match: ['custom_fields.x'],
  });
  expect(templateMode(template, { ...given, mode: 'create' })).toEqual({ mode: 'create', match: [] });
  expect(templateMode(undefined, given)).toEqual({ mode: 'create', match: [] });
  const columns = compile(['sku', 'name', 'status', 'brand'], {
    template,
    mode: 'update',
    match: ['custom_fields.sku'],
  }).columns;
  expect(columns.map(({ target, reason }) => target ?? reason.code)).toEqual([
    'custom_fields.sku',
    'only_for_match',
    'status',
    'not_known',
  ]);
});
