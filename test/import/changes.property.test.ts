/**
 * For random items, a random file and random edits by somebody else in between: an apply changes the planned and
 * undrifted fields and nothing else; the undo after it is the identity where nobody interfered; twice is once.
 */
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  option,
  record,
  subarray,
} from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const STATUSES = ['keep', 'sell', 'trade', 'sold', 'archived'] as const;
const custom = dictionary(
  constantFrom('shelf', 'n', 'note'),
  oneof(constantFrom('A', 'B', '5', 'true'), integer({ min: 0, max: 9 }), boolean(), constant(null)),
  { noNullPrototype: true },
);
const content = record({
  status: constantFrom(...STATUSES),
  brand: constantFrom(null, 'Acme', 'Bolt', 'Häuser'),
  estimated_value: constantFrom(null, 0, 1.5, 20),
  tags: subarray(['a', 'b', 'c']),
  custom_fields: custom,
});
/** Cells of a row; blank leaves alone. */
const cells = record({
  status: constantFrom('', ...STATUSES),
  brand: constantFrom('', 'Acme', 'Bolt', '<clear>'),
  estimated_value: constantFrom('', '1.50', '20', '7', '<clear>'),
  tags: constantFrom('', 'a; b', 'c', '<clear>'),
  'custom_fields.shelf': constantFrom('', 'A', 'Z', '<clear>'),
  'custom_fields.n': constantFrom('', '5', '6', '<clear>'),
});
const FIELDS = [
  'status',
  'brand',
  'estimated_value',
  'tags',
  'custom_fields.shelf',
  'custom_fields.n',
] as const;
const cases = array(
  record({
    before: content,
    row: cells,
    /** What somebody else makes of it between plan and apply, and between apply and undo. */
    meanwhile: option(content, { nil: undefined, freq: 3 }),
    later: option(content, { nil: undefined, freq: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

const BLANK = {
  status: '',
  brand: '',
  estimated_value: '',
  tags: '',
  'custom_fields.shelf': '',
  'custom_fields.n': '',
} as const;

const NUMBERS: Record<string, '5'>[] = [{}, { n: '5' }];

/** Rows that failed once: somebody changes a value which the row sets, too, and which its item had already. */
const FAILED: typeof cases extends Arbitrary<infer Each> ? Each : never = NUMBERS.map((custom) => {
  const before = {
    status: 'keep',
    brand: null,
    estimated_value: null,
    tags: [],
    custom_fields: custom,
  } as const;
  return {
    before: { ...before, tags: [] },
    row: { ...BLANK, status: 'keep', 'custom_fields.n': '6' },
    meanwhile: { ...before, status: 'sell', tags: [] },
    later: undefined,
  };
});

describe.each(['replace', 'merge'] as const)('on a server whose updates %s custom_fields', (customFields) => {
  it('apply makes exactly the planned changes that did not drift, and undo reverts exactly these changes', async () => {
    await using it = await openImport({ customFields });
    const edit = editor(it);
    let round = 0;
    await assert(
      asyncProperty(cases, async (all) => {
        round += 1;
        const ids = it.sandbox.control.insertItems(
          all.map(({ before }, index) => ({ name: `R${round} ${index}`, ...before, currency: 'usd' })),
        );
        const lines = all.map(({ row }, index) => [ids[index] ?? '', ...FIELDS.map((field) => row[field])]);
        const file = await it.file('rows.csv', csv(['id', ...FIELDS], lines));
        const dry = await it.import({ file, mode: 'update', dryRun: true, collection: 'Main' });
        const planned = await it.ledger.rows.list(dry.summary.job, { limit: 10 });
        await Promise.all(all.map(({ meanwhile }, index) => edit(ids[index], meanwhile)));
        const atApply = snapshot(it, ids);
        const applied = await it.apply(dry.summary.job, { yes: true });
        expect(applied.summary.rows).toMatchObject({ read: all.length, pending: 0, refused: 0, invalid: 0 });
        const after = snapshot(it, ids);

        for (const [index, { before, row, meanwhile }] of all.entries()) {
          const was = leaves(before);
          const now = leaves(atApply[index]);
          const asked = asks(row, was);
          // What the item had already when it was planned must still be there.
          const drifted = Object.keys(asked).some(
            (field) => !same(was[field], now[field]) && !same(asked[field], now[field]),
          );
          const isPlanned = Object.keys(asked).some((field) => !same(was[field], asked[field]));
          const expected = drifted || !isPlanned ? now : { ...now, ...asked };
          // A server that merges keeps what should have gone.
          const stays = (field: string) =>
            customFields === 'merge' && expected[field] === undefined && now[field] !== undefined;
          for (const field of ALL_LEAVES) {
            expect(
              leaves(after[index])[field],
              `${field} of ${JSON.stringify({ before, row, meanwhile })}`,
            ).toEqual(stays(field) ? now[field] : expected[field]);
          }
          expect(planned[index]?.state === 'planned').toBe(isPlanned);
        }

        // Twice is once.
        const counted = it.sandbox.control.counts().byOperation.updateItem?.['200'] ?? 0;
        await it.apply(dry.summary.job, { yes: true });
        expect(it.sandbox.control.counts().byOperation.updateItem?.['200'] ?? 0).toBe(counted);
        expect(snapshot(it, ids)).toEqual(after);

        await Promise.all(all.map(({ later }, index) => edit(ids[index], later)));
        const atUndo = snapshot(it, ids);
        if (applied.summary.rows.updated + applied.summary.rows.held === 0) return;
        if ((await it.ledger.jobs.find(dry.summary.job)).firstSentAt === undefined) return;
        await it.run((deps) =>
          undoJob(dry.summary.job, deps, { run: { yes: true, quietPeriodMs: QUIET_MS } }),
        );
        const undone = snapshot(it, ids);
        for (const [index] of all.entries()) {
          const [from, made, now, got] = [atApply, after, atUndo, undone].map((each) => leaves(each[index]));
          for (const field of ALL_LEAVES) {
            const ours = !same(from?.[field], made?.[field]);
            const touched = !same(made?.[field], now?.[field]);
            const back = ours && !touched ? from?.[field] : now?.[field];
            const stays = customFields === 'merge' && back === undefined && now?.[field] !== undefined;
            expect(got?.[field], `${field} of ${JSON.stringify(all[index])}`).toEqual(
              stays ? now?.[field] : back,
            );
          }
        }
      }),
      { numRuns: 10, examples: [[FAILED]] },
    );
  });
});

const ALL_LEAVES = [...FIELDS, 'custom_fields.note'] as const;

function editor(it: OpenImport) {
  return async (id: string | undefined, change: Partial<Item> | undefined): Promise<void> => {
    if (change === undefined || id === undefined) return;
    await it.run(({ client }) => client.updateItem(id, change as Parameters<typeof client.updateItem>[1]));
  };
}

function snapshot(it: OpenImport, ids: string[]): Item[] {
  const items = new Map(it.items().map((item) => [item.id, item]));
  return ids.map((id) => items.get(id) ?? expect.fail(`no item ${id}`));
}

/** Each field by itself; an absent custom field is undefined. */
function leaves(item: Partial<Item> | undefined): Record<string, unknown> {
  const { status, brand = null, estimated_value = null, tags = [], custom_fields = {} } = item ?? {};
  const customs = ['shelf', 'n', 'note'].map((key) => [
    `custom_fields.${key}`,
    Object.hasOwn(custom_fields, key) ? custom_fields[key] : undefined,
  ]);
  return { status, brand, estimated_value, tags: [...tags].sort(), ...Object.fromEntries(customs) };
}

/** What the row asks for of an item that was so. */
function asks(
  row: Record<(typeof FIELDS)[number], string>,
  was: Record<string, unknown>,
): Record<string, unknown> {
  const asked: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const cell = row[field];
    if (cell === '') continue;
    asked[field] = cell === '<clear>' ? cleared(field) : cast(field, cell, was[field]);
  }
  return asked;
}

function cleared(field: string): unknown {
  return field.startsWith('custom_fields.') ? undefined : field === 'tags' ? [] : null;
}

/** Numbers and booleans of custom fields keep their type where the text allows it. */
function cast(field: string, cell: string, current: unknown): unknown {
  if (field === 'estimated_value') return Number(cell);
  if (field === 'tags') return cell.split('; ');
  if (typeof current === 'number' && /^\d+$/.test(cell)) return Number(cell);
  return cell;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
