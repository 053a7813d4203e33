/** The commands about changes as a person types them: what stands on stdout, in files, and in the exit code. */
import { expect, it, vi } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv } from '../support/csv.ts';
import { newPlace } from './run-shelflift.ts';

async function open() {
  const api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  const ids = api.control.insertItems(
    Array.from({ length: 12 }, (_, index) => ({
      name: `Toy ${index}`,
      status: index < 8 ? ('keep' as const) : ('sold' as const),
      custom_fields: { sku: `S-${index}` },
      estimated_value: 2,
      currency: 'eur',
    })),
  );
  return { api, place, ids, [Symbol.asyncDispose]: () => api.close() };
}

it.each([
  ['id', (index: number, ids: string[]) => ids[index] ?? ''],
  ['sku', (index: number) => ` s-${index} `],
  ['name', (index: number) => `TOY ${index}`],
] as const)(
  'a file with %s and status is applied with the status-change template alone',
  async (key, keyOf) => {
    await using at = await open();
    const rows = at.ids.map((_, index) => [keyOf(index, at.ids), 'sold']);
    at.place.file('changes.csv', csv([key, 'status'], rows));
    const { code, stdout } = await at.place.call([
      'import',
      'changes.csv',
      '--template',
      'status-change',
      '--json',
    ]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: { read: 12, updated: 8, unchanged: 4 } }]);
    expect(at.api.control.items().every((item) => item.status === 'sold')).toBe(true);
  },
);

it('a dry run prints the plan, and with --json every row of the plan', async () => {
  await using at = await open();
  const rows = [...at.ids.map((id) => [id, 'sold']), ['x', 'sold']];
  at.place.file('changes.csv', csv(['id', 'status'], rows));
  const argv = ['import', 'changes.csv', '--mode', 'update', '--dry-run'];
  const { code, stdout } = await at.place.call(argv);
  expect(code).toBe(3);
  expect(stdout).toContain('transitions: keep → sold 8');
  expect(stdout).toContain(
    'value of these items in EUR: 16.00 → 16.00 (+0.00); keep 16.00 → 0.00, sold 0.00 → 16.00',
  );
  expect(stdout).toContain('… and 3 more (--verbose shows all)');
  expect(stdout).toContain('UNCHANGED');
  const all = await at.place.call([...argv, '--verbose']);
  expect(all.stdout).not.toContain('--verbose shows all');
  const json = JSON.parse((await at.place.call([...argv, '--json'])).stdout) as {
    changes: { rows: unknown[] };
  };
  expect(json).toMatchObject({ state: 'planned', plan: { update: 8, unchanged: 4, invalid: 1 } });
  expect(json.changes.rows).toHaveLength(13);
  expect(json.changes.rows[0]).toMatchObject({
    row: 2,
    action: 'update',
    item_id: at.ids[0],
    name: 'Toy 0',
    changes: [{ field: 'status', from: 'keep', to: 'sold' }],
  });
});

it('set changes items, show --changes lists the changes, and undo reverts them', async () => {
  await using at = await open();
  const set = await at.place.call(['set', 'status=archived', '--status', 'sold', '--json']);
  expect([set.code, JSON.parse(set.stdout)]).toMatchObject([0, { state: 'done', rows: { updated: 4 } }]);
  const list = JSON.parse((await at.place.call(['jobs', 'list', '--json'])).stdout) as { jobs: unknown[] };
  expect(list.jobs[0]).toMatchObject({ kind: 'set', state: 'done' });
  const { job } = JSON.parse(set.stdout) as { job: string };
  const show = await at.place.call(['jobs', 'show', 'last', '--changes', '--json']);
  const shown = JSON.parse(show.stdout) as { changes: { rows: unknown[] } };
  expect(shown.changes.rows).toHaveLength(4);
  expect(shown.changes.rows[0]).toMatchObject({
    state: 'done',
    changes: [{ field: 'status', from: 'sold', to: 'archived' }],
  });
  expect((await at.place.call(['jobs', 'show', 'last', '--changes'])).stdout).toContain('sold → archived');
  const dry = await at.place.call(['jobs', 'undo', 'last', '--dry-run', '--plan', 'undo.html']);
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain('transitions: archived → sold 4');
  expect(dry.stdout).toContain('plan: undo 4');
  const undo = await at.place.call(['jobs', 'undo', 'last', '--json']);
  expect([undo.code, JSON.parse(undo.stdout)]).toMatchObject([
    0,
    { state: 'done', undoes: job, rows: { read: 4, updated: 4 } },
  ]);
  expect((await at.place.call(['jobs', 'show', 'last'])).stdout).toContain(
    `items: 4 written by job ${job} = 4 undone`,
  );
  expect((await at.place.call(['jobs', 'list'])).stdout).toContain(`undo of ${job}`);
  expect(at.api.control.items().filter((item) => item.status === 'sold')).toHaveLength(4);
});

it('an unconfirmed change ends with exit code 2, names its error code, and sends nothing', async () => {
  await using at = await open();
  const many = await at.place.call(['set', 'brand=Acme', '--status', 'keep', '--max-changes', '7', '--json']);
  expect([many.code, JSON.parse(many.stdout)]).toMatchObject([
    2,
    { state: 'planned', error: { code: 'too_many_changes' }, rows: { pending: 8, updated: 0 } },
  ]);
  const all = await at.place.call(['set', 'estimated_value=<clear>', '--collection', 'Main', '--json']);
  expect([all.code, JSON.parse(all.stdout)]).toMatchObject([2, { error: { code: 'field_emptied' } }]);
  expect(at.api.control.counts().byOperation.updateItem).toBeUndefined();
  const sent = await at.place.call(['jobs', 'apply', 'last', '--yes', '--json']);
  expect([sent.code, JSON.parse(sent.stdout)]).toMatchObject([0, { rows: { updated: 12 } }]);
});

it('an item that a person edits while the job runs is held or keeps both changes', async () => {
  await using at = await open();
  const rows = at.ids.map((id) => [id, 'New', 'B']);
  at.place.file('u.csv', csv(['id', 'brand', 'custom_fields.shelf'], rows));
  const run = at.place.call([
    'import',
    'u.csv',
    '--mode',
    'update',
    '--recheck=500ms',
    '--max-rate=10',
    '--json',
    '--quiet',
  ]);
  const changed = () => at.api.control.items().filter(({ brand }) => brand === 'New').length;
  await vi.waitFor(() => expect(changed()).toBeGreaterThan(1), { timeout: 120_000, interval: 20 });
  // Those that were read last for the plan are still fresh, and go first.
  const [edited = '', other = ''] = at.ids.slice(6, 8);
  await using somebody = createClient({ apiUrl: at.api.url, key: at.api.key });
  await Promise.all([
    somebody.updateItem(edited, { brand: 'Theirs' }),
    somebody.updateItem(other, { custom_fields: { sku: 'S-7', theirs: 1 }, series: 'Theirs' }),
  ]);
  const { code, stdout } = await run;
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { rows: { updated: 11, held: 1 } }]);
  const item = (id: string) => at.api.control.items().find((each) => each.id === id);
  expect(item(edited)).toMatchObject({ brand: 'Theirs', custom_fields: { sku: 'S-6' } });
  expect(item(other)).toMatchObject({
    brand: 'New',
    series: 'Theirs',
    custom_fields: { sku: 'S-7', theirs: 1, shelf: 'B' },
  });
});
