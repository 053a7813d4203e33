/** One server of several that does not know an item yet: it answers 404 to reads of that item, and passes on the rest. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** @param times how many reads are answered so */
export async function unknowingProxy(
  server: string,
  itemId: string,
  times: number,
): Promise<{ apiUrl: string; misses: () => number }> {
  let misses = 0;
  const proxy = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '', headers } = request;
      if (method === 'GET' && url.endsWith(`/items/${itemId}`) && misses < times) {
        misses += 1;
        response.writeHead(404, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { type: 'not_found', message: 'no such item' } }));
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(server + url, {
        method,
        headers: { authorization: String(headers.authorization), 'content-type': 'application/json' },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { apiUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, misses: () => misses };
}
