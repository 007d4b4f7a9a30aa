// How the body of a request becomes what its route asks for: JSON, the fields of a form, bytes, or a stream.
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isNestedDeeper, maxJsonDepth, wellFormedJson } from 'agent-harness/lib/json-text';
import type { BodyKind, Route } from 'agent-harness/plugins/http';
import type { MakeError } from './error-table.ts';

export const defaultBodyLimit = 1024 * 1024;
const form = 'application/x-www-form-urlencoded';
/** Those of one form. */
const maxFields = 1_000;

/** Every route but those of another kind takes JSON, and nothing else. */
export function takeJson(app: FastifyInstance, makeError: MakeError): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (isNestedDeeper(body as string, maxJsonDepth)) done(invalid(makeError, 'depth', `the body is nested more than ${maxJsonDepth} levels deep.`));
    else void parseJson(request, wellFormedJson(body as string), done);
  });
}

/** In a scope of the one route. */
export function takeKind(scope: FastifyInstance, kind: BodyKind, limit: number, makeError: MakeError): void {
  if (kind === 'json') return;
  if (kind === 'form') {
    scope.addContentTypeParser(form, { parseAs: 'string' }, (_, body, done) => {
      const fields = { ...parse(body as string, '&', '=', { maxKeys: maxFields }) };
      if (Object.hasOwn(fields, '__proto__')) done(invalid(makeError, 'form', 'the body has a field that no form has.'));
      else done(null, fields);
    });
    return;
  }
  scope.removeAllContentTypeParsers();
  if (kind === 'raw') scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  else scope.addContentTypeParser('*', (_, payload, done) => done(null, limited(payload, limit, makeError)));
}

/** What a handler gets for a request without a body. */
export function emptyBody(kind: BodyKind | undefined): unknown {
  return kind === 'raw' ? Buffer.alloc(0) : kind === 'stream' || kind === 'json-stream' ? Readable.from([]) : {};
}

/** Its values are text, whatever they mean. */
export function isForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return typeOf(headers) === form;
}

/**
 * What changes something must be JSON where a route says no more, as no foreign page can send that unasked. A DELETE without a body
 * is fine.
 */
export function isTakenAs({ bodyKind = 'json' }: Route, { method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || bodyKind === 'raw' || bodyKind === 'stream') return true;
  const hasNoBody = headers['content-length'] === undefined ? headers['transfer-encoding'] === undefined : headers['content-length'] === '0';
  const type = typeOf(headers);
  if (method === 'DELETE' && hasNoBody && type === undefined) return true;
  return type === 'application/json' || (bodyKind === 'form' && type === form);
}

/** The same bytes; fails where there are more than fit. What nobody reads is thrown away, or the reply would be lost. */
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

function invalid(makeError: MakeError, rule: string, why: string): Error {
  return makeError('INVALID_REQUEST', { pointer: '', rule, why });
}

function typeOf(headers: IncomingMessage['headers']): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}
