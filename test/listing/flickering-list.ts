/** A model of listings: entries leave and come back between any two requests, which changes their `updated_at`. */
import type { Listed } from '../../src/listing/completeness-counter.ts';
import type { LoadPage } from '../../src/listing/list-counter.ts';

export type Flicker =
  /** `at` is a share of all entries, listed or not, 0 to 1. */
  { kind: 'leave' | 'return' | 'edit'; at: number } | { kind: 'create' } | { kind: 'wait' };

export class FlickeringList {
  readonly #entries: (Listed & { listed: boolean })[] = [];
  readonly #sort: 'created_at' | 'updated_at';
  #events: Iterator<Flicker> = [].values();
  #time = Date.parse('2026-01-01T00:00:00Z');
  /** Ids that were listed at each moment so far. */
  #stood: Set<string>;

  constructor(sort: 'created_at' | 'updated_at', count: number) {
    this.#sort = sort;
    for (let made = 0; made < count; made += 1) this.#create();
    this.#stood = new Set(this.#listed().map(({ id }) => id));
  }

  /** One event after each request from now on. */
  play(events: readonly Flicker[]): void {
    this.#events = events.values();
    this.#stood = new Set(this.#listed().map(({ id }) => id));
  }

  /** Ids that were listed all the time since `play`. */
  get stood(): ReadonlySet<string> {
    return this.#stood;
  }

  readonly load: LoadPage<Listed> = async (page, perPage) => {
    const sorted = this.#listed().sort((a, b) => (a[this.#sort] < b[this.#sort] ? 1 : -1));
    const data = sorted
      .slice((page - 1) * perPage, page * perPage)
      .map(({ id, created_at, updated_at }) => ({ id, created_at, updated_at }));
    this.#happen();
    return { data, hasMore: page * perPage < sorted.length };
  };

  #listed() {
    return this.#entries.filter(({ listed }) => listed);
  }

  #happen(): void {
    const event = this.#events.next().value;
    if (event === undefined || event.kind === 'wait') return;
    if (event.kind === 'create') {
      this.#create();
      return;
    }
    const wanted = this.#entries.filter(({ listed }) => listed === (event.kind !== 'return'));
    const entry = wanted[Math.floor(event.at * wanted.length)];
    if (entry === undefined) return;
    entry.updated_at = this.#now();
    entry.listed = event.kind !== 'leave';
    if (!entry.listed) this.#stood.delete(entry.id);
  }

  #create(): void {
    const time = this.#now();
    this.#entries.push({
      id: `entry-${this.#entries.length}`,
      created_at: time,
      updated_at: time,
      listed: true,
    });
  }

  #now(): string {
    this.#time += 1000;
    return new Date(this.#time).toISOString();
  }
}
