// Builds requests from the served OpenAPI document: valid ones, and ones that are invalid in every way HTTP and JSON allow.
import fc from 'fast-check';
import { encode, nastyJson, nastyText, oddHeaders, oddQuery } from './fuzz-values.ts';

export interface FuzzRequest {
  readonly method: string;
  /** Path with query. `@chat0` … `@chat7` and `@turn0` … `@turn7` stand for ids that exist when the request is sent, `@work0` for the workspace. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export const fuzzIds = /@(chat|turn|work)([0-7])/g;

const id = (kind: string): fc.Arbitrary<string> => fc.oneof({ weight: 8, arbitrary: fc.nat(7).map((n) => `@${kind}${n}`) }, nastyText);

/** A value that the schema allows, and strings that are valid only by type. */
function valueOf(schema: any, name: string, keys: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one: any) => valueOf(one, name, keys)));
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string': {
      if (name === 'chatId' || name === 'id') return id('chat');
      if (name === 'turnId' || name === 'atTurn') return id('turn');
      if (name === 'dataUrl')
        return fc.oneof(fc.constantFrom('data:text/plain;base64,aGVsbG8=', 'data:image/png;base64,iVBORw0KGgo=', 'data:;base64,%'), nastyText);
      // Prevents started programs and external requests.
      if (name === 'command') return fc.constantFrom('no-such-program', '', '/dev/null', '../no-such-program', 'no such\nprogram');
      if (/url$/i.test(name)) return fc.constantFrom('http://127.0.0.1:9/x', 'file:///etc/passwd', 'no address', 'ftp://127.0.0.1/', '//127.0.0.1:9');
      if (name === 'workspaceRoot') return fc.oneof(fc.constantFrom('@work0', '/dev/null', '/proc/self'), nastyText);
      if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
      const { minLength = 0, maxLength = 100_000 } = schema;
      return fc
        .oneof(nastyText, fc.constantFrom('hello', 'a'.repeat(Math.min(maxLength, 2_000))))
        .map((text) => text.slice(0, maxLength).padEnd(minLength, 'x'));
    }
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 100_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, name, keys), { maxLength: 3 });
    case 'object': {
      if (schema.patternProperties) {
        const key = name === 'env' ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...keys) }, nastyText) : nastyText;
        const [rule] = Object.values<any>(schema.patternProperties);
        return fc.dictionary(key, valueOf(rule ?? {}, '', keys), { maxKeys: 3 });
      }
      const fields = Object.entries<any>(schema.properties ?? {}).map(([field, rule]) => [field, valueOf(rule, field, keys)]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Corrupts a valid body. */
function spoil(body: unknown): fc.Arbitrary<string | Buffer> {
  const fields = Object.entries(body ?? {});
  const write = (entries: readonly (readonly [string, string])[]): string => `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;
  const texts = fields.map(([key, value]) => [key, JSON.stringify(value)] as const);
  const whole = write(texts);
  return fc.oneof(
    nastyJson,
    fc.tuple(fc.nat(9), nastyJson).map(([at, json]) => write(texts.map((one, index) => (index === at % texts.length ? [one[0], json] : one)))),
    fc.tuple(nastyText, nastyJson).map(([key, json]) => write([...texts, [key, json]])),
    fc.nat(9).map((at) => write(texts.filter((_, index) => index !== at % texts.length))),
    fc.nat(whole.length).map((end) => whole.slice(0, end)),
    fc.tuple(fc.nat(whole.length), fc.uint8Array({ minLength: 1, maxLength: 12 })).map(([at, bytes]) => {
      const right = Buffer.from(whole);
      return Buffer.concat([right.subarray(0, at), bytes, right.subarray(at)]);
    }),
    fc.constantFrom('', '\ufeff{}', whole + whole, '{"a":1,"a":2}', 'text=x', '--b\r\n\r\nx\r\n--b--'),
  );
}

/** Relative frequency of routes; 10 by default. Routes that copy, search or stream are expensive and find less. */
const weights: Readonly<Record<string, number>> = {
  'POST /api/message': 30,
  'PUT /api/settings': 15,
  'DELETE /api/chats/{id}': 2,
  'POST /api/chats/{id}/fork': 3,
  'GET /api/chats/search': 4,
  'PUT /api/plugins/{name}': 3,
  'POST /api/integrations/mcp': 2,
  'PUT /api/chats/{id}/mcp': 2,
  'POST /api/integrations/openapi': 3,
};

/** @param keys names of settings */
export function requestsOf(document: any, keys: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const routes = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      return { weight: weights[`${method} ${path}`] ?? 10, arbitrary: requestOf(method, path, operation, keys) };
    }),
  );
  return fc.oneof(...routes);
}

/** Object fields become separate parameters, as with `explode`. */
function questionsOf(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${encode(String(value))}`];
  return Object.entries(value).map(([field, one]) => `${encode(field)}=${encode(typeof one === 'object' ? JSON.stringify(one) : String(one))}`);
}

function requestOf(method: string, path: string, operation: any, keys: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const parameters = (place: string): any[] => (operation.parameters ?? []).filter((one: any) => one.in === place);
  const names: Record<string, fc.Arbitrary<string>> = Object.fromEntries(
    parameters('path').map((one) => [one.name, valueOf(one.schema, one.name, keys).map((value) => encode(String(value)) || 'x')]),
  );
  const query = fc.record(Object.fromEntries(parameters('query').map((one) => [one.name, valueOf(one.schema, one.name, keys)])), { requiredKeys: [] });
  const schema = operation.requestBody?.content['application/json'].schema;
  const right = schema ? valueOf(schema, '', keys) : fc.constant(undefined);
  const body = right.chain((value) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant(value === undefined ? undefined : JSON.stringify(value)) },
      { weight: schema ? 4 : 1, arbitrary: spoil(value) },
    ),
  );
  const rarely = <T>(odd: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> => fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
  return fc
    .tuple(
      rarely(fc.constantFrom('PUT', 'PATCH', 'OPTIONS', 'HEAD', 'DELETE', 'POST', 'GET', 'PROPFIND'), method),
      fc.record(names),
      query,
      rarely(oddQuery, ''),
      body,
      rarely(oddHeaders, {}),
    ) // prettier-ignore
    .map(([verb, values, asked, odd, text, headers]) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
      const questions = [...Object.entries(asked).flatMap(([name, value]) => questionsOf(name, value)), ...(odd ? [odd] : [])].join('&');
      return {
        method: verb,
        path: questions ? `${filled}?${questions}` : filled,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(text === undefined ? {} : { body: text }),
      };
    });
}
