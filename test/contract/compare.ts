/**
 * Two descriptions compared by what they mean. Each is taken apart into facts, a line each, that do not depend on
 * how it is written: references or not, `anyOf` with null or a list of types, `const` or an `enum` of one.
 */
import {
  child,
  children,
  isTree,
  operationsOf,
  type Place,
  prefixOf,
  root,
  type Tree,
} from './description.ts';

/** Where, and what is so there. */
type Facts = Map<string, string>;

/** What the two do not agree on, a readable line each, sorted; empty where they mean the same. */
export function differences(one: Tree, other: Tree, names: [one: string, other: string]): string[] {
  const [left, right] = [factsOf(one), factsOf(other)];
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((where) => {
    const [a, b] = [left.get(where), right.get(where)];
    if (a === b) return [];
    if (b === undefined) return [`${where}: only in ${names[0]} (${a})`];
    if (a === undefined) return [`${where}: only in ${names[1]} (${b})`];
    return [`${where}: ${a} in ${names[0]}, ${b} in ${names[1]}`];
  });
}

function factsOf(description: Tree): Facts {
  const facts: Facts = new Map();
  facts.set('version', String(child(description, root(description), 'info', 'version')?.value));
  facts.set('prefix', prefixOf(description));
  for (const { method, path, place } of operationsOf(description)) {
    const where = `${method.toUpperCase()} ${path}`;
    const operation = place.value as Tree;
    facts.set(where, String(operation['operationId']));
    facts.set(`${where} security`, securityOf(description, operation));
    for (const [, parameter] of children(description, child(description, place, 'parameters'))) {
      const { name, in: location, required } = parameter.value as Tree;
      const at = `${where} ${String(location)} ${String(name)}`;
      facts.set(at, presence(required === true));
      addSchema(facts, description, at, child(description, parameter, 'schema'));
    }
    const body = child(description, place, 'requestBody');
    if (body !== undefined) {
      facts.set(`${where} body`, presence((body.value as Tree)['required'] === true));
      addContent(facts, description, `${where} body`, body);
    }
    for (const [status, response] of children(description, child(description, place, 'responses'))) {
      const at = `${where} ${status}`;
      facts.set(at, 'described');
      for (const [name, header] of children(description, child(description, response, 'headers'))) {
        facts.set(`${at} header ${name}`, presence((header.value as Tree)['required'] === true));
        addSchema(facts, description, `${at} header ${name}`, child(description, header, 'schema'));
      }
      addContent(facts, description, at, response);
    }
  }
  return facts;
}

function addContent(facts: Facts, description: Tree, where: string, holder: Place): void {
  for (const [type, media] of children(description, child(description, holder, 'content'))) {
    addSchema(facts, description, `${where} ${type}`, child(description, media, 'schema'));
  }
}

function securityOf(description: Tree, operation: Tree): string {
  const requirements = (operation['security'] ?? []) as Record<string, string[]>[];
  return requirements
    .flatMap((requirement) => Object.entries(requirement))
    .map(([name, scopes]) => {
      const scheme = child(description, root(description), 'components', 'securitySchemes', name)?.value;
      return `${JSON.stringify(scheme)} ${scopes.join(' ')}`;
    })
    .join(' or ');
}

const BOUNDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minProperties',
  'format',
  'pattern',
  'default',
];
/** All that may stand in a schema here: a keyword that this comparison would overlook is an error. */
const KNOWN = [
  ...BOUNDS,
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
];

function addSchema(facts: Facts, description: Tree, where: string, place: Place | undefined): void {
  if (place === undefined || !isTree(place.value)) throw new Error(`${where} has no schema.`);
  const { place: core, nullable } = withoutNull(description, place);
  const schema = core.value as Tree;
  const unknown = Object.keys(schema).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw new Error(`${where}: the comparison does not know ${unknown}.`);

  const types = ([schema['type'] ?? []].flat() as string[]).filter((type) => type !== 'null');
  facts.set(`${where} type`, types.sort((a, b) => a.localeCompare(b)).join('|'));
  facts.set(`${where} null`, nullable ? 'allowed' : 'not allowed');
  for (const bound of BOUNDS) {
    if (schema[bound] !== undefined) facts.set(`${where} ${bound}`, JSON.stringify(schema[bound]));
  }
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  if (Array.isArray(values)) {
    const texts = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
    facts.set(`${where} enum`, texts.sort().join(' '));
  }
  if (types.includes('object')) {
    facts.set(`${where} further properties`, schema['additionalProperties'] === false ? 'refused' : 'open');
    const required = (schema['required'] ?? []) as string[];
    for (const [name, property] of children(description, child(description, core, 'properties'))) {
      facts.set(`${where}.${name}`, presence(required.includes(name)));
      addSchema(facts, description, `${where}.${name}`, property);
    }
  }
  if (types.includes('array')) {
    addSchema(facts, description, `${where}[]`, child(description, core, 'items'));
  }
}

/** `anyOf` of something and null, a list of types with null: the something, and that null is allowed. */
function withoutNull(description: Tree, place: Place): { place: Place; nullable: boolean } {
  const schema = place.value as Tree;
  if (schema['anyOf'] === undefined) {
    const nullable = [schema['type']].flat().includes('null');
    const values = schema['enum'];
    if (nullable && Array.isArray(values) && !values.includes(null)) {
      throw new Error(`${place.pointer}: null is among the types and not among the values.`);
    }
    return { place, nullable };
  }
  const options = children(description, child(description, place, 'anyOf')).map(([, option]) => option);
  const others = options.filter(({ value }) => (value as Tree)['type'] !== 'null');
  const [only] = others;
  if (only === undefined || others.length > 1 || Object.keys(schema).length > 1) {
    throw new Error(`${place.pointer}: the comparison knows anyOf only for a schema or null.`);
  }
  return { place: only, nullable: options.length > others.length };
}

function presence(required: boolean): string {
  return required ? 'required' : 'optional';
}
