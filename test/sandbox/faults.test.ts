/** Faults are real on the wire: a socket shows what a client would meet. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { API_PREFIX } from '../../src/api/schemas.ts';
import { FaultPlan } from '../../src/sandbox/faults.ts';
import { createRandom } from '../../src/sandbox/random.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { FAULT_KINDS, type FaultKind, type FaultRates, FaultRatesForm } from '../../src/sandbox/settings.ts';
import { call, collectionOf, sandboxFor } from './support.ts';

interface Wire {
  text: string;
  end: 'closed' | 'reset' | 'open';
}

/** Sends one create and waits for the connection's end, or for `quietMs` without any. */
function createOnWire(sandbox: Sandbox, quietMs = 60_000): Promise<Wire> {
  const body = JSON.stringify({ collection_id: collectionOf(sandbox), name: 'Racer' });
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(sandbox.port, '127.0.0.1');
    const end = (how: Wire['end']): void => {
      resolve({ text, end: how });
      socket.destroy();
    };
    socket.setTimeout(quietMs, () => end('open'));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => end('closed'));
    socket.on('error', () => end('reset'));
    socket.write(
      `POST ${API_PREFIX}/items HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${sandbox.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

describe('a fault on the wire', () => {
  test.each([
    ['dropAfterCommit', 1],
    ['dropBefore', 0],
  ] as const)('of the kind %s gives no answer, and leaves %i items', async (kind, count) => {
    const sandbox = await sandboxFor({ faults: { [kind]: 1 } });
    const ends = new Set<string>();
    for (let round = 1; round <= 12; round += 1) {
      const { text, end } = await createOnWire(sandbox);
      expect(text).toBe('');
      ends.add(end);
      expect(sandbox.control.items()).toHaveLength(count * round);
    }
    // Both ways that a connection can end.
    expect([...ends].sort()).toEqual(['closed', 'reset']);
    expect(sandbox.control.counts().byOperation.createItem).toEqual({ dropped: 12 });
  });

  test('cutBody: the answer has a complete head and half a body, and the item is created', async () => {
    const sandbox = await sandboxFor({ faults: { cutBody: 1 } });
    const { text, end } = await createOnWire(sandbox);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 201 /);
    expect(head).toMatch(/X-Request-Id: req_/i);
    const promised = Number(/Content-Length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe(Math.floor(promised / 2));
    expect(end).not.toBe('open');
    expect(sandbox.control.items()).toHaveLength(1);
    await expect(call(sandbox, 'GET', '/items')).rejects.toThrow();
  });

  test.each([true, false])('stall: no answer, no end; applied: %s', async (commits) => {
    const sandbox = await sandboxFor();
    sandbox.control.failNext('stall', 'createItem', commits);
    expect(await createOnWire(sandbox, 300)).toEqual({ text: '', end: 'open' });
    const count = commits ? 1 : 0;
    while (sandbox.control.items().length < count) await sleep(5);
    expect(sandbox.control.items()).toHaveLength(count);
  });

  test.each([true, false])('error500: an envelope with a request id; applied: %s', async (commits) => {
    const sandbox = await sandboxFor();
    sandbox.control.failNext('error500', undefined, commits);
    const reply = await call(sandbox, 'POST', '/items', {
      body: { collection_id: collectionOf(sandbox), name: 'x' },
    });
    expect(reply.status).toBe(500);
    expect(reply.json).toHaveProperty('error.type');
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    expect(sandbox.control.items()).toHaveLength(commits ? 1 : 0);
  });

  test('html502: the answer is an HTML page, as a proxy sends it', async () => {
    const sandbox = await sandboxFor({ faults: { html502: 1 }, rateLimit: '9/1s' });
    const reply = await call(sandbox, 'GET', '/items');
    expect(reply.status).toBe(502);
    expect(reply.headers.get('content-type')).toBe('text/html');
    expect(reply.text).toMatch(/^<html>/);
    expect(reply.headers.get('ratelimit-limit')).toBeNull();
  });

  test('lateCommit: the answer is lost, and the item appears later, with its own time', async () => {
    let now = 1_700_000_000_000;
    const sandbox = await sandboxFor({ faults: { lateCommit: 1, lateCommitMs: 2_000 }, now: () => now });
    const { text } = await createOnWire(sandbox);
    expect(text).toBe('');
    expect(sandbox.control.items()).toHaveLength(0);
    expect(sandbox.control.counts().lateCommits).toBe(1);
    now += 5_000;
    while (sandbox.control.counts().lateCommits > 0) await sleep(10);
    const [item] = sandbox.control.items();
    expect(Date.parse(item?.created_at ?? '')).toBe(now);
  });

  test('lateCommit: closing the sandbox drops a pending commit, and does not wait for it', async () => {
    const sandbox = await sandboxFor({ faults: { lateCommit: 1, lateCommitMs: 600_000 } });
    await createOnWire(sandbox);
    await sandbox.close();
  });

  test('closing ends stalled and delayed requests', async () => {
    const sandbox = await sandboxFor({ latencyMs: 600_000 });
    const waiting = createOnWire(sandbox);
    while (sandbox.control.counts().requests === 0) await sleep(5);
    await sandbox.close();
    expect((await waiting).text).toBe('');
  });

  test('refused requests get no faults', async () => {
    const sandbox = await sandboxFor({ faults: { dropBefore: 1 } });
    expect((await call(sandbox, 'GET', '/items', { key: 'nobody' })).status).toBe(401);
    expect((await call(sandbox, 'GET', '/nothing')).status).toBe(404);
  });
});

describe('the fault plan', () => {
  const draw = (seed: number, rates: FaultRates): (FaultKind | undefined)[] => {
    const plan = new FaultPlan(createRandom(seed), rates);
    return Array.from({ length: 4000 }, () => plan.forRequest('createItem')?.kind);
  };
  const rates = {
    dropAfterCommit: 0.05,
    dropBefore: 0.03,
    error500: 0.02,
    html502: 0.02,
    cutBody: 0.03,
    stall: 0.01,
  };

  test('repeats with its seed, and differs with another seed', () => {
    expect(draw(7, rates)).toEqual(draw(7, rates));
    expect(draw(7, rates)).not.toEqual(draw(8, rates));
  });

  test('keeps to its probabilities', () => {
    const drawn = draw(3, rates);
    for (const kind of FAULT_KINDS) {
      const share = drawn.filter((one) => one === kind).length / drawn.length;
      expect(Math.abs(share - ((rates as FaultRates)[kind] ?? 0))).toBeLessThan(0.012);
    }
  });

  test('leaves other operations alone', () => {
    const plan = new FaultPlan(createRandom(1), { error500: 1, operations: ['updateItem'] });
    expect(plan.forRequest('createItem')).toBeUndefined();
    expect(plan.forRequest('updateItem')?.kind).toBe('error500');
  });

  test('injects requested faults first, in order, whatever the fault rates', () => {
    const plan = new FaultPlan(createRandom(1), {});
    plan.failNext('stall', 'getItem');
    plan.failNext('error500');
    plan.failNext('html502');
    expect(plan.forRequest('createItem')?.kind).toBe('error500');
    expect(plan.forRequest('getItem')?.kind).toBe('stall');
    expect(plan.forRequest('getItem')?.kind).toBe('html502');
    expect(plan.forRequest('getItem')).toBeUndefined();
  });

  test('accepts probabilities from 0 to 1 that add up to at most 1', () => {
    expect(FaultRatesForm.safeParse({ stall: 0.5, cutBody: 0.5 }).success).toBe(true);
    expect(FaultRatesForm.safeParse({ stall: 0.6, cutBody: 0.5 }).success).toBe(false);
    expect(FaultRatesForm.safeParse({ stall: -0.1 }).success).toBe(false);
    expect(FaultRatesForm.safeParse({ stal: 0.1 }).success).toBe(false);
    expect(() => new FaultPlan(createRandom(1), { stall: 0.6, cutBody: 0.5 })).toThrow(
      /faults: .* more than 1/,
    );
  });
});
