/**
 * The promise under load: a server of 20,000 items at which others create 60 items and flip 200 statuses a second,
 * while an export reads it at 100 requests a second.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { exportResource } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { setUp } from './support.ts';
import { random } from '../support/seed.ts';

const ITEMS = 20_000;
const RUNS = 3;
const READS_PER_SECOND = 100;
const CREATES_PER_SECOND = 60;
const FLIPS_PER_SECOND = 200;

/** Others at work, by the API, with a key of their own: its limit is not the reader's. */
class Others {
  /** Listed at some time, and not at another. */
  readonly flipped = new Set<string>();
  created = 0;
  flips = 0;
  readonly #client;
  readonly #ids: readonly string[];
  readonly #collection: string;
  #over = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(sandbox: Sandbox, collection: string, ids: readonly string[]) {
    this.#client = createClient({ apiUrl: sandbox.url, key: sandbox.control.addKey().secret });
    this.#ids = ids;
    this.#collection = collection;
  }

  start(): void {
    this.#work = Promise.all([
      this.#every(CREATES_PER_SECOND, async () => {
        await this.#client.createItem({
          collection_id: this.#collection,
          name: 'New',
          status: this.created % 4 === 0 ? 'sell' : 'keep',
        });
        this.created += 1;
      }),
      this.#every(FLIPS_PER_SECOND, async () => {
        const id = this.#ids[Math.floor(random() * this.#ids.length)] ?? '';
        const status = random() < 0.5 ? 'sell' : 'keep';
        this.flipped.add(id);
        await this.#client.updateItem(id, { status });
        this.flips += 1;
      }),
    ]);
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#work;
    await this.#client.close();
  }

  /** So many a second on average, whatever one of them takes; as many as the machine manages where it is slow. */
  async #every(perSecond: number, act: () => Promise<void>): Promise<void> {
    const begin = performance.now();
    const pending = new Set<Promise<void>>();
    for (let count = 0; !this.#over; ) {
      const due = Math.floor(((performance.now() - begin) / 1000) * perSecond);
      for (; count < due && pending.size < 16; count += 1) {
        const one = act().finally(() => pending.delete(one));
        pending.add(one);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await Promise.all(pending);
  }
}

describe.each([
  ['in order', 1],
  ['in parallel', 16],
])(
  'an export of 20,000 items, with 60 creates and 200 status changes a second, read %s',
  (_, maxConcurrency) => {
    test.each(['items', 'listings'] as const)(
      'contains every permanent item exactly once: %s',
      async (resource) => {
        const { sandbox, path } = await setUp({ seed: 11, seedItems: ITEMS });
        const reader = createClient({
          apiUrl: sandbox.url,
          key: sandbox.key,
          maxRate: READS_PER_SECOND,
          maxConcurrency,
        });
        const start = sandbox.control.items();
        const [collection] = sandbox.teams[0]?.collections ?? [];
        const others = new Others(
          sandbox,
          collection?.id ?? '',
          start.map(({ id }) => id).filter((_id, at) => at % 4 === 0),
        );
        const startedAt = performance.now();
        let runs = 0;
        others.start();
        try {
          while (runs < RUNS) {
            runs += 1;
            // Flipped before this run too: such an item may be listed or not when it begins.
            const before = sandbox.control.items();
            const out = path(`${resource}.ndjson`);
            const summary = await exportResource({ resource, out }, { client: reader });
            const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
            const ids = lines.map((line) => (JSON.parse(line) as Item).id);
            const read = new Set(ids);
            expect(read.size).toBe(ids.length);
            const stood =
              resource === 'items'
                ? before
                : before.filter(
                    ({ id, status }) => (status === 'sell' || status === 'trade') && !others.flipped.has(id),
                  );
            expect(
              stood.filter(({ id }) => !read.has(id)).map(({ id }) => id),
              `run ${runs}`,
            ).toEqual([]);
            const manifest = Manifest.parse(JSON.parse(await readFile(`${out}.manifest.json`, 'utf8')));
            if (resource === 'items') {
              // A first count needs a few requests between two creates, which a busy machine may never manage.
              expect(manifest.seen.missingAtMost).toBe(summary.consistency === 'stable' ? 0 : null);
              expect(manifest.seen.createdMeanwhile).toBeGreaterThan(0);
            }
          }
        } finally {
          await others.stop();
          await reader.close();
        }
        const seconds = (performance.now() - startedAt) / 1000;
        const rates = [others.created, others.flips, sandbox.control.counts().requests].map((count) =>
          (count / seconds).toFixed(0),
        );
        process.stderr.write(
          `${resource}: ${rates[0]} creates, ${rates[1]} flips and ${rates[2]} requests in all a second, ${runs} exports in ${seconds.toFixed(0)} s\n`,
        );
        expect(others.created).toBeGreaterThan(100);
        expect(others.flips).toBeGreaterThan(300);
      },
    );
  },
);
