/** What the peers of the import send: the rows of the file as bodies, and where to. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const base = process.env['SHELFLIFT_API_URL'] ?? '';
export const headers = {
  authorization: `Bearer ${process.env['SHELFLIFT_API_KEY'] ?? ''}`,
  'content-type': 'application/json',
};
export const itemsUrl = `${base}/api/public/v1/items`;

export async function bodies(file: string): Promise<string[]> {
  const answer = await fetch(`${base}/api/public/v1/collections`, { headers });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  const rows = parse<Record<string, string>>(readFileSync(file), { columns: true });
  return rows.map((row) =>
    JSON.stringify({
      collection_id: data[0]?.id,
      name: row['name'],
      brand: row['brand'],
      series: row['series'],
      release_year: Number(row['year']),
      condition: row['condition'],
      packaging: row['packaging'],
      status: row['status'],
      tags: row['tags']?.split(';'),
      estimated_value: Number(row['estimated value']),
      custom_fields: { sku: row['custom_fields.sku'], shelf: row['custom_fields.shelf'] },
    }),
  );
}

/** Sixteen at a time until all are sent. */
export async function sendAll(file: string, send: (body: string) => Promise<number>): Promise<void> {
  const queue = await bodies(file);
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let body = queue[next++]; body !== undefined; body = queue[next++]) {
        const status = await send(body);
        if (status !== 201) throw new Error(`status ${status}`);
      }
    }),
  );
}
