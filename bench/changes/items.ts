/** All items of a sandbox, page after page. */
import { Agent, request } from 'undici';

export interface BenchItem extends Record<string, unknown> {
  id: string;
}

export async function eachItem(
  env: { SHELFLIFT_API_URL: string; SHELFLIFT_API_KEY: string },
  visit: (item: BenchItem) => void,
): Promise<void> {
  const dispatcher = new Agent({ connections: 1 });
  const headers = { authorization: `Bearer ${env.SHELFLIFT_API_KEY}` };
  for (let page = 1; ; page += 1) {
    const url = `${env.SHELFLIFT_API_URL}/api/public/v1/items?page=${page}&per_page=100`;
    const { body } = await request(url, { dispatcher, headers });
    const { data, pagination } = (await body.json()) as {
      data: BenchItem[];
      pagination: { has_more: boolean };
    };
    data.forEach(visit);
    if (!pagination.has_more) break;
  }
  await dispatcher.close();
}
