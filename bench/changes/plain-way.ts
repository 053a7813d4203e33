/** What one would write first: for each row the item is read, changed, and sent back whole. Prints its requests. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { WRITABLE_FIELDS } from '../../src/api/schemas.ts';

const AT_ONCE = 16;
const base = `${process.env['SHELFLIFT_API_URL']}/api/public/v1/items`;
const headers = {
  authorization: `Bearer ${process.env['SHELFLIFT_API_KEY']}`,
  'content-type': 'application/json',
};
const dispatcher = new Agent({ connections: AT_ONCE });
const [, ...rows] = readFileSync(process.argv[2] ?? '', 'utf8')
  .trimEnd()
  .split('\n');
let requests = 0;

await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const [id = '', brand] = row.split(',');
      const read = await request(`${base}/${id}`, { dispatcher, headers });
      const item = { ...((await read.body.json()) as Record<string, unknown>), brand };
      const whole = Object.fromEntries(
        Object.entries(item).filter(([field]) => (WRITABLE_FIELDS as string[]).includes(field)),
      );
      const sent = await request(`${base}/${id}`, {
        dispatcher,
        headers,
        method: 'PATCH',
        body: JSON.stringify(whole),
      });
      if (sent.statusCode !== 200) throw new Error(await sent.body.text());
      await sent.body.dump();
      requests += 2;
    }
  }),
);
await dispatcher.close();
process.stdout.write(String(requests));
