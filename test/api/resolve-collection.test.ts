import { expect, test } from 'vitest';
import { loadCollections } from '../../src/api/load-collections.ts';
import { resolveCollection } from '../../src/api/resolve-collection.ts';
import { english } from '../../src/messages/message.ts';
import type { Collection } from '../../src/api/schemas.ts';

const ID_A = '6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a11';
const ID_B = '6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a22';
const ID_C = '6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a33';

function collection(id: string, name: string): Collection {
  return {
    object: 'collection',
    id,
    name,
    is_public: false,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

const team = [collection(ID_A, 'Main Shelf'), collection(ID_B, 'Attic'), collection(ID_C, 'attic')];

test.each([
  ['an id', ID_B, ID_B],
  ['an id in capitals', ID_B.toUpperCase(), ID_B],
  ['an exact name, although another differs only in case', 'attic', ID_C],
  ['a name with other case and spaces', ' main  shelf ', ID_A],
])('a collection is found by %s', (_what, reference, id) => {
  expect(resolveCollection(team, reference)).toEqual({ id });
});

test('an id is preferred to a collection with the same name', () => {
  expect(resolveCollection([collection(ID_A, ID_B), collection(ID_B, 'x')], ID_B)).toEqual({ id: ID_B });
});

/** A problem in words. */
function told(collections: readonly Collection[], wanted: string) {
  const found = resolveCollection(collections, wanted);
  return 'said' in found ? { code: found.code, problem: english(found.said) } : found;
}

test('an unknown or ambiguous collection is a problem that lists the existing collections', () => {
  expect(told(team, 'Cellar')).toEqual({
    code: 'unknown_collection',
    problem: `There is no collection "Cellar". Choose a collection: Main Shelf, Attic, attic.`,
  });
  expect(told(team, 'Main Shlef')).toMatchObject({
    problem:
      'There is no collection "Main Shlef". Did you mean "Main Shelf"? Choose a collection: Main Shelf, Attic, attic.',
  });
  expect(told(team, 'ATTIC')).toEqual({
    code: 'ambiguous_collection',
    problem: `2 collections are called "ATTIC"; name one by its id: ${ID_B} ("Attic"), ${ID_C} ("attic").`,
  });
  expect(told([collection(ID_A, 'Twin'), collection(ID_B, 'Twin')], 'Twin')).toMatchObject({
    problem: expect.stringContaining('2 collections are called "Twin"') as string,
  });
  expect(told([], 'Cellar')).toEqual({
    code: 'unknown_collection',
    problem: 'There is no collection "Cellar". The team has no collections.',
  });
});

test('a long list of collections is truncated', () => {
  const many = Array.from({ length: 25 }, (_, index) =>
    collection(`6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1b${index + 10}`, `Shelf ${index}`),
  );
  expect(told(many, 'Cellar')).toMatchObject({
    problem: expect.stringMatching(/Shelf 19 and 5 more\.$/) as string,
  });
});

test('a collection that moves to the next page while the list is read is one collection', async () => {
  const collections = async function* () {
    yield* [...team, team[2]!];
  };
  const loaded = await loadCollections({ collections }, new AbortController().signal);
  expect(resolveCollection(loaded ?? [], 'attic')).toEqual({ id: ID_C });
});
