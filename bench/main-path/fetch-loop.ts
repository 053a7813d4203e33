/** What a user would write: fetch, sixteen at a time, no ledger, no way to go on after a crash. */
import { headers, itemsUrl, sendAll } from './toys.ts';

await sendAll(process.argv[2] ?? '', async (body) => {
  const answer = await fetch(itemsUrl, { method: 'POST', headers, body });
  await answer.json();
  return answer.status;
});
