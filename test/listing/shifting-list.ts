/** A model of the server's list: events happen between any two requests, and answers come in any order. */
import type { Listed } from '../../src/listing/completeness-counter.ts';
import type { ListPage, LoadPage } from '../../src/listing/list-counter.ts';

export interface ModelItem extends Listed {
  version: number;
}

export type ListEvent =
  | { kind: 'create' }
  /** `at` is a share of the list, 0 to 1. */
  | { kind: 'edit'; at: number }
  | { kind: 'remove'; at: number }
  | { kind: 'tick' };

export class ShiftingList {
  readonly #sort: 'created_at' | 'updated_at';
  readonly #items = new Map<string, ModelItem & { tie: number }>();
  readonly #everSeen = new Map<string, Set<number>>();
  #events: readonly ListEvent[] = [];
  #perRequest = 0;
  #cursor = 0;
  #time = Date.parse('2026-01-01T00:00:00Z');
  #made = 0;
  #chance: number;
  requests = 0;
  /** Items whose times the server tells as a text that is no time. */
  unreadable: (id: string) => boolean = () => false;

  constructor(sort: 'created_at' | 'updated_at', count: number, sameTime: boolean, seed: number) {
    this.#sort = sort;
    this.#chance = seed;
    for (let index = 0; index < count; index += 1) {
      this.#create();
      if (!sameTime) this.#time += 1000;
    }
    this.#time += 1000;
  }

  /** From now on, `perRequest` events pass before and after each page is read. */
  play(events: readonly ListEvent[], perRequest: number): void {
    this.#events = events;
    this.#perRequest = perRequest;
  }

  get ids(): Set<string> {
    return new Set(this.#items.keys());
  }

  existed(item: ModelItem): boolean {
    return this.#everSeen.get(item.id)?.has(item.version) === true;
  }

  readonly load: LoadPage<ModelItem> = async (page, perPage): Promise<ListPage<ModelItem>> => {
    this.requests += 1;
    await this.#pause();
    this.#happen();
    const sorted = [...this.#items.values()].sort(
      (a, b) => Date.parse(b[this.#sort]) - Date.parse(a[this.#sort]) || a.tie - b.tie,
    );
    const from = (page - 1) * perPage;
    const data = sorted
      .slice(from, from + perPage)
      .map((item) => (this.unreadable(item.id) ? { ...item, created_at: '', updated_at: '' } : { ...item }));
    const hasMore = from + perPage < sorted.length;
    this.#happen();
    await this.#pause();
    return { data, hasMore };
  };

  async #pause(): Promise<void> {
    for (let turns = this.#random(4); turns > 0; turns -= 1) await Promise.resolve();
  }

  #happen(): void {
    for (let count = 0; count < this.#perRequest; count += 1) {
      const event = this.#events[this.#cursor];
      if (event === undefined) return;
      this.#cursor += 1;
      // A clock that stands still for ten pages of creates is no clock: see completeness-counter.ts.
      if (this.#cursor % 20 === 0) this.#time += 1000;
      const ids = [...this.#items.keys()];
      const id =
        event.kind === 'edit' || event.kind === 'remove' ? ids[Math.floor(event.at * ids.length)] : undefined;
      if (event.kind === 'tick') this.#time += 1000;
      else if (event.kind === 'create') this.#create();
      else if (id !== undefined && event.kind === 'remove') this.#items.delete(id);
      else if (id !== undefined) this.#edit(id);
    }
  }

  #create(): void {
    this.#made += 1;
    const time = new Date(this.#time).toISOString();
    this.#keep({
      id: `item-${this.#made}`,
      created_at: time,
      updated_at: time,
      version: 1,
      tie: this.#random(1_000_000),
    });
  }

  #edit(id: string): void {
    const item = this.#items.get(id);
    if (item === undefined) return;
    this.#keep({ ...item, updated_at: new Date(this.#time).toISOString(), version: item.version + 1 });
  }

  #keep(item: ModelItem & { tie: number }): void {
    this.#items.set(item.id, item);
    const versions = this.#everSeen.get(item.id) ?? new Set();
    this.#everSeen.set(item.id, versions.add(item.version));
  }

  /** A small generator of its own, so that a failure replays. */
  #random(below: number): number {
    this.#chance = (Math.imul(this.#chance, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#chance / 2 ** 32) * below);
  }
}
