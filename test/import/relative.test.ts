/** `set` with changes that start from an item's own value. */
import { nextText } from '../../src/cli/show/output.ts';
import { Big } from 'big.js';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { systemClock } from '../../src/base/clock.ts';
import { applied } from '../../src/import/changes/relative.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { SetRequest } from '../../src/import/set/stage-set.ts';
import * as fc from '../support/fast-check.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

function set(open: OpenImport, request: SetRequest) {
  const run = { quietPeriodMs: QUIET_MS, ...request.run };
  return open.run((deps) => setItems({ outDir: open.folder, ...request, run }, deps));
}

const worth = (open: OpenImport) =>
  open
    .items()
    .map((item) => item.estimated_value)
    .reverse();

describe('a relative change', () => {
  it('is exact, compared with fractions of whole numbers', () => {
    const cents = fc.integer({ min: 0, max: 100_000_000 });
    const factor = fc.integer({ min: 0, max: 5000 });
    const step = fc.constantFrom(1, 5, 25, 50, 100, 300, 999);
    fc.assert(
      fc.property(
        cents,
        factor,
        fc.constantFrom('*=' as const, '+=' as const, '-=' as const),
        step,
        fc.boolean(),
        (value, by, sign, round, rounds) => {
          // In units of 1/10,000: value and operand have two digits each.
          const exact =
            sign === '*='
              ? BigInt(value) * BigInt(by)
              : BigInt(value) * 100n + (sign === '+=' ? 1n : -1n) * BigInt(by) * 100n;
          const unit = BigInt(round) * 100n;
          const half = (2n * (exact < 0n ? -exact : exact) + unit) / (2n * unit);
          const wanted = rounds ? half * unit * (exact < 0n ? -1n : 1n) : exact;
          const change = {
            sign,
            operand: (by / 100).toFixed(2),
            ...(rounds ? { round: (round / 100).toFixed(2) } : {}),
          };
          const result = applied(new Big((value / 100).toFixed(2)), change);
          expect(result.times(10_000).toFixed(0)).toBe(String(wanted));
          expect(result.times(10_000).eq(result.times(10_000).round(0))).toBe(true);
        },
      ),
    );
  });

  it('raises, lowers (to 0 at least), rounds, and leaves blank values alone; undo restores the old values', async () => {
    await using open = await openImport();
    const values = [10, 12.35, null, 0, 1.5];
    open.sandbox.control.insertItems(
      values.map((value, index) => ({ name: `T ${index}`, brand: 'A', estimated_value: value })),
    );
    const raised = await set(open, { changes: ['estimated_value*=1.10'], where: 'brand=A', round: '0.50' });
    expect([raised.exitCode, raised.summary.rows]).toMatchObject([
      0,
      { read: 5, updated: 2, skipped: 1, unchanged: 2 },
    ]);
    expect(worth(open)).toEqual([11, 13.5, null, 0, 1.5]);
  });

  it('leaves a blank value, and one in another currency, as it is, and makes the other changes of the row', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([
      { name: 'A', series: 'old' },
      { name: 'B', series: 'old', estimated_value: 10, currency: 'usd' },
      { name: 'C', series: 'old', estimated_value: 10, currency: 'eur' },
      { name: 'D', series: 'new' },
    ]);
    const changes = ['series=new', 'estimated_value*=2'];
    const said: string[] = [];
    const request = { changes, currency: 'usd', where: 'series in (old, new)', outDir: open.folder };
    const { summary, exitCode } = await open.run(
      (deps) => setItems({ ...request, run: { quietPeriodMs: QUIET_MS } }, deps),
      { onEvent: (event) => said.push('message' in event ? event.message : '') },
    );
    expect({ exitCode, rows: summary.rows }).toMatchObject({ exitCode: 0, rows: { updated: 3, skipped: 1 } });
    expect(open.items().map((item) => [item.name, item.series, item.estimated_value])).toEqual([
      ['D', 'new', null],
      ['C', 'new', 10],
      ['B', 'new', 20],
      ['A', 'new', null],
    ]);
    expect(said.join('\n')).toContain('2 items: estimated_value stays as it is');
    const rows = await open.ledger.rows.list(summary.job, { after: 0, limit: 10 });
    expect(rows.map((row) => [row.state, ...row.issues.map(({ code }) => code)].join(' ')).sort()).toEqual([
      'done',
      'done blank_value',
      'done other_currency',
      'skipped blank_value',
    ]);
    // The value that was left alone is not changed a second time.
    const again = await set(open, { changes: ['estimated_value*=2'], where: 'name=C' });
    expect([again.exitCode, worth(open)]).toEqual([0, [null, 20, 20, null]]);
  });

  it('is planned with the resulting values, and an undo restores them without losing edits of other fields', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems(
      [10, 2.5, 1].map((value, index) => ({ name: `T ${index}`, brand: 'A', estimated_value: value })),
    );
    const plan = await set(open, { changes: ['estimated_value-=2'], where: 'brand=A', dryRun: true });
    expect(plan.summary.plan).toMatchObject({ update: 3 });
    const { summary } = await open.apply(plan.summary.job);
    expect(summary.rows).toMatchObject({ updated: 3 });
    expect(worth(open)).toEqual([8, 0.5, 0]);
    const [item] = open.items();
    await set(open, { changes: ['brand=B'], idsFrom: await open.file('one.txt', item?.id ?? '') });
    await open.run((deps) =>
      undoJob(summary.job, deps, { outDir: open.folder, run: { quietPeriodMs: QUIET_MS } }),
    );
    expect(worth(open)).toEqual([10, 2.5, 1]);
    expect(open.items().filter(({ brand }) => brand === 'B')).toHaveLength(1);
  });

  it('changes whole numbers in custom fields, and keeps their type', async () => {
    await using open = await openImport();
    const ids = open.sandbox.control.insertItems([
      { name: 'number', custom_fields: { count: 5, other: 1 } },
      { name: 'text', custom_fields: { count: '7' } },
      { name: 'blank', custom_fields: {} },
      { name: 'words', custom_fields: { count: 'many' } },
      { name: 'fraction', custom_fields: { count: 1.5 } },
    ]);
    const idsFrom = await open.file('ids.txt', ids.join('\n'));
    const { exitCode, summary } = await set(open, {
      changes: ['custom_fields.count+=1'],
      idsFrom,
      run: { skipInvalid: true },
    });
    expect([exitCode, summary.rows]).toMatchObject([3, { updated: 2, skipped: 1, invalid: 2 }]);
    const counts = open.items().map(({ name, custom_fields: fields }) => [name, fields]);
    expect(Object.fromEntries(counts)).toMatchObject({
      number: { count: 6, other: 1 },
      text: { count: '8' },
      words: { count: 'many' },
    });
  });

  it('rounds to the digits of the currency unless --round says otherwise, even if it is a percentage', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([
      { name: 'A', brand: 'A', estimated_value: 19.99, currency: 'usd' },
      { name: 'B', brand: 'B', estimated_value: 1234, currency: 'jpy' },
      { name: 'C', brand: 'C', estimated_value: 1.234, currency: 'kwd' },
      { name: 'D', brand: 'D', estimated_value: 1.5, currency: 'gold' },
    ]);
    for (const brand of ['A', 'B', 'C', 'D'])
      await set(open, { changes: ['estimated_value*=1.1'], where: `brand=${brand}` });
    expect(worth(open)).toEqual([21.99, 1357, 1.357, 1.65]);
    await set(open, { changes: ['estimated_value*=1.111'], where: 'brand=A', round: 'none' });
    await set(open, { changes: ['estimated_value+=20%'], where: 'brand=B' });
    await set(open, { changes: ['estimated_value=-12.5%'], where: 'brand=C' });
    await set(open, { changes: ['estimated_value-=100%'], where: 'brand=D' });
    expect(worth(open)).toEqual([24.43089, 1628, 1.187, 0]);
    await expect(set(open, { changes: ['estimated_value-=101%'], where: 'brand=D' })).rejects.toMatchObject({
      code: 'bad_number',
    });
  });

  it('is an issue of each row whose result cannot be sent exactly', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([
      { name: 'large', estimated_value: 1.7e308 },
      { name: 'whole', custom_fields: { n: 9007199254740991 } },
      { name: 'text', custom_fields: { n: '007' } },
      { name: 'good', estimated_value: 10, custom_fields: { n: '7' } },
    ]);
    const before = open.items();
    const raise = (change: string, where: string) =>
      set(open, { changes: [change], where, run: { skipInvalid: true } });
    expect((await raise('estimated_value*=1.1', 'estimated_value>5')).summary.rows).toMatchObject({
      updated: 1,
      invalid: 1,
    });
    expect((await raise('custom_fields.n+=2', 'custom_fields.n not blank')).summary.rows).toMatchObject({
      updated: 1,
      invalid: 2,
    });
    const good = { ...before[0], estimated_value: 11, custom_fields: { n: '9' } };
    const shown = ({ name, estimated_value: value, custom_fields: fields }: Partial<Item>) => [
      name,
      value,
      fields,
    ];
    expect(open.items().map(shown)).toEqual([good, ...before.slice(1)].map(shown));
  });

  it.each(['release_year=1999.5', 'estimated_value=12345678901234567890'])(
    'never sends a constant in a different form: %s',
    async (change) => {
      await using open = await openImport();
      open.sandbox.control.insertItems([{ name: 'A', brand: 'A' }]);
      await expect(set(open, { changes: [change], where: 'brand=A' })).rejects.toMatchObject({
        code: 'bad_default',
        exitCode: 2,
      });
    },
  );

  it.each(['where', 'idsFrom'] as const)(
    'never changes values of several currencies at once (%s)',
    async (way) => {
      await using open = await openImport();
      const ids = open.sandbox.control.insertItems([
        { name: 'A', brand: 'A', estimated_value: 10, currency: 'usd' },
        { name: 'B', brand: 'A', estimated_value: 20, currency: 'eur' },
        { name: 'C', brand: 'A', estimated_value: null, currency: 'gbp' },
      ]);
      const choice =
        way === 'where' ? { where: 'brand=A' } : { idsFrom: await open.file('ids.txt', ids.join('\n')) };
      await expect(set(open, { changes: ['estimated_value*=2'], ...choice })).rejects.toMatchObject({
        code: 'mixed_currencies',
        message: expect.stringContaining('(1 item), ') as string,
      });
      expect(worth(open)).toEqual([10, 20, null]);
      expect((await open.ledger.jobs.list()).map(({ id }) => id)).toEqual([]);
      const { exitCode, summary } = await set(open, {
        changes: ['estimated_value*=2'],
        ...choice,
        currency: 'EUR',
      });
      expect([exitCode, summary.rows]).toMatchObject([0, { updated: 1, skipped: 2 }]);
      expect(worth(open)).toEqual([10, 40, null]);
    },
  );

  it.each([-400, 400])(
    'needs confirmation to be repeated, even if the clock was %s days off at first',
    async (days) => {
      await using open = await openImport();
      open.sandbox.control.insertItems([{ name: 'A', brand: 'A', estimated_value: 10 }]);
      const request = { outDir: open.folder, changes: ['estimated_value*=1.5'], where: 'brand=A' };
      const run = { quietPeriodMs: QUIET_MS };
      const clock = { ...systemClock, now: () => Date.now() + days * 86_400_000 };
      const ledger = openSqliteLedger(open.store, { clock });
      const { summary } = await open.run((deps) => setItems({ ...request, run }, deps), { clock, ledger });
      await ledger.close();
      await expect(set(open, request)).rejects.toMatchObject({
        code: 'repeated_change',
        message: expect.stringContaining(summary.job) as string,
      });
      expect(worth(open)).toEqual([15]);
    },
  );

  it('needs confirmation to be repeated, unless the first change was undone', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([{ name: 'A', brand: 'A', estimated_value: 10 }]);
    const raise = (run = {}) => set(open, { changes: ['estimated_value*=1.5'], where: 'brand=A', run });
    const first = await raise();
    expect(worth(open)).toEqual([15]);
    await expect(raise()).rejects.toMatchObject({ code: 'repeated_change' });
    expect(worth(open)).toEqual([15]);
    expect((await open.ledger.jobs.list()).map(({ id }) => id)).toEqual([first.summary.job]);
    const other = await set(open, { changes: ['estimated_value*=1.5'], where: 'brand=B' });
    expect(other.summary.rows.read).toBe(0);
    await raise({ yes: true });
    expect(worth(open)).toEqual([22.5]);
    const undo = { outDir: open.folder, run: { quietPeriodMs: QUIET_MS } };
    await open.run((deps) => undoJob('last', deps, undo));
    await open.run((deps) => undoJob(first.summary.job, deps, undo));
    expect(worth(open)).toEqual([10]);
    await raise();
    expect(worth(open)).toEqual([15]);
  });

  it('needs confirmation of the other rows after --yes has repeated it for the first ones', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems(
      Array.from({ length: 8 }, (_, index) => ({ name: `T ${index}`, brand: 'A', estimated_value: 10 })),
    );
    const raise = (run = {}) => set(open, { changes: ['estimated_value+=1'], where: 'brand=A', run });
    await raise();
    const { summary } = await raise({ yes: true, first: 3 });
    expect(summary.rows).toMatchObject({ updated: 3, pending: 5 });
    const rest = await open.resume(summary.job);
    expect(rest).toMatchObject({
      exitCode: 2,
      summary: { error: { code: 'repeated_change' }, rows: { updated: 3, pending: 5 } },
    });
    const all = await open.resume(summary.job, { yes: true });
    expect(all.summary.rows).toMatchObject({ updated: 8, pending: 0 });
    expect(new Set(worth(open))).toEqual(new Set([12]));
  });

  it('needs confirmation to be repeated also after its job and its undo were pruned', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([{ name: 'A', brand: 'A', estimated_value: 10 }]);
    const raise = (run = {}) => set(open, { changes: ['estimated_value*=1.5'], where: 'brand=A', run });
    const { job } = (await raise()).summary;
    const prune = () => pruneJobs(open.ledger, { now: Date.now() + KEPT_MS });
    await expect(raise()).rejects.toMatchObject({ remedy: expect.stringContaining('undo') as string });
    expect((await prune()).jobs).toEqual([job]);
    await expect(raise()).rejects.toMatchObject({
      code: 'repeated_change',
      // It would be refused.
      remedy: expect.not.stringContaining('undo') as string,
    });
    const undone = await raise({ yes: true });
    expect(worth(open)).toEqual([22.5]);
    await open.run((deps) => undoJob(undone.summary.job, deps, { outDir: open.folder, run: { yes: true } }));
    await prune();
    // The first raise is still in effect, the second is not.
    await expect(raise()).rejects.toMatchObject({
      code: 'repeated_change',
      message: expect.stringContaining(job) as string,
    });
    expect(worth(open)).toEqual([15]);
  });

  it('is refused with the name of its unfinished job when it is repeated', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems(
      Array.from({ length: 8 }, (_, index) => ({ name: `T ${index}`, brand: 'A', estimated_value: 10 })),
    );
    const raise = (run = {}) => set(open, { changes: ['estimated_value+=1'], where: 'brand=A', run });
    const first = await raise({ first: 3 });
    expect(worth(open).filter((value) => value === 11)).toHaveLength(3);
    const second = await raise({ yes: true });
    expect([second.summary.job, nextText(second, {})]).toEqual([
      first.summary.job,
      expect.stringContaining('jobs resume') as string,
    ]);
    expect(worth(open).filter((value) => value === 11)).toHaveLength(3);
  });

  it.each([
    ['waits for its turn', 0],
    ['waits for its turn, and there is a change beside it', 1],
    ['sends with another key', 0],
  ])('needs confirmation if another job makes it while the command %s', async (when, beside) => {
    await using open = await openImport();
    open.sandbox.control.insertItems([{ name: 'A', brand: 'A', estimated_value: 10 }]);
    const raise = { outDir: open.folder, changes: ['estimated_value+=8'], where: 'brand=A' };
    const changes = [...raise.changes, ...['series=S'].slice(0, beside)];
    const key = when.includes('key') ? open.sandbox.control.addKey().secret : open.sandbox.key;
    let first: Promise<unknown> | undefined;
    const makeFirst = () => (first ??= set(open, raise));
    const { lanes } = open.ledger;
    const acquire: typeof lanes.acquire = async (...args) => {
      if (key === open.sandbox.key) await makeFirst();
      return lanes.acquire(...args);
    };
    const late = open.run(
      // It has agreed to what others make of the values, and not to a second raise.
      (deps) => setItems({ ...raise, changes, run: { onDrift: 'overwrite', recheckMs: 0 } }, deps),
      {
        client: { key },
        ledger: overriding(open.ledger, { lanes: overriding(lanes, { acquire }) }),
        wrap: (client) =>
          overriding(client, {
            getItem: async (...args) => {
              const answer = await client.getItem(...args);
              await makeFirst();
              return answer;
            },
          }),
      },
    );
    await expect(late).rejects.toMatchObject({ code: 'repeated_change' });
    expect(worth(open)).toEqual([18]);
    expect(await open.ledger.jobs.list()).toHaveLength(1);
  });

  it('reports the sent rows if another job makes the change while the command sends its rows', async () => {
    await using open = await openImport();
    const ids = open.sandbox.control.insertItems(
      ['A', 'B'].map((name) => ({ name, brand: 'A', estimated_value: 10 })),
    );
    const changes = ['estimated_value+=8'];
    let first: Promise<unknown> | undefined;
    const { summary } = await open.run(
      (deps) => setItems({ outDir: open.folder, changes, where: 'brand=A' }, deps),
      {
        client: { key: open.sandbox.control.addKey().secret, maxConcurrency: 1 },
        wrap: (client) =>
          overriding(client, {
            updateItem: async (id, ...others) => {
              const other = ids.find((each) => each !== id) ?? '';
              await (first ??= set(open, { changes, idsFrom: await open.file('other.txt', other) }));
              return client.updateItem(id, ...others);
            },
          }),
      },
    );
    expect(summary).toMatchObject({ rows: { updated: 1, pending: 1 }, error: { code: 'repeated_change' } });
    expect(summary.error?.message).toContain('The remaining rows were not sent.');
    expect(worth(open)).toEqual([18, 18]);
    const again = await open.resume(summary.job, { yes: true, onDrift: 'overwrite' });
    expect(again.summary.rows).toMatchObject({ updated: 2, pending: 0 });
    expect(new Set(worth(open))).toEqual(new Set([18, 26]));
  });

  it.each([
    ['release_year+=1', 'bad_pair'],
    ['brand*=2', 'bad_pair'],
    ['custom_fields.count*=2', 'bad_pair'],
    ['custom_fields.count+=1.5', 'bad_number'],
    ['estimated_value*=-1', 'bad_number'],
    ['estimated_value*=lots', 'bad_number'],
    ['estimated_value*=', 'bad_number'],
  ])('%s is refused with %s', async (change, code) => {
    await using open = await openImport();
    await expect(set(open, { changes: [change], where: 'brand=A' })).rejects.toMatchObject({ code });
    await expect(
      set(open, { changes: ['estimated_value*=2'], where: 'brand=A', round: '0' }),
    ).rejects.toMatchObject({ code: 'bad_number' });
    await expect(set(open, { changes: ['status=sold'], where: 'brand=A', round: '1' })).rejects.toMatchObject(
      { code: 'bad_choice' },
    );
    await expect(
      set(open, { changes: ['estimated_value*=2', 'estimated_value+=2'], where: 'brand=A' }),
    ).rejects.toMatchObject({ code: 'bad_pair' });
  });
});

it.each(['count', 'Box count'])('a raise of %s that an undo had to leave is not made twice', async (name) => {
  await using open = await openImport();
  const boxes = [{ name: 'A', series: 'old', custom_fields: { [name]: 5 } }];
  const [id = ''] = open.sandbox.control.insertItems(boxes);
  const raise = `custom_fields.${name}+=1`;
  await set(open, { changes: [raise, 'series=new'], where: 'name=A' });
  // Somebody counts again, so the undo takes only the series back.
  await open.run(({ client }) => client.updateItem(id, { custom_fields: { [name]: 9 } }));
  const run = { quietPeriodMs: QUIET_MS, yes: true, onDrift: 'skip' } as const;
  await open.run((deps) => undoJob('last', deps, { outDir: open.folder, run }));
  await expect(set(open, { changes: [raise], where: 'name=A' })).rejects.toMatchObject({
    code: 'repeated_change',
  });
});

it('the question about a repeated change counts the items of all earlier jobs', async () => {
  await using open = await openImport();
  const items = ['A', 'A', 'A', 'B', 'C'].map((brand) => ({ name: 'T', brand, estimated_value: 10 }));
  open.sandbox.control.insertItems(items);
  const changes = ['estimated_value+=1'];
  for (const brand of ['A', 'B']) await set(open, { changes, where: `brand=${brand}` });
  await expect(set(open, { changes, where: 'name=T' })).rejects.toMatchObject({
    code: 'repeated_change',
    message: expect.stringMatching(/and 1 earlier job made the same change to 4 of 5 items/) as string,
  });
});

it('an answer to the question about a repeated change covers the items of every earlier job', async () => {
  await using open = await openImport();
  const items = ['A', 'A', 'B', 'B'].map((brand) => ({ name: 'T', brand, estimated_value: 10 }));
  open.sandbox.control.insertItems(items);
  const changes = ['estimated_value+=1'];
  for (const brand of ['A', 'B']) await set(open, { changes, where: `brand=${brand}` });
  // The rows of the newest job are sent first.
  const stop = new AbortController();
  let sent = 0;
  const first = await open.run(
    (deps) => setItems({ outDir: open.folder, changes, where: 'name=T', run: { yes: true } }, deps),
    {
      client: { maxConcurrency: 1 },
      signal: stop.signal,
      wrap: (client) =>
        overriding(client, {
          updateItem: (...change) => {
            sent += 1;
            if (sent === 2) stop.abort();
            return client.updateItem(...change);
          },
        }),
    },
  );
  expect(first.summary.rows).toMatchObject({ updated: 2, pending: 2 });
  expect((await open.resume(first.summary.job)).exitCode).toBe(0);
  expect(worth(open)).toEqual([12, 12, 12, 12]);
});

it('a plan keeps its limit of changes until somebody agrees to more', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(
    [1, 2, 3].map((n) => ({ name: `T ${n}`, brand: 'A', estimated_value: 10 })),
  );
  const change = { changes: ['estimated_value*=2'], where: 'brand=A' };
  const tooMany = { exitCode: 2, summary: { error: { code: 'too_many_changes' }, rows: { updated: 0 } } };
  expect(await set(open, { ...change, run: { maxChanges: 1 } })).toMatchObject(tooMany);
  expect(await open.resume('last')).toMatchObject(tooMany);
  const agreed = await open.resume('last', { yes: true });
  expect([agreed.exitCode, agreed.summary.rows]).toMatchObject([0, { updated: 3 }]);
});
