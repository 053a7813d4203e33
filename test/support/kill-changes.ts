/** An update, an upsert and the undo of each, killed at random moments; what is on the server then. */
import { expect } from 'vitest';
import { type Item, ITEM_STATUSES } from '../../src/api/schemas.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { JobRecord, LedgerRow } from '../../src/ledger/ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { newPlace, type Place } from '../cli/run-shelflift.ts';
import { csv } from './csv.ts';
import { killUntilEnded } from './kill-often.ts';

export interface KillChanges {
  mode: 'update' | 'upsert';
  rows: number;
  /** Of the job, and again of its undo. */
  kills: number;
  /** Most requests between the first and a kill. */
  spread: number;
  sandbox: SandboxOptions;
  /** Upsert: items that the file does not have, and that are archived for it. */
  missing?: number;
}

/** Each row changes its item once, an upsert creates half of them, and the undo brings back what was. */
export async function killChanges(setting: KillChanges): Promise<void> {
  await using api = await startSandbox(setting.sandbox);
  const place = newPlace({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: api.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
  const { mode, rows } = setting;
  const there = mode === 'update' ? rows : Math.floor(rows / 2);
  api.control.insertItems(
    Array.from({ length: there }, (_, index) => ({
      name: `T ${index}`,
      status: ITEM_STATUSES[index % 3] ?? 'keep',
      custom_fields: { sku: `S-${index}`, keep: { n: index } },
    })),
  );
  const { missing = 0 } = setting;
  api.control.insertItems(
    Array.from({ length: missing }, (_, index) => ({
      name: `T ${rows + index}`,
      status: ITEM_STATUSES[index % 3] ?? 'keep',
      brand: `B ${rows + index}`,
      custom_fields: { sku: `Gone ${index}` },
    })),
  );
  const before = contents(api);
  const lines = Array.from({ length: rows }, (_, index) => [
    `S-${index}`,
    `T ${index}`,
    'archived',
    `B ${index}`,
  ]);
  place.file('changes.csv', csv(['sku', 'name', 'status', 'brand'], lines));
  const argv = ['import', 'changes.csv', '--mode', mode, '--match', 'custom_fields.sku', '--yes'];
  if (mode === 'upsert') argv.push('--collection', 'Main');
  if (missing > 0) argv.push('--missing', 'archive', '--max-missing', '100%');

  const kills = await killed(setting, place, api, argv, 'import');
  expect(kills).toBeGreaterThan(0);
  const changed = contents(api);
  expect(changed).toHaveLength(rows + missing);
  const old = new Map(before.map((item) => [item.id, item]));
  for (const item of changed) {
    const index = Number(item.name.slice(2));
    const was = old.get(item.id) ?? { custom_fields: { sku: `S-${index}` } };
    expect(item).toMatchObject({ ...was, status: 'archived', brand: `B ${index}` });
  }
  expect(new Set(changed.map((item) => item.name)).size).toBe(rows + missing);

  const job = await lastJob(place);
  await killed(setting, place, api, ['jobs', 'undo', job?.id ?? '', '--yes'], 'undo');
  const undone = contents(api);
  expect(undone.filter((item) => old.has(item.id))).toEqual(before);
  for (const item of undone.filter(({ id }) => !old.has(id)))
    expect(item).toMatchObject({
      status: 'archived',
      custom_fields: { shelflift_undone: expect.any(String) },
    });
}

async function killed(
  { kills, spread }: KillChanges,
  place: Place,
  api: Sandbox,
  argv: string[],
  kind: JobRecord['kind'],
): Promise<number> {
  // Killed before the job was there, it is begun anew, as a person would.
  const goOn = async () => ((await lastJob(place))?.kind === kind ? ['jobs', 'resume', 'last'] : argv);
  const count = await killUntilEnded({ place, api, argv, goOn, kills, spread });
  const job = await lastJob(place);
  expect(job).toMatchObject({ kind, state: 'done' });
  await retryFailing(place, job?.id ?? '');
  return count;
}

/** A row whose answer was lost five times waits for a person, who has it sent again. */
async function retryFailing(place: Place, job: string): Promise<void> {
  for (;;) {
    const rows = await failingRows(place, job);
    if (rows.length === 0) return;
    for (const row of new Set(rows.map(({ sheetRow }) => String(sheetRow))))
      await place.call(['jobs', 'resolve', job, '--row', row, '--as', 'retry', '--json']);
    await place.call(['jobs', 'resume', job, '--json', '--quiet', '--quiet-period', '150ms']);
  }
}

async function failingRows(place: Place, job: string): Promise<LedgerRow[]> {
  await using ledger = await openLedger(`${place.folder}/ledger.db`);
  const held = await ledger.rows.list(job, { states: ['held'], limit: 1000 });
  return held.filter(({ issues }) => issues.some(({ code }) => code === 'keeps_failing'));
}

async function lastJob(place: Place): Promise<JobRecord | undefined> {
  await using ledger = await openLedger(`${place.folder}/ledger.db`);
  return ledger.jobs.find('last').catch(() => undefined);
}

function contents(api: Sandbox): Item[] {
  return api.control
    .items()
    .map((item) => ({ ...item, updated_at: '' }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
