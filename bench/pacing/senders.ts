/** Four ways to send creates to one sandbox: ours, told nothing, and three that a user would write. */
import Bottleneck from 'bottleneck';
import pThrottle from 'p-throttle';
import { Agent, request } from 'undici';
import { createClient } from '../../src/api/client.ts';
import { API_PREFIX } from '../../src/api/schemas.ts';

export interface Target {
  url: string;
  key: string;
  collectionId: string;
  /** The true limit, which only the hand-tuned sender may look at. */
  limit: number;
  windowMs: number;
}

/** Sends until `until` (performance.now), and returns when every answer has come. */
export type Sender = (target: Target, until: number) => Promise<void>;

const WORKERS = 64;

export const shelflift: Sender = async (target, until) => {
  await using client = createClient({ apiUrl: target.url, key: target.key });
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())));
  await inParallel(WORKERS, until, async () => {
    const permit = await client.limiter.acquire('write', signal).catch(() => undefined);
    if (permit === undefined) return;
    const item = { collection_id: target.collectionId, name: 'Falcon' };
    await client.createItem(item, { permit, failOnLimit: true }).catch(() => undefined);
  });
};

/** Bottleneck with the true limit as its reservoir, refreshed each window, which is what its guide advises. */
export const bottleneck: Sender = async (target, until) => {
  const agent = new Agent({ connections: WORKERS });
  const limiter = new Bottleneck({
    reservoir: target.limit,
    reservoirRefreshAmount: target.limit,
    reservoirRefreshInterval: target.windowMs,
    maxConcurrent: WORKERS,
  });
  await inParallel(WORKERS, until, async () => {
    await limiter.schedule(() => create(target, agent, until));
  });
  await limiter.disconnect();
  await agent.close();
};

/** p-throttle with the true limit, each call for itself (`strict`), which its readme advises against bursts. */
export const throttled: Sender = async (target, until) => {
  const agent = new Agent({ connections: WORKERS });
  const send = pThrottle({ limit: target.limit, interval: target.windowMs, strict: true })(() =>
    create(target, agent, until),
  );
  await inParallel(WORKERS, until, async () => {
    await send();
  });
  await agent.close();
};

/** One after another; after a 429 it waits 100 ms, doubled at each that follows. */
export const sequential: Sender = async (target, until) => {
  const agent = new Agent({ connections: 1 });
  let waitMs = 100;
  await inParallel(1, until, async () => {
    if ((await create(target, agent, until)) !== 429) {
      waitMs = 100;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs *= 2;
  });
  await agent.close();
};

async function create(target: Target, agent: Agent, until: number): Promise<number | undefined> {
  if (performance.now() >= until) return undefined;
  const answer = await request(`${target.url}${API_PREFIX}/items`, {
    dispatcher: agent,
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection_id: target.collectionId, name: 'Falcon' }),
  });
  await answer.body.text();
  return answer.statusCode;
}

async function inParallel(workers: number, until: number, task: () => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < until) await task();
    }),
  );
}
