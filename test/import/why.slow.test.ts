/** `shelflift why`: the row that set each field of an item, as far as the store knows. */
import { english } from '../../src/messages/message.ts';
import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { fieldOf } from '../../src/import/engine/field-changes.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { type Explained, explainItem } from '../../src/import/history/explain-item.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  record,
  subarray,
} from '../support/fast-check.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

const run = { quietPeriodMs: QUIET_MS, yes: true };

function explain(it: OpenImport, id: string | undefined): Promise<Explained> {
  return it.run(({ client, ledger }) => explainItem(id ?? '', { client, ledger }));
}

function named(it: OpenImport, name: string): Item | undefined {
  return it.items().find((item) => item.name === name);
}

function origin(explained: Explained, field: string) {
  const found = explained.fields.find((each) => each.field === field);
  return found && [found.origin, found.by?.job, found.value];
}

const FIELDS = ['status', 'brand', 'estimated_value', 'custom_fields.shelf'] as const;
const VALUES = {
  status: ['keep', 'sell', 'sold'],
  brand: ['Acme', 'Bolt', '<clear>'],
  estimated_value: ['5', '7.5', '<clear>'],
  'custom_fields.shelf': ['A1', 'B2', '<clear>'],
} as const;
const NAMES = ['One', 'Two', 'Three'];
const change = constantFrom(...FIELDS).chain((field) =>
  constantFrom(...VALUES[field]).map((value) => ({ field, value })),
);
const step = record({
  what: constantFrom('set', 'set', 'import', 'undo', 'others', 'lost'),
  change,
  items: subarray(NAMES, { minLength: 1 }),
  /** Which of the jobs an undo takes back, counted from the newest. */
  back: integer({ min: 1, max: 3 }),
});

it('why shows for each field which job set it last, after any series of jobs and other edits', async () => {
  await using it = await openImport();
  await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  const seen = new Set<string>();
  await assert(
    asyncProperty(array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
      const round = it.items().length;
      const nameOf = (name: string) => `${name} ${round}`;
      const file = await it.file(
        'start.csv',
        csv(
          ['name', 'brand'],
          NAMES.map((name) => [nameOf(name), 'Acme']),
        ),
      );
      const first = await it.import({ file });
      const jobs = [first.summary.job];
      /** Item and field → the job whose requests changed it last, and to what. */
      const log = new Map<string, { job: string; value: unknown; row?: number }>();
      const items = () => it.items().filter(({ name }) => name.endsWith(` ${round}`));
      for (const { id } of items()) log.set(`${id} brand`, { job: jobs[0] ?? '', value: 'Acme' });

      /** Whatever the server has otherwise after the job was its doing. */
      const logged = async (work: () => Promise<string>) => {
        const before = new Map(items().map((item) => [item.id, item]));
        const job = await work();
        jobs.unshift(job);
        for (const item of items()) {
          for (const field of FIELDS) {
            const [was, value] = [fieldOf(before.get(item.id) ?? item, field), fieldOf(item, field)];
            if ((was ?? null) !== (value ?? null)) log.set(`${item.id} ${field}`, { job, value });
          }
        }
      };
      for (const {
        what,
        change: { field, value },
        items: chosen,
        back,
      } of steps) {
        const ids = items()
          .filter(({ name }) => chosen.some((each) => name === nameOf(each)))
          .map(({ id }) => id);
        if (what === 'others') {
          const to = value === '<clear>' ? null : field === 'estimated_value' ? Number(value) : value;
          const key = field.replace('custom_fields.', '');
          const update =
            key === field ? { [field]: to } : { custom_fields: to === null ? {} : { [key]: to } };
          for (const id of ids) {
            // Faults that earlier jobs did not use up: the same again changes nothing.
            for (let tries = 1; ; tries += 1) {
              const done = await other.updateItem(id, update).then(
                () => true,
                () => tries > 30,
              );
              if (done) break;
            }
          }
        } else if (what === 'undo') {
          const job = jobs[Math.min(back, jobs.length) - 1] ?? '';
          // One that has sent nothing cannot be taken back.
          if ((await it.ledger.jobs.find(job)).firstSentAt === undefined) continue;
          await logged(async () => (await it.run((deps) => undoJob(job, deps, { run }))).summary.job);
        } else if (what === 'import') {
          const rows = await it.file(
            'rows.csv',
            csv(
              ['id', field],
              ids.map((id) => [id, value]),
            ),
          );
          await logged(
            async () => (await it.import({ file: rows, mode: 'update', force: true, run })).summary.job,
          );
        } else {
          if (what === 'lost') it.sandbox.control.failNext('dropAfterCommit', 'updateItem');
          const idsFrom = await it.file(
            'ids.csv',
            csv(
              ['id'],
              ids.map((id) => [id]),
            ),
          );
          await logged(
            async () =>
              (
                await it.run((deps) =>
                  setItems({ outDir: it.folder, changes: [`${field}=${value}`], idsFrom, run }, deps),
                )
              ).summary.job,
          );
        }
      }
      for (const item of items()) {
        const explained = await explain(it, item.id);
        for (const field of FIELDS) {
          const entry = log.get(`${item.id} ${field}`);
          const value = fieldOf(item, field) ?? null;
          const exists = explained.fields.some((each) => each.field === field);
          const found = origin(explained, field);
          // A custom field that is not there, and never was, is no field of the item.
          if (!exists) expect([value, entry]).toEqual([null, undefined]);
          else if (entry === undefined) expect(found?.slice(0, 2)).toEqual(['not_sent', jobs.at(-1)]);
          else if ((entry.value ?? null) === value)
            expect(found).toEqual(['set', entry.job, fieldOf(item, field)]);
          else expect(found?.slice(0, 2)).toEqual(['elsewhere', entry.job]);
          if (found !== undefined) seen.add(String(found[0]));
        }
        const own = explained.story.filter(({ effect }) => effect !== 'none').map(({ job }) => job);
        expect(own[0]).toBe(jobs.at(-1));
      }
    }),
    { numRuns: 24 },
  );
  expect([...seen].sort()).toEqual(['elsewhere', 'not_sent', 'set']);
});

it('why shows mended cells, lost answers, held rows and undos with their rows', async () => {
  await using it = await openImport();
  const file = await it.file(
    'toys.csv',
    csv(
      ['Title', 'condition', 'Worth'],
      [
        ['Robot', 'C7', '5'],
        ['Car', 'loose_mint', '6'],
      ],
    ),
  );
  const { summary } = await it.import({
    file,
    map: { name: 'Title', estimated_value: 'Worth' },
    strict: true,
  });
  await it.run((deps) =>
    correctAndReport(
      summary.job,
      { changes: [{ type: 'cell', row: 2, column: 'condition', text: 'loose_good' }], run },
      deps,
    ),
  );
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  await it.apply(summary.job, run);
  const robot = named(it, 'Robot');
  const made = await explain(it, robot?.id);
  expect(made.story).toMatchObject([
    { job: summary.job, file, row: 2, effect: 'created', state: 'done', requestId: null, attempts: 1 },
  ]);
  expect(made.story[0]?.notes.map(english).join()).toContain('loose_good');
  const by = made.fields.find(({ field }) => field === 'condition')?.by;
  expect(by?.cells).toMatchObject({
    condition: { column: 'condition', text: 'loose_good' },
    name: { column: 'Title', text: 'Robot' },
    estimated_value: { column: 'Worth', text: '5' },
  });

  const priced = await it.run((deps) =>
    setItems({ outDir: it.folder, changes: ['estimated_value+=1'], where: ['name=Robot'], run }, deps),
  );
  const undone = await it.run((deps) => undoJob(priced.summary.job, deps, { run }));
  await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  const dry = await it.run((deps) =>
    setItems({ outDir: it.folder, changes: ['status=sold'], where: ['name=Robot'], dryRun: true, run }, deps),
  );
  await other.updateItem(robot?.id ?? '', { status: 'trade', brand: 'Acme' });
  await it.apply(dry.summary.job, run);

  const told = await explain(it, robot?.id.slice(0, 8));
  expect(told.story.map(({ job, effect, state, undoneBy }) => [job, effect, state, undoneBy])).toEqual([
    [summary.job, 'created', 'done', undefined],
    [priced.summary.job, 'changed', 'done', undone.summary.job],
    [undone.summary.job, 'changed', 'done', undefined],
    [dry.summary.job, 'none', 'held', undefined],
  ]);
  expect(told.story[1]).toMatchObject({ request: "estimated_value+=1, where 'name=Robot'" });
  expect(told.story[3]?.left).toEqual([{ field: 'status', from: 'keep', to: 'sold' }]);
  expect(origin(told, 'estimated_value')).toEqual(['set', undone.summary.job, 5]);
  expect(origin(told, 'brand')).toEqual(['not_sent', summary.job, 'Acme']);

  // Without the API: what the store knows.
  const alone = await explainItem(robot?.id ?? '', { ledger: it.ledger });
  expect(alone).toMatchObject({ current: undefined, name: 'Robot' });
  expect(origin(alone, 'estimated_value')).toEqual(['set', undone.summary.job, 5]);
});

it('why orders jobs by the time when they were sent, not planned', async () => {
  await using it = await openImport();
  await it.import({ file: await it.file('a.csv', csv(['name', 'brand'], [['Robot', 'Acme']])) });
  const set = (changes: string[], more = {}) =>
    it.run((deps) => setItems({ outDir: it.folder, changes, where: ['name=Robot'], run, ...more }, deps));
  const plan = await set(['brand=Crux'], { dryRun: true });
  const later = await set(['brand=Bolt']);
  await it.apply(plan.summary.job, { ...run, onDrift: 'overwrite' });
  const told = await explain(it, named(it, 'Robot')?.id);
  expect(told.story.slice(1).map(({ job }) => job)).toEqual([later.summary.job, plan.summary.job]);
  expect(origin(told, 'brand')).toEqual(['set', plan.summary.job, 'Crux']);
});

it('why shows the source cells of set --from', async () => {
  await using it = await openImport();
  await it.import({ file: await it.file('a.csv', csv(['name', 'brand'], [['Robot', 'Acme']])) });
  const id = named(it, 'Robot')?.id ?? '';
  const from = await it.file('brands.csv', csv(['id', 'maker'], [[id, 'Bolt']]));
  await it.run((deps) => setItems({ outDir: it.folder, from, changes: ['brand=@maker'], run }, deps));
  const told = await explain(it, id);
  expect(told.story[1]?.cells).toEqual({ brand: { column: 'maker', text: 'Bolt' } });
});

it('why reports values that somebody changed between two jobs, and pruned values', async () => {
  await using it = await openImport();
  const { summary } = await it.import({
    file: await it.file('a.csv', csv(['name', 'brand'], [['Robot', 'Acme']])),
  });
  const id = named(it, 'Robot')?.id ?? '';
  await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await other.updateItem(id, { brand: 'Bolt' });
  const set = await it.run((deps) =>
    setItems({ outDir: it.folder, changes: ['brand=Crux'], where: ['name=Robot'], run }, deps),
  );
  const told = await explain(it, id);
  expect(told.story[1]?.changes).toEqual([{ field: 'brand', from: 'Bolt', to: 'Crux', lastSet: 'Acme' }]);

  await it.ledger.rows.forget(set.summary.job);
  const pruned = await explain(it, id);
  expect(pruned.story[1]?.prunedAt).toBeInstanceOf(Date);
  expect(origin(pruned, 'brand')).toEqual(['pruned', set.summary.job, 'Crux']);
  expect(origin(pruned, 'name')).toEqual(['set', summary.job, 'Robot']);
  await expect(explain(it, 'nonsense')).rejects.toMatchObject({ code: 'unknown_item' });
  await expect(explain(it, '00000000-0000-4000-8000-000000000000')).rejects.toThrow(
    'the API has no such item',
  );
});
