/** `shelflift why`: the history of an item, with its current values if the API can be reached. */
import { ApiError, NotFoundError } from '../../api/errors.ts';
import type { ApiClient } from '../../api/client.ts';
import type { Item } from '../../api/resources.ts';
import { UsageError } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { ItemRow, Ledger } from '../../ledger/ledger.ts';
import { Reversals } from './reversals.ts';
import { findJudging, type Judging } from '../job/judging.ts';
import { type ItemStory, itemStory } from './item-story.ts';

/** Timeout of the reading, ms: the history is useful even during an outage. */
const MAX_READ_MS = 5000;
/** Number of characters of an id that tables show. */
const MIN_LETTERS = 8;
const ID_START = /^[0-9a-f][0-9a-f-]{7,35}$/;
const WHOLE_ID: Action = { do: 'byHand', label: message('give_whole_id', { letters: MIN_LETTERS }) };

export interface ExplainDeps {
  ledger: Ledger;
  /** Without a client, nothing is read, and rows of all addresses count. */
  client?: Pick<ApiClient, 'getItem' | 'target'>;
  signal?: AbortSignal;
}

/** The history of an item: the rows and changes that led to its current values. */
export interface Explained extends ItemStory {
  /** Why the item could not be read; absent if it was read. */
  notRead?: string;
  /** The same as a message. */
  notReadSaid?: Message;
}

/**
 * @param reference id of an item, or at least the first 8 characters of one that the store knows
 * @throws UsageError `unknown_item`, `ambiguous_item`
 */
export async function explainItem(reference: string, deps: ExplainDeps): Promise<Explained> {
  const { ledger, client } = deps;
  const wanted = reference.trim().toLowerCase();
  if (!ID_START.test(wanted)) {
    throw new UsageError('unknown_item', message('not_an_item_id', { text: reference }, WHOLE_ID));
  }
  const isWhole = isUuid(wanted);
  const found = await ledger.items.rowsOf(client?.target, wanted);
  const item = isWhole ? wanted : onlyItem(wanted, found);
  const rows = isWhole ? found : await ledger.items.rowsOf(client?.target, item);
  const read = await readItem(item, deps);
  if (rows.length === 0 && (read.current ?? undefined) === undefined) {
    const store: Action = {
      do: 'setOption',
      option: 'store',
      value: 'STORE',
      label: message('to_use_other_store', {}),
    };
    const said = message('item_untouched', { item, isGone: read.current === null }, store);
    throw new UsageError('unknown_item', said);
  }
  const { current, ...notRead } = read;
  const reversals = await Reversals.open(ledger);
  const takenBack = await reversals.takenBack(
    rows.map(({ job, row }) => ({ job: job.id, ordinal: row.ordinal })),
  );
  return { ...itemStory(item, rows, current, await judgingsOf(rows, ledger), takenBack), ...notRead };
}

function onlyItem(wanted: string, rows: readonly ItemRow[]): string {
  const ids = [...new Set(rows.flatMap(({ row }) => row.itemId ?? []))];
  const [only, second] = ids;
  if (only === undefined) {
    const said = message('item_untouched', { item: `${wanted}…`, isGone: false }, WHOLE_ID);
    throw new UsageError('unknown_item', said);
  }
  if (second !== undefined) {
    const more: Action = { do: 'byHand', label: message('give_more_of_id', {}) };
    const params = { text: wanted, items: ids.slice(0, 5), all: ids.length };
    throw new UsageError('ambiguous_item', message('ambiguous_item', params, more));
  }
  return only;
}

async function readItem(
  item: string,
  { client, signal }: ExplainDeps,
): Promise<{ current: Item | null | undefined; notRead?: string; notReadSaid?: Message }> {
  if (client === undefined) return { current: undefined };
  const limit = AbortSignal.timeout(MAX_READ_MS);
  const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    return { current: (await client.getItem(item, { signal: either })).value };
  } catch (error) {
    if (!(error instanceof ApiError) || signal?.aborted === true) throw error;
    if (error instanceof NotFoundError) return { current: null };
    const notReadSaid =
      error.code === 'aborted' ? message('no_item_within', { time: MAX_READ_MS }) : error.said;
    return { current: undefined, notRead: english(notReadSaid), notReadSaid };
  }
}

async function judgingsOf(rows: readonly ItemRow[], ledger: Ledger): Promise<Map<string, Judging>> {
  const judgings = new Map<string, Judging>();
  for (const id of new Set(rows.map(({ job }) => job.id))) {
    const judging = await findJudging(id, ledger);
    if (judging !== undefined) judgings.set(id, judging);
  }
  return judgings;
}
