// Generates the OpenAPI 3.1 document of the current routes.
import type { Product } from 'agent-harness/plugins/storage';
import { leastRole } from '#lib/permits';
import { isForAll } from './access.ts';
import type { ReplySections } from './reply-sections.ts';
import { commandOf, type OwnedRoute } from './route-table.ts';

type Json = Record<string, unknown>;

/** Descriptions of the error statuses that every route may return. */
const failures = {
  '400': 'The request is invalid.',
  '401': 'The token is missing or invalid.',
  '403': 'The host, the origin, the permission or the plan does not allow it.',
  '404': 'The resource does not exist.',
  '402': 'A budget is used up.',
  '408': 'The request took too long to arrive.',
  '409': 'The current state does not allow the operation.',
  '410': 'The resource no longer exists.',
  '416': 'The requested range does not exist.',
  '413': 'The body, or a part of it, is too large.',
  '415': 'The body must be JSON.',
  '422': 'The setting is unknown or locked.',
  '429': 'Too many attempts.',
  '431': 'The headers are too large.',
  '500': 'An internal error occurred; see the server log.',
  '502': 'An upstream server failed.',
  '503': 'The server is not ready, or the feature is switched off.',
} as const;

/** Returns the OpenAPI document. @param replyOf returns the reply schema of a route including its sections */
export function describeRoutes(routes: readonly OwnedRoute[], replyOf: ReplySections['schemaOf'], product: Pick<Product, 'name' | 'title' | 'version'>): Json {
  const sorted = [...routes].sort((left, right) =>
    left.pattern < right.pattern ? -1 : left.pattern > right.pattern ? 1 : left.method < right.method ? -1 : 1,
  );
  const paths: Record<string, Json> = {};
  for (const one of sorted)
    (paths[one.pattern.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')] ??= {})[one.method.toLowerCase()] = describeRoute(one, replyOf(one.route));
  return {
    openapi: '3.1.0',
    info: { title: product.title, version: product.version },
    security: [{ bearer: [] }, { header: [] }, { query: [] }],
    tags: [...new Set(sorted.map((one) => one.route.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: `x-${product.name.toLowerCase()}-token` },
        query: { type: 'apiKey', in: 'query', name: 'authToken' },
      },
      schemas: { Error: errorSchema },
    },
  };
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' }, requestId: { type: 'string' } },
    },
  },
} as const;

function describeRoute({ method, pattern, owner, route }: OwnedRoute, reply: unknown): Json {
  const { params, query } = route.schema;
  const named = fieldsOf(query).map(([name, schema, required]) => ({ name, in: 'query', required, schema }));
  const parameters = [...pathParameters(pattern, params), ...named, ...freeFieldsOf(query)];
  const content = reply ? { 'application/json': { schema: plain(reply) } } : route.mediaType === undefined ? undefined : { [route.mediaType]: {} };
  const success = { description: 'The request succeeded.', ...(content ? { content } : {}) };
  const failed = Object.entries(failures).map(([status, description]) => [status, { description, content: errorContent }]);
  return {
    operationId: `${method.toLowerCase()}${pattern.replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary: route.summary,
    tags: [route.tag],
    'x-plugin': owner,
    'x-command': commandOf(route),
    ...(isForAll(route) ? {} : { 'x-role': leastRole(route.permission), ...(route.permission ? { 'x-permission': route.permission } : {}) }),
    ...(route.entitlement === undefined ? {} : { 'x-entitlement': route.entitlement }),
    ...(route.auth === 'open' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...describeBody(route),
    responses: {
      [String(route.status ?? 200)]: success,
      ...(route.mediaType !== undefined && !route.isRaw
        ? { '206': { ...success, description: 'The requested range.' }, '304': { description: 'The content has not changed.' } }
        : {}),
      ...(route.isPending ? { '202': { ...success, description: 'Accepted. The operation is carried out when no turn is running.' } } : {}),
      ...Object.fromEntries(failed),
    },
  };
}

function describeBody({ bodyKind = 'json', schema: { body } }: OwnedRoute['route']): Json {
  if (bodyKind === 'raw' || bodyKind === 'stream') return { requestBody: { content: { 'application/octet-stream': {} } } };
  if (!body) return {};
  const content = { schema: plain(body) };
  return {
    requestBody: { required: true, content: { 'application/json': content, ...(bodyKind === 'form' ? { 'application/x-www-form-urlencoded': content } : {}) } },
  };
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

function pathParameters(pattern: string, params: unknown): Json[] {
  const declared = new Map(fieldsOf(params).map(([name, schema]) => [name, schema]));
  const names = [...pattern.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  return [...names, ...(pattern.endsWith('*') ? ['path'] : [])].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: declared.get(name) ?? { type: 'string' },
  }));
}

function fieldsOf(schema: unknown): [name: string, schema: unknown, required: boolean][] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: readonly string[] };
  return Object.entries(properties).map(([name, field]) => [name, plain(field), required.includes(name)]);
}

/** Returns the parameter that stands for query fields of any name. */
function freeFieldsOf(query: unknown): Json[] {
  const { additionalProperties: free } = (query ?? {}) as { additionalProperties?: unknown };
  if (typeof free !== 'object' || free === null) return [];
  const schema = { type: 'object', additionalProperties: plain(free) };
  return [{ name: 'parameters', in: 'query', required: false, style: 'form', explode: true, schema }];
}

/** Removes TypeBox's symbol keys. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema));
}
