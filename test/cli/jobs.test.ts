/** The life of a job as a person types it, where something stands in the way: what is told, and what is left alone. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sayLast } from '../../src/cli/about-job.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv, toys } from '../support/csv.ts';
import { newPlace, type Place } from './run-shelflift.ts';

let api: Sandbox;
let elsewhere: Sandbox;
beforeAll(async () => {
  [api, elsewhere] = await Promise.all([startSandbox(), startSandbox()]);
});
afterAll(async () => {
  await api.close();
  await elsewhere.close();
});

/** What stands on stdout, which is one object and a line feed. */
interface Told {
  job?: string;
  state?: string;
  rows?: Record<string, number>;
  error?: { code: string; message: string };
}

interface Jobs extends Place {
  json(
    argv: string[],
    environment?: NodeJS.ProcessEnv,
  ): Promise<Told & { code: number | null; stderr: string }>;
}

function open(): Jobs {
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  return {
    ...place,
    async json(argv, environment) {
      const { code, stdout, stderr } = await place.call([...argv, '--json'], environment);
      expect(stdout).toMatch(/^\{.*\}\n$/);
      return { ...(JSON.parse(stdout) as Told), code, stderr };
    },
  };
}

describe('a failing command about a job prints error and job in one object', () => {
  it.each<[string, string[], NodeJS.ProcessEnv, number, string]>([
    [
      'a row that needs no decision',
      ['resolve', 'last', '--row', '2', '--as', 'retry'],
      {},
      2,
      'no_such_row',
    ],
    ['an unknown word', ['resolve', 'last', '--row', '2', '--as', 'perhaps'], {}, 2, 'bad_resolution'],
    ['a missing folder', ['results', 'last', '--out-dir', '/proc/none'], {}, 2, 'cannot_write'],
    ['a missing key', ['resume', 'last'], { SHELFLIFT_API_KEY: '' }, 2, 'no_key'],
    ['a wrong number', ['resume', 'last', '--first', '0'], {}, 2, 'bad_number'],
    ['a wrong key', ['undo', 'last'], { SHELFLIFT_API_KEY: 'wrong-key-wrong-key' }, 5, 'unauthorized'],
    ['another file type', ['undo', 'last', '--plan', 'plan.docx'], {}, 2, 'unknown_format'],
  ])('%s', async (_, argv, environment, exit, error) => {
    const at = open();
    at.file('toys.csv', toys(3));
    const { job } = await at.json([
      'import',
      'toys.csv',
      '--collection',
      'Main',
      '--first',
      '1',
      '--force',
      '--yes',
    ]);
    const told = await at.json(['jobs', ...argv], environment);
    expect(told).toMatchObject({
      code: exit,
      job,
      state: 'paused',
      error: { code: error },
      rows: { created: 1, pending: 2 },
    });
    expect(await at.json(['jobs', 'show', 'last'])).toMatchObject({ state: 'paused', code: 0 });
  });

  it('prints only the error for an unknown job', async () => {
    const at = open();
    for (const verb of ['show', 'resume', 'apply', 'cancel', 'undo', 'results']) {
      const told = await at.json(['jobs', verb, 'nothing']);
      expect(Object.keys(told)).toEqual(['error', 'code', 'stderr']);
      expect(told).toMatchObject({ code: 2, error: { code: 'no_such_job' } });
    }
  });
});

it('undoing a job that has sent nothing is refused, and a job that has sent rows is suggested', async () => {
  const at = open();
  const [id = ''] = api.control.insertItems([{ name: 'Tin robot', status: 'keep' }]);
  at.file('sold.csv', csv(['id', 'status'], [[id, 'sold']]));
  const sold = await at.json(['import', 'sold.csv', '--mode', 'update']);
  at.file('again.csv', csv(['id', 'status'], [[id, 'sold']]));
  const again = await at.json(['import', 'again.csv', '--mode', 'update']);
  expect(again).toMatchObject({ code: 0, rows: { unchanged: 1 } });
  const undo = await at.json(['jobs', 'undo', 'last']);
  expect(undo).toMatchObject({ code: 2, job: again.job, state: 'done', error: { code: 'cannot_undo' } });
  expect(undo.stderr).toContain(`shelflift jobs undo ${sold.job}`);
});

it('cancelling an ended job reports that the job has ended, and changes nothing', async () => {
  const at = open();
  at.file('toys.csv', toys(2, 'Ended'));
  const { job } = await at.json(['import', 'toys.csv', '--collection', 'Main']);
  const { code, stdout } = await at.call(['jobs', 'cancel', 'last']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('nothing was cancelled')]);
  expect(stdout).toContain(`shelflift jobs undo ${job}`);
  expect(await at.json(['jobs', 'show', 'last'])).toMatchObject({ state: 'done' });
});

it('a cancelled job cannot be resumed; apply starts it again', async () => {
  const at = open();
  at.file('toys.csv', toys(3, 'Cancelled'));
  const create = ['import', 'toys.csv', '--collection', 'Main'];
  const { job = '' } = await at.json([...create, '--first', '1']);
  expect(await at.json(['jobs', 'cancel', job])).toMatchObject({ code: 0, state: 'cancelled' });
  api.control.resetCounts();
  const resumed = await at.json(['jobs', 'resume', job]);
  expect(resumed).toMatchObject({ code: 3, state: 'cancelled', rows: { created: 1, pending: 2 } });
  const again = await at.json(create);
  expect(again).toMatchObject({ code: 3, job, state: 'cancelled' });
  for (const { stderr } of [resumed, again]) expect(stderr).toContain(`shelflift jobs apply ${job}`);
  expect(api.control.counts().byOperation['createItem']).toBeUndefined();
  expect(await at.json(['jobs', 'apply', job])).toMatchObject({ code: 0, rows: { created: 3 } });
});

it('a job for another address is refused and stays unchanged, whether begun or only planned', async () => {
  const at = open();
  at.file('toys.csv', toys(3, 'Address'));
  const there = ['--api-url', elsewhere.url];
  const create = ['import', 'toys.csv', '--collection', 'Main'];
  const dry = await at.json([...create, '--dry-run']);
  const begun = await at.json([...create, '--first', '1']);
  elsewhere.control.resetCounts();
  for (const [verb, job] of [
    ['apply', dry.job],
    ['resume', begun.job],
  ] as const) {
    const told = await at.json(['jobs', verb, job ?? '', ...there]);
    expect(told).toMatchObject({ code: 5, job, error: { code: 'unauthorized' } });
    expect(told.error?.message).toContain(`belongs to ${api.url}`);
  }
  expect(elsewhere.control.counts().byOperation).toEqual({});
  expect(await at.json(['jobs', 'show', begun.job ?? ''])).toMatchObject({ state: 'paused' });
  // Still a dry run: `resume` is not for it.
  expect(await at.json(['jobs', 'resume', dry.job ?? ''])).toMatchObject({ error: { code: 'is_a_dry_run' } });
});

it('an unplanned job is not planned at another address', async () => {
  const at = open();
  at.file('toys.csv', toys(2, 'Unplanned'));
  const wrong = { SHELFLIFT_API_KEY: 'wrong-key-wrong-key' };
  const parked = await at.json(['import', 'toys.csv', '--collection', 'Main'], wrong);
  expect(parked).toMatchObject({ code: 5, state: 'parked_unauthorised' });
  elsewhere.control.resetCounts();
  const told = await at.json(['jobs', 'resume', 'last', '--api-url', elsewhere.url]);
  expect(told).toMatchObject({ code: 5, error: { code: 'unauthorized' } });
  expect(elsewhere.control.counts().byOperation).toEqual({});
  expect(await at.json(['jobs', 'resume', 'last'])).toMatchObject({ code: 0, rows: { created: 2 } });
});

it('"last" means one job for a whole command, even if another process makes a newer one meanwhile', async () => {
  const at = open();
  at.file('toys.csv', toys(1, 'Last'));
  at.file('more.csv', toys(2, 'Newer'));
  const { job = '' } = await at.json(['import', 'toys.csv', '--collection', 'Main']);
  await using ledger = await openLedger(join(at.folder, 'l.db'));
  const flags = { id: 'last' };
  const said: string[] = [];
  await sayLast(flags, ledger, (text) => said.push(text));
  await at.json(['import', 'more.csv', '--collection', 'Main']);
  expect(said).toEqual([expect.stringContaining(job)]);
  expect((await ledger.jobs.find(flags.id)).id).toBe(job);
});
