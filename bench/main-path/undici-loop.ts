/** The fastest bare loop over the same client that shelflift uses. */
import { Agent, request } from 'undici';
import { headers, itemsUrl, sendAll } from './toys.ts';

const dispatcher = new Agent({ connections: 16 });
await sendAll(process.argv[2] ?? '', async (body) => {
  const answer = await request(itemsUrl, { dispatcher, method: 'POST', headers, body });
  await answer.body.json();
  return answer.statusCode;
});
await dispatcher.close();
