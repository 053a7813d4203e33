/** The stored forms of what a row asks for, and of the request that is sent for it. */
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import {
  changeInput,
  createInput,
  fieldsOfCreate,
  patchOf,
  type RowPatch,
  rowInput,
  tableRowInput,
  undoInput,
  undoPatchOf,
} from '../../src/import/engine/input.ts';
import {
  confirmed,
  copiesOf,
  createBody,
  createContent,
  createdWith,
  fieldValue,
  isArchiving,
  isBuiltOnItem,
  isDecided,
  isUnread,
  itemShown,
  mayBeApplied,
  type Update,
  updateOf,
  updateText,
  wasApplied,
} from '../../src/import/engine/operation.ts';
import { issueOf } from '../../src/import/engine/stored-issue.ts';
import { isUndone, UNDONE } from '../../src/import/engine/undone.ts';
import type { JobRecord, LedgerRow } from '../../src/ledger/ledger.ts';
import { CLEAR, type MappedRow, type MappedValue } from '../../src/mapping/mapping.ts';
import { message } from '../../src/messages/message.ts';

const COLLECTION = '00000000-0000-4000-8000-00000000000c';
const ITEM: Item = {
  object: 'item',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Bear',
  status: 'keep',
  collection_id: COLLECTION,
  currency: 'usd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const item = (fields: Partial<Item>): Item => ({ ...ITEM, ...fields });
const cell = (value: unknown, text = String(value)): MappedValue => ({ value, text });
const PROBLEM: MappedValue = {
  value: undefined,
  text: 'soon',
  issue: { code: 'not_a_number', message: 'It is not a number.' },
};

const ROW: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
const TAGS = (): MappedRow => ({ ...ROW, fields: { name: cell('Bear'), tags: cell(['a', 'b'], 'a; b') } });

describe('the input of a row', () => {
  it('of a create has its fields, which a later update can set', () => {
    const row = { ...ROW, fields: { name: cell('Bear') }, customFields: { n: cell(5) } };
    const input = createInput(row);
    expect(fieldsOfCreate({ input })).toEqual({ name: 'Bear', custom_fields: { n: 5 } });
    expect(patchOf({ input })).toEqual({
      fields: { name: { value: 'Bear', text: 'Bear' } },
      customFields: { n: { value: 5, text: '5' } },
      create: { fields: { name: 'Bear', custom_fields: { n: 5 } }, issues: [] },
    });
    expect(patchOf({ input: createInput({ ...ROW, fields: { name: cell('Bear') } }) }).customFields).toEqual(
      {},
    );
    expect(patchOf({ input: createInput(TAGS()) }).fields.tags).toEqual(cell(['a', 'b'], 'a; b'));
    expect(() => undoPatchOf({ input })).toThrow(new Error('The row has the input of a create.'));
  });

  it('of a change has the values that the row sets, and `<clear>` unchanged', () => {
    const row = {
      ...ROW,
      fields: {
        brand: cell(CLEAR, '<clear>'),
        name: cell('Bear'),
        status: undefined,
      } as unknown as MappedRow['fields'],
      customFields: { soon: PROBLEM },
      id: ITEM.id,
      chosen: 'x',
      exported: '2026-01-01',
    };
    const input = rowInput(row, 'set');
    const patch = patchOf({ input });
    expect(patch).toMatchObject({ id: ITEM.id, chosen: 'x', exported: '2026-01-01' });
    expect(patch.fields).toEqual({ brand: { value: CLEAR, text: '<clear>' }, name: cell('Bear') });
    expect(patch.customFields['soon']).toEqual(PROBLEM);
    expect(Object.keys(patchOf({ input: rowInput(ROW, 'set') })).sort()).toEqual([
      'customFields',
      'fields',
      'kind',
    ]);
    expect(fieldsOfCreate({ input })).toEqual({});
  });

  it('takes tags out of the fields if they are added or removed', () => {
    expect(patchOf({ input: rowInput(TAGS(), 'set') }).fields.tags?.value).toEqual(['a', 'b']);
    const added = patchOf({ input: rowInput(TAGS(), 'add') });
    expect([added.tags, added.fields.tags]).toEqual([{ add: ['a', 'b'], remove: [] }, undefined]);
    expect(patchOf({ input: rowInput(TAGS(), 'remove') }).tags).toEqual({ add: [], remove: ['a', 'b'] });
    const cleared = { ...ROW, fields: { tags: cell(CLEAR, '<clear>') } };
    const patch = patchOf({ input: rowInput(cleared, 'add') });
    expect([patch.tags, patch.fields.tags?.value]).toEqual([undefined, CLEAR]);
  });

  it('of an upsert has the create, too: with the tags to add, without those to remove', () => {
    const asCreate = (row: MappedRow) => row;
    const created = (mode: 'set' | 'add' | 'remove') =>
      fieldsOfCreate({ input: rowInput(TAGS(), mode, asCreate) })['tags'];
    expect([created('set'), created('add'), created('remove')]).toEqual([['a', 'b'], ['a', 'b'], undefined]);
    const none = { ...ROW, fields: { name: cell('Bear'), tags: cell([], '') } };
    expect(fieldsOfCreate({ input: rowInput(none, 'add', asCreate) })).toEqual({ name: 'Bear' });
    const row = { ...ROW, fields: { name: cell('Bear') } };
    expect(patchOf({ input: rowInput(row, 'add', asCreate) }).create).toEqual({
      fields: { name: 'Bear' },
      issues: [],
    });
  });

  it('of `set --from` joins its cells with what the command gives to all', () => {
    const every: Omit<RowPatch, 'create'> = {
      fields: { brand: cell('Acme') },
      customFields: { a: cell('1') },
      tags: { add: ['x'], remove: ['y'] },
      relative: { estimated_value: { sign: '*=', operand: '2' } },
      valueForAll: true,
    };
    const change = { patch: changeInput(every), relative: { release_year: { sign: '+=' } } } as const;
    const row = {
      ...TAGS(),
      operands: {
        release_year: { operand: '1', shown: '+1' },
        estimated_value: { operand: '3', shown: '3' },
      },
    };
    expect(patchOf({ input: tableRowInput(row, 'remove', change) })).toEqual({
      kind: 'change',
      fields: { name: cell('Bear'), brand: cell('Acme') },
      customFields: { a: cell('1') },
      tags: { add: ['x'], remove: ['y', 'a', 'b'] },
      relative: {
        estimated_value: { sign: '*=', operand: '2' },
        release_year: { sign: '+=', operand: '1', shown: '+1' },
      },
      onceOnly: true,
      valueForAll: true,
    });
    const both = { add: ['x'], remove: ['y'] };
    const retagged = changeInput({ fields: {}, customFields: {}, tags: both });
    expect(patchOf({ input: tableRowInput(ROW, 'set', { patch: retagged }) }).tags).toEqual(both);
    const plain = { patch: changeInput({ fields: {}, customFields: {} }) };
    expect(patchOf({ input: tableRowInput({ ...ROW, id: ITEM.id }, 'add', plain) })).toEqual({
      kind: 'change',
      fields: {},
      customFields: {},
      id: ITEM.id,
    });
    expect(patchOf({ input: tableRowInput(TAGS(), 'add', plain) }).tags).toEqual({
      add: ['a', 'b'],
      remove: [],
    });
    const kept = patchOf({ input: tableRowInput(TAGS(), 'set', plain) });
    expect([kept.tags, kept.fields.tags?.value]).toEqual([undefined, ['a', 'b']]);
  });

  it('of an undo names the item, and is no other input', () => {
    const patch = { itemId: ITEM.id, changes: [{ field: 'name', from: 'a', to: 'b' }] };
    const input = undoInput(patch);
    expect(undoPatchOf({ input })).toMatchObject(patch);
    expect(() => patchOf({ input })).toThrow(new Error('The row has the input of a undo.'));
    expect(fieldsOfCreate({ input })).toEqual({});
  });

  it('is missing in a row whose input was pruned', () => {
    expect(fieldsOfCreate({ input: null })).toEqual({});
    expect(() => patchOf({ input: null })).toThrow(new Error('The row has no input.'));
    expect(() => undoPatchOf({ input: null })).toThrow(new Error('The row has no input.'));
  });

  it('that this version did not write is refused', () => {
    expect(() => patchOf({ input: '{"kind":"change"}' })).toThrow(/store/i);
    expect(() => updateOf({ operation: '{"kind":"update","set":{}}' })).toThrow(/store/i);
  });
});

const UPDATE: Update = { kind: 'update', set: { name: 'b' }, before: { name: 'a' } };
const stored = (update: Partial<Update>, row: Partial<LedgerRow> = {}) => ({
  state: 'planned' as const,
  action: 'update' as const,
  operation: updateText({ ...UPDATE, ...update }),
  ...row,
});

describe('the request of a row', () => {
  it('is read as it was stored, with all of its parts', () => {
    const full: Update = {
      ...UPDATE,
      already: [['brand', 'Acme'], ['custom_fields.a']],
      expect: [
        { is: 'key', field: 'name', was: 'a' },
        { is: 'missing', field: 'collection_id', was: COLLECTION },
        { is: 'selected', where: 'name = a', field: 'name', collection: { id: COLLECTION, name: 'Main' } },
        { is: 'copy', field: 'name', of: [ITEM.id.toUpperCase(), 'B'] },
        { is: 'created', body: { collection_id: COLLECTION, name: 'a' } },
      ],
      item: itemShown(item({ estimated_value: 5 })),
      tags: { add: ['a'], remove: [] },
      relative: { estimated_value: { sign: '*=', operand: '2' } },
      exported: '2026-01-01',
      isOlder: true,
      confirmed: true,
      decided: true,
      applied: 'perhaps',
      left: {
        set: {},
        before: {},
        issue: issueOf('similar', message('item_has_all', {}), { itemId: ITEM.id }),
        to: 'held',
      },
    };
    expect(updateOf({ operation: updateText(full) })).toEqual(full);
    expect(updateOf({ operation: null })).toEqual({ kind: 'update', set: {}, before: {} });
    expect(isArchiving(full)).toBe(true);
    expect(createdWith(full)?.body.name).toBe('a');
    expect(copiesOf(full)).toEqual([ITEM.id, 'b']);
    for (const empty of [UPDATE, { ...UPDATE, expect: [{ is: 'key', field: 'name' }] } satisfies Update])
      expect([isArchiving(empty), createdWith(empty), copiesOf(empty)]).toEqual([false, undefined, []]);
    expect(fieldValue('a', undefined)).toEqual(['a']);
    expect(fieldValue('a', null)).toEqual(['a', null]);
    expect(itemShown(ITEM)).toEqual({ name: 'Bear', status: 'keep', value: null, currency: 'usd' });
  });

  it.each<[Partial<Update>, boolean, boolean]>([
    [{}, false, false],
    [{ set: {} }, false, true],
    [{ set: { custom_fields: {} } }, true, false],
    [{ set: { tags: [] } }, true, false],
    [{ relative: {} }, true, false],
    [{ confirmed: true }, false, true],
    [{ expect: [{ is: 'copy', field: 'name', of: ['x'] }] }, true, true],
  ])('%j is built on the item as it is: %s, as it was never read before: %s', (part, built, unread) => {
    expect([isBuiltOnItem({ ...UPDATE, ...part }), isUnread({ ...UPDATE, ...part })]).toEqual([
      built,
      unread,
    ]);
  });

  it('tells what the server has applied, and what a person decided', () => {
    expect([wasApplied(stored({ applied: true })), mayBeApplied(stored({ applied: true }))]).toEqual([
      true,
      false,
    ]);
    const perhaps = stored({ applied: 'perhaps' });
    expect([wasApplied(perhaps), mayBeApplied(perhaps)]).toEqual([false, true]);
    const create = { action: 'create' as const };
    expect(wasApplied(stored({ applied: true }, create))).toBe(false);
    expect(mayBeApplied(stored({ applied: 'perhaps' }, create))).toBe(false);
    expect(isDecided(stored({ decided: true }))).toBe(true);
    expect(isDecided(stored({}))).toBe(false);
    expect(isDecided(stored({ decided: true }, { state: 'held' }))).toBe(false);
    expect(isDecided(stored({ decided: true }, create))).toBe(false);
  });

  it('is all of the update once a person confirms it, also what was left out', () => {
    expect(confirmed(UPDATE)).toEqual({ ...UPDATE, confirmed: true, decided: true });
    const left = { set: { name: 'c' }, before: { name: 'd' }, issue: {} as never, to: 'held' as const };
    expect(confirmed({ ...UPDATE, left })).toEqual({
      kind: 'update',
      set: left.set,
      before: left.before,
      confirmed: true,
      decided: true,
    });
  });

  it('creates the item in the collection of the row, with a stamp if there is one', () => {
    const job = { id: 'job', collections: { Main: COLLECTION } } as unknown as JobRecord;
    const row = {
      collection: 'Main',
      ordinal: 7,
      input: createInput({ ...ROW, fields: { name: cell('Bear') }, customFields: { a: cell('1') } }),
    } as unknown as LedgerRow;
    const body = { collection_id: COLLECTION, name: 'Bear', custom_fields: { a: '1' } };
    expect(createBody(job, row, undefined)).toEqual(body);
    const stamped = { ...body, custom_fields: { a: '1', stamp: 'job:7' } };
    expect(createBody(job, row, 'stamp')).toEqual(stamped);
    const nowhere = { ...row, collection: null } as LedgerRow;
    expect(createContent(job, nowhere, undefined)).toEqual({ ...body, collection_id: undefined });
    expect(() => createBody(job, nowhere, undefined)).toThrow();
  });
});

it('an item is undone if it is archived and marked', () => {
  const marked = { custom_fields: { [UNDONE]: 'job' } };
  expect(isUndone({ status: 'archived', ...marked })).toBe(true);
  expect(isUndone({ status: 'archived', custom_fields: { a: 1 } })).toBe(false);
  expect(isUndone({ status: 'archived' })).toBe(false);
  expect(isUndone({ status: 'keep', ...marked })).toBe(false);
});
