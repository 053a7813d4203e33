import type { Item } from '../../api/schemas.ts';
import { createRandom, randomId } from '../random.ts';
import type { SandboxState } from '../state.ts';
import type { StoredItem } from '../store/items.ts';
import type { StoredTeam } from '../store/teams.ts';
import { SEED_COLLECTIONS } from './toy-lines.ts';
import { makeToys } from './toys.ts';

const COLLECTIONS_MADE = '2023-01-01T00:00:00.000Z';

/** Fills an empty team: collections and `count` toys, the same for the same seed. */
export function seedTeam(state: SandboxState, team: StoredTeam, seed: number, count: number): void {
  const random = createRandom(seed);
  const ids = SEED_COLLECTIONS.map((collection) => {
    const id = randomId(random);
    state.teams.addCollection(team.id, {
      object: 'collection',
      id,
      ...collection,
      created_at: COLLECTIONS_MADE,
      updated_at: COLLECTIONS_MADE,
    });
    return id;
  });
  state.items.insertAll(makeToys(random, count, ids, team.currency).map((item) => toStored(item, team.id)));
}

/** The store's form of an item that did not come through the API. */
export function toStored(item: Item, team: number): StoredItem {
  return {
    id: item.id,
    team,
    status: item.status,
    created: Date.parse(item.created_at),
    updated: Date.parse(item.updated_at),
    body: JSON.stringify(item),
  };
}
