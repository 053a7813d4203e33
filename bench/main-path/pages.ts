/** All items, page after page: what the peers of the export read. */
import { Agent, request } from 'undici';
import { headers, itemsUrl } from './toys.ts';

export const COLUMNS = [
  'object',
  'id',
  'name',
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'tags',
  'custom_fields',
  'collection_id',
  'estimated_value',
  'currency',
  'created_at',
  'updated_at',
];

export async function* pages(): AsyncGenerator<unknown[][]> {
  const dispatcher = new Agent({ connections: 1 });
  for (let page = 1; ; page += 1) {
    const answer = await request(`${itemsUrl}?page=${page}&per_page=100`, { dispatcher, headers });
    const { data, pagination } = (await answer.body.json()) as {
      data: Record<string, unknown>[];
      pagination: { has_more: boolean };
    };
    yield data.map((item) =>
      COLUMNS.map((column) => {
        const value = item[column];
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
      }),
    );
    if (!pagination.has_more) break;
  }
  await dispatcher.close();
}
