/** An OpenAPI 3.1 description as a tree that is walked by JSON pointers, with its local references followed. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Tree = Record<string, unknown>;

/** A place in a description. */
export interface Place {
  /** JSON pointer, '' for the root. */
  readonly pointer: string;
  readonly value: unknown;
}

/** An operation and where it stands. */
export interface OperationPlace {
  readonly method: string;
  /** The template, such as `/items/{id}`. */
  readonly path: string;
  readonly place: Place;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The hand-written description. A fresh tree each time, so that a test may change its own. */
export function contractDescription(): Tree {
  return parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8')) as Tree;
}

export function root(description: Tree): Place {
  return { pointer: '', value: description };
}

/** What stands below a place, its reference followed; undefined where there is nothing. */
export function child(description: Tree, place: Place, ...keys: (string | number)[]): Place | undefined {
  let at: Place | undefined = place;
  for (const key of keys) {
    if (at === undefined || !isTree(at.value) || !Object.hasOwn(at.value, key)) return undefined;
    const segment = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
    at = follow(description, { pointer: `${at.pointer}/${segment}`, value: at.value[key] });
  }
  return at;
}

/** All that stands directly below a place, by key; nothing where the place is none. */
export function children(description: Tree, place: Place | undefined): [key: string, place: Place][] {
  if (place === undefined || !isTree(place.value)) return [];
  return Object.keys(place.value).map((key) => {
    const below = child(description, place, key);
    if (below === undefined) throw new Error(`Nothing stands at ${place.pointer}/${key}.`);
    return [key, below];
  });
}

export function operationsOf(description: Tree): OperationPlace[] {
  return children(description, child(description, root(description), 'paths')).flatMap(([path, item]) =>
    children(description, item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, place]) => ({ method, path, place })),
  );
}

/** The prefix of all paths: what the first server's address has after its host or variable. */
export function prefixOf(description: Tree): string {
  const url = String(child(description, root(description), 'servers', 0, 'url')?.value);
  return url.replace(/^(?:\{[^}]*\}|https?:\/\/[^/]*)/, '');
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

/** @throws Error where a reference leads nowhere */
function follow(description: Tree, place: Place): Place {
  const reference = isTree(place.value) ? place.value['$ref'] : undefined;
  if (typeof reference !== 'string') return place;
  if (!reference.startsWith('#/')) throw new Error(`${reference} is not a reference within the description.`);
  const keys = reference
    .slice(2)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = child(description, root(description), ...keys);
  if (found === undefined) throw new Error(`${reference} leads nowhere.`);
  return found;
}
