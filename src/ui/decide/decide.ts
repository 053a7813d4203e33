/** Rows that wait for a person, before and after a job is sent: held rows, and rows that several items match. */
import type { ApiClient } from '../../api/client.ts';
import { RequestMeter } from '../../api/meter.ts';
import type { Item } from '../../api/schemas.ts';
import { isUuid } from '../../base/uuid.ts';
import { parseResolution, resolveRow } from '../../import/jobs/resolve-row.ts';
import { choiceOf, rowsToChoose } from '../../import/results/undecided.ts';
import { type ChangeRow, toChangeRow } from '../../import/review/change-rows.ts';
import type { JobRecord, LedgerRow, StoredCandidate } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { Correction } from '../../mapping/template/change.ts';
import { mendAndGo } from '../jobs/mend.ts';
import type { UiApp, UiContext } from '../ui.ts';

const HELD_SHOWN = 12;
const CHOICES_SHOWN = 25;
/** If reading the current items takes longer, the page is shown without them. */
const READ_WITHIN_MS = 4000;

export const DECIDED_ON = ['plan', 'result'] as const;
export type DecidedOn = (typeof DECIDED_ON)[number];

export interface WaitingRow extends ChangeRow {
  /** Header and text of each filled cell. */
  cells: { header: string; text: string }[];
}

export interface HeldRow extends WaitingRow {
  /** The current item that the row changes, or that an earlier row created; undefined if unknown. */
  now: Item | undefined;
}

export interface ChoiceRow extends WaitingRow {
  choices: readonly StoredCandidate[];
}

export interface Waiting {
  held: HeldRow[];
  choices: ChoiceRow[];
  /** Number of rows that need a choice. */
  toChoose: number;
  /** Whether a decision was just refused because its item had changed. */
  isOutdated: boolean;
}

/** The state of an item that a page shows, and that the decision sends back. */
export function seenAs({ id, updated_at: at }: Pick<Item, 'id' | 'updated_at'>): string {
  return `${id} ${at}`;
}

/** The first rows of each kind; the items of held rows are read again. */
export async function waitingRows(c: UiContext, job: JobRecord): Promise<Waiting> {
  const { ledger, client } = c.var.workspace;
  const held = await ledger.rows.list(job.id, { states: ['held'], limit: HELD_SHOWN });
  const { rows, all } = await rowsToChoose(job, ledger, CHOICES_SHOWN);
  const within = AbortSignal.timeout(READ_WITHIN_MS);
  return {
    held: await Promise.all(
      held.map(async (row) => ({ ...waitingRow(row, job), now: await itemNow(row, client, within) })),
    ),
    choices: rows.map((row) => ({ ...waitingRow(row, job), choices: choiceOf(row) })),
    toChoose: all,
    isOutdated: c.req.query('changed') !== undefined,
  };
}

function waitingRow(row: LedgerRow, { source: { headers } }: JobRecord): WaitingRow {
  const texts = cellsOf(row);
  const cells = texts.flatMap((text, at) => (text === '' ? [] : [{ header: headers[at] ?? '', text }]));
  return { ...toChangeRow(row), cells };
}

async function itemNow(
  { itemId, issues }: LedgerRow,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Item | undefined> {
  const id = itemId ?? issues.find((issue) => issue.itemId !== undefined)?.itemId;
  return id === undefined ? undefined : itemOf(id, client, signal);
}

function itemOf(id: string, client: ApiClient, signal: AbortSignal): Promise<Item | undefined> {
  return client.getItem(id, { signal }).then(
    ({ value }) => value,
    () => undefined,
  );
}

export function decide(app: UiApp): void {
  app.post('/job/:id/decide', async (c) => {
    const { workspace, form } = c.var;
    const { ledger, client } = workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    const sheet = form.get('sheet') ?? '';
    const seen = form.get('seen');
    // A person decides between the values that the page shows.
    if (seen !== null && seen !== (await seenNow(seen, client)))
      return c.redirect(backTo(job, form, 'held', '?changed'), 303);
    await resolveRow(
      job.id,
      Number(form.get('row')),
      parseResolution(form.get('as') ?? ''),
      { ledger, client, meter: new RequestMeter(), emit: () => undefined },
      ...(sheet === '' ? [] : [sheet]),
    );
    return c.redirect(backTo(job, form, 'held'), 303);
  });
  app.post('/job/:id/choose', async (c) => {
    const { workspace, form } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const next = backTo(job, form, 'choose');
    // One name for each row: `item:17:Sheet1`.
    const changes = [...form].flatMap(([name, item]) => {
      const [, row, sheet] = /^item:(\d+):(.*)$/s.exec(name) ?? [];
      const change = { type: 'item', row: Number(row), ...(sheet ? { sheet } : {}), item };
      const parsed = Correction.safeParse(change);
      return row !== undefined && parsed.success ? [parsed.data] : [];
    });
    if (changes.length === 0) return c.redirect(next, 303);
    return mendAndGo(c, job, { changes }, next);
  });
}

/** If the item cannot be read now, the decision checks it itself. */
async function seenNow(seen: string, client: ApiClient): Promise<string> {
  const [id = ''] = seen.split(' ');
  const item = isUuid(id) ? await itemOf(id, client, AbortSignal.timeout(READ_WITHIN_MS)) : undefined;
  return item === undefined ? seen : seenAs(item);
}

function backTo(job: JobRecord, form: URLSearchParams, part: string, query = ''): string {
  const screen = DECIDED_ON.find((each) => each === form.get('screen')) ?? 'result';
  return `/job/${job.id}/${screen}${query}#${part}`;
}
