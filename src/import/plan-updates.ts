/**
 * Plans an update or upsert: finds each row's item, and keeps only what changes.
 */
import type { Item } from '../api/schemas.ts';
import type { JobRecord, LedgerRow, RowMove, StoredIssue } from '../ledger/ledger.ts';
import { CLEAR, type MappedValue } from '../mapping/mapping.ts';
import { textForm } from '../mapping/text-form.ts';
import { allItems, itemsById } from './current-items.ts';
import type { ImportDeps } from './deps.ts';
import { difference } from './difference.ts';
import type { JobOptions } from './options.ts';
import { decodeWishes, type Wishes } from './wishes.ts';

const PAGE = 500;

/** A row's key, '' where all its key cells are blank. */
type KeyOf = (wishes: Wishes) => string;

export async function planUpdates(job: JobRecord, deps: ImportDeps): Promise<void> {
  const options = job.options as unknown as JobOptions;
  const match = options.match.length === 0 ? ['id'] : options.match;
  const keyOf = keyReader(match);

  const keys = new Map<string, { rows: number; same: boolean; text: string; first: number }>();
  await eachRow(job, deps, async (row, wishes) => {
    const key = keyOf(wishes);
    if (key === '') return [];
    const known = keys.get(key);
    if (known === undefined)
      keys.set(key, { rows: 1, same: true, text: row.payload ?? '', first: row.sheetRow });
    else {
      known.rows += 1;
      known.same &&= known.text === row.payload;
    }
    return [];
  });

  const items = await findItems(match, keys, deps);
  const used = new Set<string>();
  await eachRow(job, deps, async (row, wishes) => {
    const key = keyOf(wishes);
    const repeated = keys.get(key);
    if (key === '') return [blankKey(job, row, wishes, match)];
    if (repeated !== undefined && repeated.rows > 1) {
      if (!repeated.same) {
        const message = `${match.join(' + ')} stands in ${repeated.rows} rows (the first is row ${repeated.first}) that disagree`;
        return [invalid(row, { code: 'duplicate_key', message })];
      }
      if (used.has(key)) return [{ ordinal: row.ordinal, to: 'unchanged' }];
      used.add(key);
    }
    return [planRow(job, row, wishes, items.get(key) ?? [], match)];
  });
}

function planRow(job: JobRecord, row: LedgerRow, wishes: Wishes, items: Item[], match: string[]): RowMove {
  const [item, second] = items;
  if (second !== undefined) {
    const ids = items.slice(0, 5).map((each) => each.id);
    const message = `${match.join(' + ')} fits ${items.length} items: ${ids.join(', ')}`;
    return invalid(row, { code: 'ambiguous_match', message });
  }
  if (item === undefined) {
    // An id is the server's to give: a row that names one that is not there cannot become an item with it.
    if (job.mode === 'upsert' && !match.includes('id')) return asCreate(job, row, wishes);
    const message = match.includes('id')
      ? `there is no item ${wishes.id ?? ''}`
      : `no item has this ${match.join(' + ')}`;
    return invalid(row, { code: 'no_such_item', message, column: match.join(' + ') });
  }
  const collectionId = row.collection === null ? undefined : job.collections[row.collection];
  const planned = difference(wishes, item, collectionId);
  if ('issues' in planned) return { ordinal: row.ordinal, to: 'invalid', issues: planned.issues };
  const itemId = item.id.toLowerCase();
  if (Object.keys(planned.payload.set).length === 0) return { ordinal: row.ordinal, to: 'unchanged', itemId };
  return { ordinal: row.ordinal, to: 'planned', itemId, payload: JSON.stringify(planned.payload) };
}

function blankKey(job: JobRecord, row: LedgerRow, wishes: Wishes, match: string[]): RowMove {
  if (job.mode === 'upsert') return asCreate(job, row, wishes);
  const message = `${match.join(' + ')} is blank: there is no telling which item is meant`;
  return invalid(row, { code: 'blank_key', message, column: match.join(' + ') });
}

function asCreate(job: JobRecord, row: LedgerRow, wishes: Wishes): RowMove {
  const create = wishes.create;
  if (create === undefined || create.issues.length > 0) {
    return { ordinal: row.ordinal, to: 'invalid', issues: create?.issues ?? [] };
  }
  if (job.collections[row.collection ?? ''] === undefined) {
    return invalid(row, {
      code: 'required',
      message: 'no item matches, and a new one needs a collection: give --collection',
    });
  }
  return { ordinal: row.ordinal, to: 'planned', action: 'create', payload: JSON.stringify(create.fields) };
}

function invalid(row: LedgerRow, issue: StoredIssue): RowMove {
  return { ordinal: row.ordinal, to: 'invalid', issues: [issue] };
}

async function findItems(
  match: string[],
  keys: Map<string, unknown>,
  deps: ImportDeps,
): Promise<Map<string, Item[]>> {
  const { client, signal, emit } = deps;
  if (match.length === 1 && match[0] === 'id') {
    const found = await itemsById(client, keys.keys(), signal, (done, total) =>
      emit({ type: 'checking', done, total }),
    );
    return new Map([...found].map(([id, item]) => [id, [item]]));
  }
  const items = new Map<string, Item[]>();
  let read = 0;
  await allItems(client, signal, (item) => {
    read += 1;
    if (read % PAGE === 0) emit({ type: 'checking', done: read, total: 0 });
    const key = itemKey(item, match);
    if (!keys.has(key)) return;
    const known = items.get(key);
    if (known === undefined) items.set(key, [item]);
    else known.push(item);
  });
  return items;
}

/** Runs over planned update rows in order and commits what each becomes. */
async function eachRow(
  job: JobRecord,
  deps: ImportDeps,
  visit: (row: LedgerRow, wishes: Wishes) => Promise<RowMove[]>,
): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await deps.ledger.rows(job.id, {
      states: ['planned'],
      actions: ['update'],
      after,
      limit: PAGE,
    });
    if (rows.length === 0) return;
    after = rows.at(-1)?.ordinal ?? after;
    const moves: RowMove[] = [];
    for (const row of rows) {
      // Planned already, before a kill: its payload is no longer a wish.
      if (row.itemId !== null) continue;
      moves.push(...(await visit(row, decodeWishes(row.payload ?? '{}'))));
    }
    if (moves.length > 0) await deps.ledger.move(job.id, moves);
  }
}

/** Trimmed, without case, NFC: the same on both sides. */
function normalise(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}

function keyReader(match: string[]): KeyOf {
  return (wishes) => {
    const parts = match.map((field) => {
      if (field === 'id') return normalise(wishes.id ?? '');
      const custom = field.startsWith('custom_fields.') ? field.slice('custom_fields.'.length) : undefined;
      const wish =
        custom === undefined ? wishes.fields[field as keyof Wishes['fields']] : wishes.customFields[custom];
      return wish === undefined ? '' : normalise(wishText(field, wish));
    });
    return parts.every((part) => part === '') ? '' : parts.join('\u0000');
  };
}

function wishText(field: string, wish: MappedValue): string {
  if (wish.value === CLEAR) return '';
  return field.startsWith('custom_fields.') ? wish.text : textForm(field, wish.value);
}

function itemKey(item: Item, match: string[]): string {
  return match
    .map((field) => {
      const custom = field.startsWith('custom_fields.') ? field.slice('custom_fields.'.length) : undefined;
      const value = custom === undefined ? item[field] : item.custom_fields?.[custom];
      return normalise(textForm(field, value));
    })
    .join('\u0000');
}
