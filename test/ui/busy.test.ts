/** What a person asks for while something else is under way for the same job, in another tab or after the back button. */
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/ui/jobs/workspace.ts';
import { ended, openPage } from './open-page.ts';

async function open() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const read = async (list: string) => {
    const file = (await visit.upload('toys.csv', list)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: 'Main' });
    return (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  };
  /** Makes the API so slow that what is started now is under way until it is fast again. */
  const slowly = async <T>(ask: () => Promise<T>): Promise<T> => {
    sandbox.control.setLatency(1500);
    const answer = await ask();
    sandbox.control.setLatency(0);
    return answer;
  };
  const names = () => sandbox.control.items().map(({ name }) => name);
  return { sandbox, visit, read, slowly, names };
}

test('the undo of some rows is not taken for the undo of all rows that is being prepared', async () => {
  const { visit, read, slowly } = await open();
  const job = await read('name\nA\nB\nC\n');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const [again, refused] = await slowly(async () => {
    await visit.post(`${job}/undo`);
    return [await visit.post(`${job}/undo`), await visit.post(`${job}/undo`, { some: 'yes', row: '2' })];
  });
  expect([again?.status, again?.headers.location]).toEqual([303, `${job}/sending`]);
  expect(refused?.status).toBe(409);
  expect(refused?.text).toContain('shelflift is preparing to undo this job');
  expect(refused?.text).toContain(`href="${job}/sending"`);
  await ended(visit, `${job}/sending`);
  await visit.post(`${job}/undo`, { some: 'yes', row: '2' });
  const undo = await ended(visit, `${job}/sending`);
  expect((await visit.get(undo)).text).toContain('Undo 1');
});

test('nothing is sent while the plan is compared, and the person is told, in German too', async () => {
  const { visit, read, slowly, names } = await open();
  const job = await read('name\nA\nB\n');
  const cells = JSON.stringify([{ row: 2, column: 'name', text: 'Other' }]);
  const [refused, german, part] = await slowly(async () => {
    await visit.post(`${job}/compare`);
    const headers = { Cookie: `${visit.cookie}; shelflift-language=de` };
    return [
      await visit.post(`${job}/send`),
      await visit.post(`${job}/cells`, { cells }, headers),
      await visit.post(`${job}/cells`, { cells }, { 'HX-Request': 'true' }),
    ];
  });
  expect(refused?.status).toBe(409);
  expect(refused?.text).toContain('shelflift is comparing this plan with your items');
  expect(german?.status).toBe(409);
  expect(german?.text).toContain('shelflift vergleicht diesen Plan gerade mit deinen Stücken');
  expect([part?.status, part?.headers['hx-retarget']]).toEqual([409, '#main']);
  await ended(visit, `${job}/sending`);
  expect(names()).toEqual([]);
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  expect(names().sort()).toEqual(['A', 'B']);
});

test('another report or another search for duplicates is refused while one is under way', async () => {
  const { visit, slowly } = await open();
  const answers = await slowly(async () => [
    await visit.post('/reports', { for: 'insurer' }),
    await visit.post('/reports', { for: 'insurer' }),
    await visit.post('/reports', { for: 'marketplace' }),
    await visit.post('/duplicates'),
    await visit.post('/duplicates'),
    await visit.post('/duplicates', { close: 'yes' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 409, 303, 303, 409]);
  expect(answers[2]?.text).toContain('shelflift is making another file');
  expect(answers[5]?.text).toContain('shelflift is looking for duplicates');
});

test('what is asked for while a correction is checked comes after it', async () => {
  await using sandbox = await startSandbox();
  await using workspace = await Workspace.open({
    choice: {},
    store: ':memory:',
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
    filePassword: async () => undefined,
    settings: { timeoutMs: 30_000 },
    signal: new AbortController().signal,
  });
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until?: Promise<void>) => async () => {
    await until;
    done.push(name);
    return undefined;
  };
  const begun = await workspace.start('job', 'judging', work('first', first.promise));
  const others = [
    workspace.start('job', 'judging', work('second')),
    workspace.start('job', 'judging', work('third')),
    workspace.start('job', 'sending', work('sent'), { unless: async () => void done.push('asked') }),
  ];
  first.resolve();
  for (const run of await Promise.all(others)) await run?.ended;
  await begun.ended;
  expect(done.filter((each) => each !== 'asked')).toEqual(['first', 'second', 'third', 'sent']);
  // Whether to send is decided by what the corrections have left.
  expect(done.slice(-2)).toEqual(['asked', 'sent']);
});
