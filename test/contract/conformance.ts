/**
 * Holds recorded exchanges against a description: strictly, so that what the description does not name is a
 * problem. Schemas are judged by @hyperjump/json-schema, in OpenAPI 3.1's own dialect.
 */
import {
  registerSchema,
  type SchemaObject,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
  type Validator,
} from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/formats';
import {
  child,
  children,
  isTree,
  type OperationPlace,
  operationsOf,
  type Place,
  prefixOf,
  root,
  type Tree,
} from './description.ts';
import type { Exchange } from './recorder.ts';

const DIALECT = 'https://spec.openapis.org/oas/3.1/schema-base';

/** Formats are annotations by default (JSON Schema 2020-12 §7.2.1); here a wrong one is a problem. */
setShouldValidateFormat(true);

/** What is wrong with an exchange; empty lists where all is right. */
export interface Verdict {
  /** undefined where the description has no such operation. */
  operation: string | undefined;
  request: string[];
  answer: string[];
}

export interface Conformance extends Disposable {
  check(exchange: Exchange): Promise<Verdict>;
}

/** Problems of the description itself under OpenAPI's own schema; empty where it is a right one. */
export async function problemsOfDescription(description: Tree): Promise<string[]> {
  const output = await validate(DIALECT, description as SchemaObject, 'BASIC');
  return output.valid
    ? []
    : (output.errors ?? []).map((error) => `${error.instanceLocation}: ${error.absoluteKeywordLocation}`);
}

let descriptions = 0;

/**
 * @param scopes what each key of the traffic may do, by its secret
 */
export function createConformance(
  description: Tree,
  scopes: ReadonlyMap<string, readonly string[]>,
): Conformance {
  const uri = `https://description.test/${(descriptions += 1)}`;
  registerSchema(description as SchemaObject, uri, DIALECT);
  const validators = new Map<string, Promise<Validator>>();
  const operations = operationsOf(description);
  const prefix = prefixOf(description);

  /** Problems of a value under the schema at a place. */
  const judge = async (what: string, schema: Place | undefined, value: unknown): Promise<string[]> => {
    if (schema === undefined) return [`${what}: the description has no schema for it`];
    let compiling = validators.get(schema.pointer);
    if (compiling === undefined) {
      const fragment = schema.pointer.split('/').map(encodeURIComponent).join('/');
      compiling = validate(`${uri}#${fragment}`);
      validators.set(schema.pointer, compiling);
    }
    const output = (await compiling)(value as Parameters<Validator>[0], 'BASIC');
    if (output.valid) return [];
    return (output.errors ?? []).map((error) => {
      const rule = decodeURIComponent(error.absoluteKeywordLocation.replace(uri, ''));
      return `${what}${error.instanceLocation}: breaks ${rule}`;
    });
  };

  const content = async (
    what: string,
    holder: Place,
    type: string | undefined,
    text: string,
  ): Promise<string[]> => {
    const media = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const described = child(description, holder, 'content', media);
    if (described === undefined) return [`${what}: ${media || 'no type'} is no described content type`];
    const value = parsed(text);
    if (value === undefined) return [`${what}: is no JSON`];
    return judge(what, child(description, described, 'schema'), value);
  };

  const checkRequest = async (exchange: Exchange, operation: OperationPlace): Promise<string[]> => {
    const problems = checkKey(description, operation.place, exchange, scopes);
    const query = new URLSearchParams(exchange.query);
    const ids = pathValues(prefix, operation.path, exchange.path) ?? {};
    const declared = new Set<string>();
    for (const [, parameter] of children(description, child(description, operation.place, 'parameters'))) {
      const {
        name,
        in: where,
        required,
      } = parameter.value as { name: string; in: string; required: boolean };
      const values = where === 'query' ? query.getAll(name) : [ids[name] ?? ''];
      if (where === 'query') declared.add(name);
      const [value] = values;
      if (value === undefined) {
        if (required) problems.push(`parameter ${name}: missing`);
        continue;
      }
      if (values.length > 1) problems.push(`parameter ${name}: given ${values.length} times`);
      const schema = child(description, parameter, 'schema');
      problems.push(...(await judge(`parameter ${name}`, schema, fromText(value, schema))));
    }
    for (const name of query.keys()) {
      if (!declared.has(name)) problems.push(`parameter ${name}: not described`);
    }
    const body = child(description, operation.place, 'requestBody');
    if (body === undefined) {
      if (exchange.requestBody !== '') problems.push('body: none is described');
    } else {
      const type = exchange.requestHeaders['content-type'];
      problems.push(...(await content('body', body, type, exchange.requestBody)));
    }
    return problems;
  };

  const checkAnswer = async (exchange: Exchange, operation: OperationPlace): Promise<string[]> => {
    const response = child(description, operation.place, 'responses', String(exchange.status));
    if (response === undefined) return [`status ${exchange.status}: not described`];
    const problems: string[] = [];
    for (const [name, header] of children(description, child(description, response, 'headers'))) {
      const value = exchange.answerHeaders[name.toLowerCase()];
      if (value !== undefined) {
        problems.push(...(await judge(`header ${name}`, child(description, header, 'schema'), value)));
      } else if ((header.value as { required?: boolean }).required === true) {
        problems.push(`header ${name}: missing`);
      }
    }
    const type = exchange.answerHeaders['content-type'];
    problems.push(...(await content('answer', response, type, exchange.answer)));
    return problems;
  };

  return {
    async check(exchange) {
      const operation = operations.find(
        ({ method, path }) =>
          method.toUpperCase() === exchange.method && pathValues(prefix, path, exchange.path) !== undefined,
      );
      if (operation === undefined) {
        const problem = `${exchange.method} ${exchange.path}: not described`;
        return { operation: undefined, request: [problem], answer: [problem] };
      }
      return {
        operation: String((operation.place.value as Tree)['operationId']),
        request: await checkRequest(exchange, operation),
        answer: await checkAnswer(exchange, operation),
      };
    },
    [Symbol.dispose]: () => unregisterSchema(uri),
  };
}

/**
 * A copy in which objects that say nothing of further properties have none. Responses of this API are open
 * (api-v1 §9), so that a misspelt optional field would pass for an additive one; a server that is known to add
 * nothing is held to this copy.
 */
export function closed(description: Tree): Tree {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (!isTree(value)) return value;
    const copy: Tree = Object.fromEntries(Object.entries(value).map(([key, below]) => [key, close(below)]));
    if (copy['type'] === 'object' && copy['additionalProperties'] === undefined) {
      copy['additionalProperties'] = false;
    }
    return copy;
  };
  return { ...description, components: close(child(description, root(description), 'components')?.value) };
}

/** One security requirement, of an http bearer scheme: the key is there, and has the scopes that are listed. */
function checkKey(
  description: Tree,
  operation: Place,
  exchange: Exchange,
  scopes: ReadonlyMap<string, readonly string[]>,
): string[] {
  return children(description, child(description, operation, 'security', 0)).flatMap(([name, wanted]) => {
    const scheme = child(description, root(description), 'components', 'securitySchemes', name)?.value;
    if (!isTree(scheme) || scheme['type'] !== 'http' || scheme['scheme'] !== 'bearer') {
      return [`security: ${name} is no bearer scheme of the description`];
    }
    const secret = /^bearer +(\S+)$/i.exec(exchange.requestHeaders.authorization ?? '')?.[1] ?? '';
    const granted = scopes.get(secret);
    if (granted === undefined) return ['security: no valid key'];
    return (wanted.value as string[])
      .filter((scope) => !granted.includes(scope))
      .map((scope) => `security: the key lacks ${scope}`);
  });
}

/** The template's values in a path; undefined where the path is not of the template. */
function pathValues(prefix: string, template: string, path: string): Record<string, string> | undefined {
  const wanted = `${prefix}${template}`.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined && segment !== '') values[name] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return values;
}

/** A parameter's text as the type that its schema names; text that is no plain number stays text. */
function fromText(text: string, schema: Place | undefined): unknown {
  const type = isTree(schema?.value) ? schema.value['type'] : undefined;
  return type === 'integer' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
