/** Two teams, two keys: nothing of one is seen or touched by the other (api-v1 §5.4). */
import { expect, test } from 'vitest';
import { call, collectionOf, errorOf, names, sandboxFor } from './support.ts';

async function twoTeams() {
  const sandbox = await sandboxFor();
  const team = sandbox.control.addTeam({ name: 'Other', currency: 'eur' });
  const key = team.keys[0]?.secret ?? '';
  const ours = sandbox.control.insertItems([{ name: 'Ours', status: 'sell' }])[0] ?? '';
  const theirs = sandbox.control.insertItems([{ name: 'Theirs', status: 'trade' }], team.id)[0] ?? '';
  return { sandbox, team, key, ours, theirs };
}

test('an item of another team is refused in the same words as an unknown item', async () => {
  const { sandbox, key, ours, theirs } = await twoTeams();
  const never = '11111111-2222-4333-8444-555555555555';
  for (const [secret, id] of [
    [sandbox.key, theirs],
    [key, ours],
  ] as const) {
    for (const [method, sent] of [
      ['GET', {}],
      ['PATCH', { body: { name: 'Stolen' } }],
    ] as const) {
      const foreign = await call(sandbox, method, `/items/${id}`, { key: secret, ...sent });
      const nobodys = await call(sandbox, method, `/items/${never}`, { key: secret, ...sent });
      expect(foreign.status).toBe(404);
      expect(foreign.text.replace(id, never)).toBe(nobodys.text);
    }
  }
  expect(sandbox.control.items().map(({ name }) => name)).toEqual(['Ours']);
  expect(sandbox.control.items(2).map(({ name }) => name)).toEqual(['Theirs']);
});

test('a collection of another team is refused in the same words as an unknown collection', async () => {
  const { sandbox, key, theirs } = await twoTeams();
  const never = '11111111-2222-4333-8444-555555555555';
  const ours = collectionOf(sandbox);
  const create = (id: string) =>
    call(sandbox, 'POST', '/items', { key, body: { collection_id: id, name: 'x' } });
  const move = (id: string) =>
    call(sandbox, 'PATCH', `/items/${theirs}`, { key, body: { collection_id: id } });
  for (const write of [create, move]) {
    const foreign = await write(ours);
    expect(foreign.status).toBe(400);
    expect(errorOf(foreign).type).toBe('invalid_request');
    expect(foreign.text.replace(ours, never)).toBe((await write(never)).text);
  }
});

test('lists, listings, collections and counts contain only the data of the team', async () => {
  const { sandbox, team, key } = await twoTeams();
  sandbox.control.addCollection('Attic', { team: team.id });
  expect(names(await call(sandbox, 'GET', '/items'))).toEqual(['Ours']);
  expect(names(await call(sandbox, 'GET', '/items', { key }))).toEqual(['Theirs']);
  expect(names(await call(sandbox, 'GET', '/items?status=sell', { key }))).toEqual([]);
  expect(names(await call(sandbox, 'GET', '/marketplace/listings', { key }))).toEqual(['Theirs']);
  expect(names(await call(sandbox, 'GET', '/collections'))).toEqual(['Main']);
  expect(names(await call(sandbox, 'GET', '/collections', { key }))).toEqual(['Attic', 'Main']);
  expect(sandbox.control.counts().items).toEqual({ 1: 1, 2: 1 });
});

test('the currency of an item is that of its team', async () => {
  const { sandbox, key } = await twoTeams();
  const body = { collection_id: collectionOf(sandbox, 1), name: 'x' };
  expect((await call(sandbox, 'POST', '/items', { key, body })).json?.['currency']).toBe('eur');
});
