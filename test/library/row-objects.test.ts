import { expect, it } from 'vitest';
import { open } from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox.ts';

class Toy {
  readonly #title: string;
  constructor(title: string) {
    this.#title = title;
  }
  get title(): string {
    return this.#title;
  }
}

it.each<[string, (title: string) => object]>([
  ['plain objects', (title) => ({ title })],
  ['objects of a class', (title) => new Toy(title)],
  ['maps', (title) => new Map([['title', title]])],
  ['objects with a method', (title) => ({ read: () => title })],
])('the same rows of a program are the same import, and other rows another one: %s', async (_, make) => {
  await using sandbox = await startSandbox();
  await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
  const titleOf = (toy: object): string =>
    toy instanceof Map
      ? (toy.get('title') as string)
      : 'read' in toy
        ? (toy.read as () => string)()
        : (toy as Toy).title;
  const send = async (titles: string[]) => {
    const map = (toy: object) => ({ name: titleOf(toy) });
    const rows = titles.map(make);
    const options = { collection: 'Main', mapVersion: '1', map, results: false as const };
    return (await shelf.import({ rows, name: 'nightly' }, options)).state;
  };
  const states = [];
  for (const titles of [
    ['Robot', 'Car'],
    ['Robot', 'Car'],
    ['Boat', 'Kite'],
  ])
    states.push(await send(titles));
  expect(states).toEqual(['done', 'already_applied', 'done']);
  const names = sandbox.control.items().map(({ name }) => name);
  expect(names.sort()).toEqual(['Boat', 'Car', 'Kite', 'Robot']);
});

it('numbers and booleans among the defaults keep their type in custom fields', async () => {
  await using sandbox = await startSandbox();
  await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
  const defaults = { 'custom_fields.box': 5, 'custom_fields.old': true, 'custom_fields.sku': '007' };
  const rows = [{ name: 'Robot' }, { name: 'Car', 'custom_fields.box': 6 }];
  await shelf.import({ rows, name: 'toys' }, { collection: 'Main', results: false, defaults });
  expect(sandbox.control.items().map((item) => item.custom_fields)).toEqual([
    { box: 6, old: true, sku: '007' },
    { box: 5, old: true, sku: '007' },
  ]);
});
