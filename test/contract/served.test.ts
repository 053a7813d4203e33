/** The description that the sandbox serves, made from the zod schemas, against the one written by hand. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { differences } from './compare.ts';
import { problemsOfDescription } from './conformance.ts';
import { contractDescription, isTree, type Tree } from './description.ts';

const NAMES: [string, string] = ['the contract', 'the sandbox'];
/** The one thing in which the sandbox goes beyond the contract's lines: a bad page is a bad parameter (§7). */
const BEYOND = /^GET \/(?:collections|marketplace\/listings) 400.*: only in the sandbox/;

let sandbox: Sandbox;
let served: Tree;
let requestId: string | string[] | undefined;

beforeAll(async () => {
  sandbox = await startSandbox();
  const answer = await request(`${sandbox.url}/openapi.json`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  requestId = answer.headers['x-request-id'];
  served = (await answer.body.json()) as Tree;
});
afterAll(() => sandbox.close());

test('the contract is served without a key, has a request id, and does not count as a request to the API', () => {
  expect(requestId).toMatch(/^req_/);
  expect(sandbox.control.counts().requests).toBe(0);
});

test('the served contract is a valid OpenAPI 3.1 description', async () => {
  expect(await problemsOfDescription(served)).toEqual([]);
});

test('the served contract means the same as the handwritten one', () => {
  const found = differences(contractDescription(), served, NAMES);
  expect(found.filter((line) => !BEYOND.test(line))).toEqual([]);
  expect(found.filter((line) => / 400: /.test(line))).toEqual([
    'GET /collections 400: only in the sandbox (described)',
    'GET /marketplace/listings 400: only in the sandbox (described)',
  ]);
});

/** The tree at a path of keys. */
function at(tree: unknown, ...keys: (string | number)[]): Tree {
  const found = keys.reduce<unknown>((below, key) => (isTree(below) ? below[key] : undefined), tree);
  if (!isTree(found)) throw new Error(`Nothing at ${keys.join(' ')}.`);
  return found;
}

const schema = (tree: Tree, name: string): Tree => at(tree, 'components', 'schemas', name);
const property = (tree: Tree, name: string, field: string): Tree =>
  at(schema(tree, name), 'properties', field);

describe('a change to either description is detected', () => {
  const changes: [what: string, change: (tree: Tree) => unknown, line: RegExp][] = [
    ['a path', (tree) => delete at(tree, 'paths')['/collections'], /^GET \/collections: only in the sandbox/],
    ['a method', (tree) => delete at(tree, 'paths', '/items')['post'], /^POST \/items: only in the sandbox/],
    [
      'an additional operation',
      (tree) => (at(tree, 'paths', '/items')['delete'] = { responses: {} }),
      /^DELETE /,
    ],
    ['a scope', (tree) => (at(tree, 'paths', '/items', 'get', 'security', 0)['apiKey'] = []), /security/],
    ['a status', (tree) => delete at(tree, 'paths', '/items/{id}', 'get', 'responses')['404'], /^GET .* 404/],
    ['the prefix', (tree) => (at(tree, 'servers', 0)['url'] = '/api/public/v2'), /^prefix: /],
    ['the version', (tree) => (at(tree, 'info')['version'] = '1'), /^version: /],
    [
      'a parameter',
      (tree) => (at(tree, 'paths', '/items', 'get')['parameters'] = []),
      /^GET \/items query per_page maximum: only in the sandbox \(100\)/,
    ],
    [
      "a parameter's bound",
      (tree) => (at(tree, 'components', 'parameters', 'PerPage', 'schema')['maximum'] = 99),
      /query per_page maximum: 99 in the contract, 100 in the sandbox/,
    ],
    [
      "a parameter's default",
      (tree) => (at(tree, 'components', 'parameters', 'PerPage', 'schema')['default'] = 10),
      /query per_page default: 10 in/,
    ],
    [
      'a header',
      (tree) => (at(tree, 'components', 'headers', 'RequestId')['required'] = false),
      /X-Request-Id: opt/,
    ],
    [
      'a required field',
      (tree) => (schema(tree, 'ItemCreate')['required'] = ['name']),
      /collection_id: optional in/,
    ],
    [
      'a field',
      (tree) => delete at(schema(tree, 'SalesSummary'), 'properties')['fee_cents'],
      /fee_cents: only/,
    ],
    [
      'a type',
      (tree) => (property(tree, 'Item', 'tags')['items'] = { type: 'integer' }),
      /tags\[\] type: integer/,
    ],
    [
      'a null',
      (tree) => (property(tree, 'ItemUpdate', 'brand')['type'] = 'string'),
      /brand null: not allowed in the contract, allowed in the sandbox/,
    ],
    [
      'a null that was not allowed',
      (tree) => (property(tree, 'ItemUpdate', 'tags')['type'] = ['array', 'null']),
      /tags null/,
    ],
    ['a value of an enum', (tree) => (schema(tree, 'Status')['enum'] = ['keep']), /status enum: "keep" in/],
    ['a constant', (tree) => (property(tree, 'Item', 'object')['const'] = 'toy'), /object enum: "toy" in/],
    [
      'a length',
      (tree) => (property(tree, 'ItemCreate', 'name')['maxLength'] = 254),
      /name maxLength: 254 in/,
    ],
    [
      'a minimum length',
      (tree) => delete property(tree, 'ItemCreate', 'name')['minLength'],
      /name minLength: only/,
    ],
    [
      'a year',
      (tree) => (property(tree, 'ItemUpdate', 'release_year')['minimum'] = 1969),
      /minimum: 1969 in/,
    ],
    ['a value', (tree) => (property(tree, 'ItemUpdate', 'estimated_value')['minimum'] = 1), /minimum: 1 in/],
    [
      'a format',
      (tree) => delete property(tree, 'Item', 'created_at')['format'],
      /created_at format: only in/,
    ],
    [
      'further properties',
      (tree) => delete schema(tree, 'ItemCreate')['additionalProperties'],
      /further properties: open/,
    ],
    [
      'the smallest update',
      (tree) => delete schema(tree, 'ItemUpdate')['minProperties'],
      /minProperties: only/,
    ],
    [
      "a create's default",
      (tree) => delete property(tree, 'ItemCreate', 'status')['default'],
      /status default: only/,
    ],
  ];
  test.each(changes)('%s', (_what, change, line) => {
    const changed = contractDescription();
    change(changed);
    const found = differences(changed, served, NAMES).filter((text) => !BEYOND.test(text));
    expect(found.some((text) => line.test(text))).toBe(true);
  });

  test('even if it has a keyword that the comparison does not know', () => {
    const changed = contractDescription();
    property(changed, 'ItemCreate', 'name')['minLenght'] = 1;
    expect(() => differences(changed, served, NAMES)).toThrow(/does not know minLenght/);
  });
});
