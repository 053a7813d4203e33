/** A data file: a sandbox that is started again goes on where the last one was. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { call, collectionOf, sandboxFor } from './support.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('teams, keys, collections, items and sales survive a restart', async () => {
  const dataFile = join(folder, 'whole.sqlite');
  const first = await startSandbox({ dataFile, seed: 3, seedItems: 40 });
  const team = first.control.addTeam({ name: 'Other', currency: 'eur' });
  const { secret } = first.control.addKey(['items:read'], team.id);
  first.control.addCollection('Attic', { team: team.id });
  first.control.insertItems([{ name: 'Theirs' }], team.id);
  await call(first, 'POST', '/items', { body: { collection_id: collectionOf(first), name: 'Ours' } });
  const sales = await call(first, 'GET', '/sales/summary');
  const before = {
    teams: structuredClone(first.teams),
    items: first.control.items(),
    theirs: first.control.items(2),
  };
  await first.close();

  const again = await sandboxFor({ dataFile, seed: 99, planLimit: 41, order: 'updated' });
  const keys = (list: typeof again.teams) => list.map((one) => ({ ...one, keys: new Set(one.keys) }));
  expect(keys(again.teams)).toEqual(keys(before.teams));
  expect(new Set(again.control.items())).toEqual(new Set(before.items));
  expect(again.control.items(2)).toEqual(before.theirs);
  expect((await call(again, 'GET', '/items', { key: secret })).status).toBe(200);
  expect((await call(again, 'GET', '/collections', { key: secret })).status).toBe(403);
  const later = await call(again, 'GET', '/sales/summary');
  expect(Number(later.json?.['completed_count'])).toBeGreaterThanOrEqual(
    Number(sales.json?.['completed_count']),
  );
  expect(later.text).not.toBe(sales.text);
  // 40 and one: the count was taken from the file.
  const body = { collection_id: collectionOf(again), name: 'One too many' };
  expect((await call(again, 'POST', '/items', { body })).status).toBe(403);
});

test('a revoked key stays revoked after a restart', async () => {
  const dataFile = join(folder, 'revoked.sqlite');
  const first = await startSandbox({ dataFile });
  const { secret } = first.control.addKey();
  first.control.revokeKey(secret);
  await first.close();
  const again = await sandboxFor({ dataFile });
  expect((await call(again, 'GET', '/items', { key: secret })).status).toBe(401);
});

test('answered writes survive a kill', async () => {
  const dataFile = join(folder, 'killed.sqlite');
  const module = pathToFileURL(join(import.meta.dirname, '../../src/sandbox/sandbox.ts')).href;
  const program = `
    const { startSandbox } = await import(${JSON.stringify(module)});
    const sandbox = await startSandbox({ dataFile: ${JSON.stringify(dataFile)} });
    console.log(JSON.stringify({ url: sandbox.url, collection: sandbox.teams[0].collections[0].id, key: sandbox.key }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, collection, key } = JSON.parse(line.toString()) as Record<string, string>;
  for (let index = 0; index < 20; index += 1) {
    const answer = await fetch(`${url}/api/public/v1/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ collection_id: collection, name: `Toy ${index}` }),
    });
    expect(answer.status).toBe(201);
    await answer.text();
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = await sandboxFor({ dataFile });
  expect(again.control.items().map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Toy ${19 - index}`),
  );
});

describe('the sandbox refuses a data file', () => {
  test('that another sandbox uses', async () => {
    const dataFile = join(folder, 'used.sqlite');
    const first = await sandboxFor({ dataFile });
    await call(first, 'GET', '/items');
    await expect(startSandbox({ dataFile })).rejects.toMatchObject({ code: 'sandbox_file_in_use' });
    expect((await call(first, 'GET', '/items')).status).toBe(200);
  });

  test('of another program', async () => {
    const dataFile = join(folder, 'foreign.sqlite');
    const foreign = new DatabaseSync(dataFile);
    foreign.exec('CREATE TABLE notes (text TEXT)');
    foreign.close();
    await expect(startSandbox({ dataFile })).rejects.toMatchObject({ code: 'not_a_sandbox_file' });
  });

  test('of a newer version', async () => {
    const dataFile = join(folder, 'newer.sqlite');
    await (await startSandbox({ dataFile })).close();
    const file = new DatabaseSync(dataFile);
    file.exec('PRAGMA user_version = 99');
    file.close();
    await expect(startSandbox({ dataFile })).rejects.toMatchObject({ code: 'sandbox_file_newer' });
  });

  test('that is not a database, or whose folder is missing', async () => {
    const dataFile = join(folder, 'text.sqlite');
    writeFileSync(dataFile, 'name,brand\nRacer,Kestrel\n'.repeat(100));
    await expect(startSandbox({ dataFile })).rejects.toMatchObject({ code: 'sandbox_file_unusable' });
    await expect(startSandbox({ dataFile: join(folder, 'no', 'where.sqlite') })).rejects.toMatchObject({
      code: 'sandbox_file_unusable',
    });
  });
});

test('a port in use is reported', async () => {
  const first = await sandboxFor();
  await expect(startSandbox({ port: first.port })).rejects.toMatchObject({ code: 'port_in_use' });
});
