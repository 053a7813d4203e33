/** Forms of a page that is no longer what the job or the account is: in another tab, or after the back button. */
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';

async function open() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const read = async (name: string, list: string) => {
    const file = (await visit.upload(name, list)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: 'Main' });
    return (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  };
  return { sandbox, visit, read };
}

test('answers of an older page of words go to the words that the page showed', async () => {
  const { sandbox, visit, read } = await open();
  const job = await read(
    'toys.csv',
    'name,condition,packaging\nA,seltsam,\nB,seltsam,\nC,seltsam,komisch\nD,,komisch\n',
  );
  const words = (await visit.get(`${job}/words`)).text;
  const nameOf = (word: string) =>
    new RegExp(`name="([^"]+)" aria-label="What “${word}” means`).exec(words)?.[1] ?? '';
  // In another tab, two cells are corrected, so that the other column comes first.
  const cell = (row: number) => ({ row, column: 'condition', text: 'loose_mint' });
  await visit.post(`${job}/cells`, { cells: JSON.stringify([cell(2), cell(3)]) });
  await visit.post(`${job}/words`, { [nameOf('seltsam')]: 'nothing', [nameOf('komisch')]: 'as-note' });
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const notes = sandbox.control.items().map(({ custom_fields: custom }) => JSON.stringify(custom ?? {}));
  expect(notes).toHaveLength(4);
  expect(notes.filter((each) => each.includes('komisch'))).toHaveLength(2);
  expect(notes.filter((each) => each.includes('seltsam'))).toHaveLength(0);
});
