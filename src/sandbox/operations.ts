/** The seven operations of the contract (api-v1 §4), on a request that passed key, rate limit and scope. */
import { randomUUID } from 'node:crypto';
import { type Item, ItemCreate, ItemUpdate, type Scope } from '../api/schemas.ts';
import { type Answer, invalid, notFound, Refusal } from './answer.ts';
import { asStored, changedItem, newItem, shownItem } from './item-form.ts';
import { readBody, readId, readJson, readPage, readStatus } from './reading.ts';
import { readSales, type SalesState } from './sales.ts';
import type { OperationName } from './settings.ts';
import type { SandboxState } from './state.ts';
import type { ItemFilter } from './store/items.ts';
import type { StoredTeam } from './store/teams.ts';
import { counted } from '../base/counted.ts';

export interface ApiRequest {
  readonly team: StoredTeam;
  /** The id in the path, as received; '' if the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly contentType: string | undefined;
  /** undefined if it was too large to read. */
  readonly body: Buffer | undefined;
}

export interface Operation {
  readonly name: OperationName;
  readonly scope: Scope;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the prefix; a parameter is in braces. */
  readonly path: '/items' | '/items/{id}' | '/collections' | '/marketplace/listings' | '/sales/summary';
  /** @throws Refusal */
  run(state: SandboxState, request: ApiRequest): Answer;
}

/**
 * Order within an operation: the request is validated (400), the path's item is looked up (404), the collection is
 * looked up (400), and the item limit comes last, so that limit_reached means that the request was valid otherwise.
 */
export const operations: Record<OperationName, Operation> = {
  listItems: {
    name: 'listItems',
    scope: 'items:read',
    method: 'GET',
    path: '/items',
    run: (state, request) => itemList(state, request, readStatus(request.query) ?? 'all'),
  },
  listListings: {
    name: 'listListings',
    scope: 'marketplace:read',
    method: 'GET',
    path: '/marketplace/listings',
    run: (state, request) => itemList(state, request, 'listed'),
  },
  createItem: { name: 'createItem', scope: 'items:write', method: 'POST', path: '/items', run: createItem },
  getItem: {
    name: 'getItem',
    scope: 'items:read',
    method: 'GET',
    path: '/items/{id}',
    run: (state, request) => oneItem(state, 200, storedItem(state, request).body),
  },
  updateItem: {
    name: 'updateItem',
    scope: 'items:write',
    method: 'PATCH',
    path: '/items/{id}',
    run: updateItem,
  },
  listCollections: {
    name: 'listCollections',
    scope: 'collections:read',
    method: 'GET',
    path: '/collections',
    run: listCollections,
  },
  getSalesSummary: {
    name: 'getSalesSummary',
    scope: 'analytics:read',
    method: 'GET',
    path: '/sales/summary',
    run: getSalesSummary,
  },
};

function itemList(state: SandboxState, request: ApiRequest, filter: ItemFilter): Answer {
  const { page, perPage } = readPage(request.query);
  const offset = (page - 1) * perPage;
  if (state.listLagMs > 0) {
    const shown = shownItems(state, request.team.id, filter);
    return itemPage(
      state,
      shown.slice(offset, offset + perPage),
      page,
      perPage,
      offset + perPage < shown.length,
    );
  }
  const data = state.items.page(request.team.id, filter, offset, perPage);
  return itemPage(state, data, page, perPage, offset + perPage < state.items.count(request.team.id, filter));
}

function itemPage(
  { storing }: SandboxState,
  data: string[],
  page: number,
  perPage: number,
  hasMore: boolean,
): Answer {
  const shown = data.map((item) =>
    shownItem(item, storing.shortLists, storing.omitEmpty ?? storing.sparseLists),
  );
  return list(shown, page, perPage, hasMore);
}

/** The items that a list with a lag shows. All items are read, because such lists are for short tests. */
function shownItems({ items, clock, listLagMs }: SandboxState, team: number, filter: ItemFilter): string[] {
  const newest = clock.wall() - listLagMs;
  return items
    .page(team, filter, 0, Number.MAX_SAFE_INTEGER)
    .filter((text) => Date.parse((JSON.parse(text) as Item).created_at) <= newest);
}

function listCollections(_state: SandboxState, request: ApiRequest): Answer {
  const { page, perPage } = readPage(request.query);
  const offset = (page - 1) * perPage;
  const { collections } = request.team;
  const data = collections.slice(offset, offset + perPage).map((collection) => JSON.stringify(collection));
  return list(data, page, perPage, offset + perPage < collections.length);
}

/** @param data JSON texts */
function list(data: readonly string[], page: number, perPage: number, hasMore: boolean): Answer {
  const pagination = `{"page":${page},"per_page":${perPage},"has_more":${hasMore}}`;
  return { status: 200, body: `{"object":"list","data":[${data.join(',')}],"pagination":${pagination}}` };
}

function createItem(state: SandboxState, request: ApiRequest): Answer {
  const { team } = request;
  const create = readBody(ItemCreate, readJson(request.contentType, request.body));
  checkCollection(state, team, create.collection_id);
  if (state.planLimit !== undefined && state.items.count(team.id) >= state.planLimit) {
    throw new Refusal(
      403,
      'limit_reached',
      `The plan's limit of ${counted(state.planLimit, 'item')} is reached.`,
    );
  }
  const now = state.clock.wall();
  const time = new Date(now).toISOString();
  const item = asStored(newItem(create, randomUUID(), team.currency, time), state.storing);
  const body = itemText(item);
  state.items.insert({ id: item.id, team: team.id, status: item.status, created: now, updated: now, body });
  return oneItem(state, 201, body);
}

function updateItem(state: SandboxState, request: ApiRequest): Answer {
  const id = readId(request.id);
  const update = readBody(ItemUpdate, readJson(request.contentType, request.body));
  const before = storedItem(state, request, id);
  if (update.collection_id !== undefined) checkCollection(state, request.team, update.collection_id);
  const now = state.clock.wall();
  const time = new Date(now).toISOString();
  const changed = changedItem(JSON.parse(before.body) as Item, update, time, state.customFields);
  const item = asStored(changed, state.storing);
  const body = itemText(item);
  state.items.update(before, item.status, now, body);
  return oneItem(state, 200, body);
}

function oneItem({ storing }: SandboxState, status: number, body: string): Answer {
  return { status, body: shownItem(body, storing.shortItems, storing.omitEmpty) };
}

function getSalesSummary(state: SandboxState, request: ApiRequest): Answer {
  const sales = readSales(JSON.parse(request.team.sales) as SalesState, state.clock.wall());
  state.teams.saveSales(request.team, JSON.stringify(sales));
  return { status: 200, body: JSON.stringify(sales.summary) };
}

/** An item of another team is not found, exactly like one that never existed (api-v1 §5.4). */
function storedItem(state: SandboxState, request: ApiRequest, id = readId(request.id)) {
  const item = state.items.get(request.team.id, id);
  if (item === undefined) throw notFound(`No item has the id ${id}.`);
  return item;
}

function checkCollection(state: SandboxState, team: StoredTeam, id: string): void {
  if (state.teams.ownsCollection(team.id, id.toLowerCase())) return;
  throw invalid(`collection_id: expected a collection of this team, got ${id}`);
}

function itemText(item: Item): string {
  try {
    return JSON.stringify(item);
  } catch (error) {
    // JSON.parse accepts any depth; JSON.stringify does not.
    if (error instanceof RangeError) throw invalid('custom_fields: nested too deeply');
    throw error;
  }
}
