// Parses and validates the input of a request, with a parser for each kind of body and a validator compiler that compiles on first use.
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySchemaCompiler } from 'fastify';
import { messageOf } from '#lib/errors';
import { createSchemaCompiler } from '#lib/foreign-schema';
import { isNestedDeeper, maxJsonDepth, wellFormedJson } from '#lib/json-text';
import { isRecord } from '#lib/values';
import type { BodyKind, Route } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import { isDeclared, withoutToken } from './credentials.ts';
import type { MakeError } from './errors.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const maxFormFields = 1_000;

export const bodyKinds: readonly BodyKind[] = ['json', 'form', 'raw', 'stream', 'json-stream'];

/** Adds the content type parsers to an instance with the routes of one kind of body. */
export function addParsers(app: FastifyInstance, kind: BodyKind, makeError: MakeError): void {
  const invalid = (rule: string, why: string): Error => makeError('INVALID_REQUEST', { pointer: '', rule, why });
  app.removeAllContentTypeParsers();
  if (kind === 'raw') app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  if (kind === 'stream' || kind === 'json-stream')
    app.addContentTypeParser('*', (request, payload, done) => done(null, limited(payload, request.routeOptions.bodyLimit, makeError)));
  if (kind !== 'json' && kind !== 'form') return;
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(json, { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (isNestedDeeper(body as string, maxJsonDepth)) done(invalid('depth', `the body is nested more than ${maxJsonDepth} levels deep.`));
    else void parseJson(request, wellFormedJson(body as string), done);
  });
  if (kind === 'json') return;
  app.addContentTypeParser(form, { parseAs: 'string' }, (_, body, done) => {
    const fields = { ...parse(body as string, '&', '=', { maxKeys: maxFormFields }) };
    if (Object.hasOwn(fields, '__proto__')) done(invalid('form', "the body contains the field name '__proto__', which is not allowed."));
    else done(null, fields);
  });
}

/** Passes the bytes through, and fails beyond the limit. Bytes that the handler does not read are discarded, because the reply would otherwise be lost. */
function limited(payload: Readable, limit: number, makeError: MakeError): Readable {
  async function* count(): AsyncGenerator<Buffer> {
    let bytes = 0;
    try {
      for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.byteLength;
        if (bytes > limit) throw makeError('TOO_LARGE', { limit });
        yield chunk;
      }
    } finally {
      payload.resume();
    }
  }
  return Readable.from(count());
}

/**
 * Returns whether the content type fits the route. A request that changes state must be JSON unless the route declares another kind of body, because a foreign
 * page cannot send JSON without a preflight. A DELETE without a body needs no type.
 */
export function hasContentType({ bodyKind = 'json' }: Route, { method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || bodyKind === 'raw' || bodyKind === 'stream') return true;
  const hasNoBody = headers['content-length'] === undefined ? headers['transfer-encoding'] === undefined : headers['content-length'] === '0';
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (method === 'DELETE' && hasNoBody && type === undefined) return true;
  return type === json || (bodyKind === 'form' && type === form);
}

/** Name of the body field that clients may send in the query instead. */
const chatField = 'chatId';

/** Prepares the input for validation: removes the token from the query, adds an empty body to a request that has none, and takes `chatId` from the query. */
export function completeInput(request: FastifyRequest, { schema, bodyKind }: Route): void {
  request.params = { ...(request.params as object) };
  const query = withoutToken(request.query as Record<string, unknown>, schema.query);
  request.query = query;
  if (request.body === undefined) request.body = bodyKind === 'raw' ? Buffer.alloc(0) : isStream(bodyKind) ? Readable.from([]) : {};
  const { body } = request;
  const isAsked = query[chatField] !== undefined && isDeclared(chatField, schema.body) && !isDeclared(chatField, schema.query);
  if (isAsked && isRecord(body) && body[chatField] === undefined) request.body = { ...body, [chatField]: query[chatField] };
}

const isStream = (kind: BodyKind | undefined): boolean => kind === 'stream' || kind === 'json-stream';
const noFields = { type: 'object', additionalProperties: false };

/**
 * Returns the schemas of a route in fastify's format. Each schema is wrapped in `rule`, because fastify interprets keys such as `content`, and a plugin's
 * schema may have any key; the validator compiler unwraps it. A JSON route without a body schema accepts no body; a raw route reads the body itself.
 */
export function schemasOf({ schema, bodyKind = 'json', isRaw, key }: Route): FastifySchema {
  const body = key.startsWith('GET ') || bodyKind === 'raw' || isStream(bodyKind) ? undefined : (schema.body ?? (isRaw ? undefined : noFields));
  const rule = body && { rule: body };
  return {
    ...(schema.params ? { params: { rule: schema.params } } : {}),
    ...(schema.query ? { querystring: { rule: schema.query } } : {}),
    ...(rule ? { body: bodyKind === 'form' ? { content: { [json]: { schema: rule }, [form]: { schema: rule } } } : rule } : {}),
  };
}

export interface Validation {
  /** Compiles each schema when it checks its first value. The checks add defaults to values in place. */
  readonly compiler: FastifySchemaCompiler<{ readonly rule: object }>;
  /** Compiles the schemas of a route immediately. */
  prepare(schemas: Route['schema']): void;
}

/** Creates the request validator. @param regExp runs the patterns of schemas */
export function createValidation(regExp: LimitedPatterns, makeError: MakeError): Validation {
  const options: Options = { useDefaults: true, allErrors: false, code: { regExp } };
  // URLs and forms contain only text, which is converted to numbers where the schema requires them.
  const ofText = createSchemaCompiler({ ...options, coerceTypes: 'array' });
  const ofJson = createSchemaCompiler(options);

  return {
    compiler({ schema, httpPart, contentType }) {
      const compile = httpPart === 'body' && contentType !== form ? ofJson : ofText;
      const place = httpPart === 'querystring' ? 'query' : (httpPart ?? 'body');
      return (value: unknown) => {
        const details = check(compile(schema.rule), place, value);
        return details ? { error: makeError('INVALID_REQUEST', details) } : true;
      };
    },
    prepare({ params, query, body }) {
      for (const schema of [params, query]) if (schema) ofText(schema);
      if (body) ofJson(body);
    },
  };
}

/** Returns the details of `INVALID_REQUEST`: a JSON pointer in `place`, the rule, and a sentence; `undefined` if the value is valid. */
function check(validate: ValidateFunction, place: string, value: unknown): Record<'pointer' | 'rule' | 'why', string> | undefined {
  try {
    if (validate(value)) return undefined;
  } catch (fault) {
    return { pointer: '', rule: 'pattern', why: `${place} cannot be checked: ${messageOf(fault)}` };
  }
  // The last error belongs to the union; the errors of its branches come before it.
  const errors = validate.errors ?? [];
  const error = errors.at(-1);
  return error && describe(place, error, choicesOf(error, errors));
}

/** Returns the allowed values, if a schema allows only single values. */
function choicesOf({ keyword, params, schemaPath }: ErrorObject, errors: readonly ErrorObject[]): readonly unknown[] {
  if (keyword === 'enum') return (params as { allowedValues: readonly unknown[] }).allowedValues;
  const ofBranches = keyword === 'anyOf' ? errors.filter((one) => one.schemaPath.startsWith(`${schemaPath}/`)) : [];
  const choices = ofBranches.map(({ keyword: rule, params: { allowedValue, type } }: ErrorObject<string, { allowedValue?: unknown; type?: unknown }>) =>
    rule === 'type' && type === 'null' ? null : rule === 'const' ? allowedValue : undefined,
  );
  return choices.includes(undefined) ? [] : choices;
}

function describe(
  place: string,
  { instancePath, keyword, message, params }: ErrorObject,
  choices: readonly unknown[],
): Record<'pointer' | 'rule' | 'why', string> {
  const details = params as Readonly<Record<string, unknown>>;
  const field = details['additionalProperty'] ?? details['missingProperty'];
  const pointer = typeof field === 'string' ? `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}` : instancePath;
  const faults: Readonly<Record<string, string>> = { additionalProperties: 'is not a known field', required: 'is missing' };
  const expected = choices.length > 0 ? `must be one of: ${choices.map(String).join(', ')}` : (message ?? 'is not valid');
  return { pointer, rule: keyword, why: `${place}${pointer} ${faults[keyword] ?? expected}.` };
}
