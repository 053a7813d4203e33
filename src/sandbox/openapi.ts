/**
 * The sandbox's own description of its API (OpenAPI 3.1), served at `/openapi.json`: made from the schemas that
 * read its requests, so that it says what this server does.
 */
import { z } from 'zod';
import {
  API_PREFIX,
  Collection,
  CollectionList,
  ErrorEnvelope,
  Item,
  ItemCreate,
  ItemList,
  ItemUpdate,
  ListItemsQuery,
  PageQuery,
  Pagination,
  SalesSummary,
} from '../api/schemas.ts';
import { operations } from './operations.ts';
import type { OperationName } from './settings.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The contract's label of this description (api-v1 §9). */
const VERSION = '2026-06-01';

/** §7: for errors whose type the contract gives, this type is the only value. */
function errorOf(type: string) {
  return ErrorEnvelope.extend({ error: ErrorEnvelope.shape.error.extend({ type: z.literal(type) }) });
}

const SCHEMAS = {
  Item,
  Collection,
  SalesSummary,
  Pagination,
  ItemList,
  CollectionList,
  ItemCreate,
  ItemUpdate,
  ErrorEnvelope,
  InvalidRequestError: errorOf('invalid_request'),
  NotFoundError: errorOf('not_found'),
};
type SchemaName = keyof typeof SCHEMAS;

const ERRORS = {
  400: {
    name: 'InvalidRequest',
    schema: 'InvalidRequestError',
    description: 'Malformed request or bad parameter.',
  },
  401: { name: 'Unauthorized', schema: 'ErrorEnvelope', description: 'Missing or invalid API key.' },
  403: {
    name: 'Forbidden',
    schema: 'ErrorEnvelope',
    description: "The key lacks the scope, or a create is past the plan's limit (limit_reached).",
  },
  404: { name: 'NotFound', schema: 'NotFoundError', description: 'No resource with that id.' },
  429: { name: 'RateLimited', schema: 'ErrorEnvelope', description: "The key's rate limit is exceeded." },
} as const;

interface Described {
  query?: z.ZodObject;
  body?: SchemaName;
  success: 200 | 201;
  answer: SchemaName;
  errors: (keyof typeof ERRORS)[];
}

/** §4, and 400 for a bad page of every list, although the contract's lines of two lists do not contain it. */
const DESCRIBED: Record<OperationName, Described> = {
  listItems: { query: ListItemsQuery, success: 200, answer: 'ItemList', errors: [400, 401, 403, 429] },
  createItem: { body: 'ItemCreate', success: 201, answer: 'Item', errors: [400, 401, 403, 429] },
  getItem: { success: 200, answer: 'Item', errors: [401, 403, 404, 429] },
  updateItem: { body: 'ItemUpdate', success: 200, answer: 'Item', errors: [400, 401, 403, 404, 429] },
  listCollections: { query: PageQuery, success: 200, answer: 'CollectionList', errors: [400, 401, 403, 429] },
  listListings: { query: PageQuery, success: 200, answer: 'ItemList', errors: [400, 401, 403, 429] },
  getSalesSummary: { success: 200, answer: 'SalesSummary', errors: [401, 403, 429] },
};

let text: string | undefined;

/** The description as JSON text; created on first use. */
export function openapiText(): string {
  return (text ??= JSON.stringify(describeApi()));
}

function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, method, path, scope } of Object.values(operations)) {
    (paths[path] ??= {})[method.toLowerCase()] = describeOperation(name, path, scope);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Collection Inventory Public REST API: the reference server', version: VERSION },
    servers: [{ url: API_PREFIX }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      headers: { RequestId: { required: true, schema: { type: 'string', minLength: 1 } } },
      responses: Object.fromEntries(
        Object.values(ERRORS).map(({ name, schema, description }) => [name, response(description, schema)]),
      ),
      schemas: describeSchemas(),
    },
  };
}

function describeOperation(name: OperationName, path: string, scope: string): object {
  const { query, body, success, answer, errors } = DESCRIBED[name];
  const parameters = [
    ...(path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: plain(Item.shape.id) }]
      : []),
    ...Object.entries(query?.shape ?? {}).map(([parameter, schema]) => ({
      name: parameter,
      in: 'query',
      required: false,
      schema: plain(schema),
    })),
  ];
  return {
    operationId: name,
    security: [{ apiKey: [scope] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      [success]: response('Done.', answer),
      ...Object.fromEntries(
        errors.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status].name}` }]),
      ),
    },
  };
}

function response(description: string, schema: SchemaName): object {
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: json(schema),
  };
}

function json(schema: SchemaName): object {
  return { 'application/json': { schema: { $ref: schemaUri(schema) } } };
}

function schemaUri(name: string): string {
  return `#/components/schemas/${name}`;
}

function describeSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...OPTIONS, uri: schemaUri });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema)]));
}

function plain(schema: z.core.$ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, OPTIONS));
}

const OPTIONS = {
  io: 'input',
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    // zod's bounds of what a double holds exactly are none of the contract's.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // The format says it already.
    if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
    // Names of properties are always strings.
    delete jsonSchema.propertyNames;
  },
} as const;

/** Within one document, a schema is identified by its place. */
function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
