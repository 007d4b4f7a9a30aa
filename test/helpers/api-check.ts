// Validates every reply of a harness against its OpenAPI document and tracks the routes that were never called.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Harness } from './harness.ts';

export interface ApiReply {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
}

export interface ApiCheck {
  /** Like {@link Harness.call}. Rejects if the route, status or body does not match the document. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  /** Records a route that was called by other means (a stream). */
  note(method: string, path: string): void;
  /** Returns the documented routes that never returned success, for example `GET /api/chats/{id}`. */
  missed(): string[];
}

export interface Operation {
  readonly key: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly status: number;
  readonly schemas: ReadonlyMap<number, Validate | undefined>;
}

export interface Validate {
  (body: unknown): boolean;
  errors?: readonly ErrorObject[] | null | undefined;
}

export async function openApiCheck(harness: Harness): Promise<ApiCheck> {
  const operations = readOperations((await harness.call('GET', '/api/openapi.json')).body);
  const missed = new Set(operations.map((one) => one.key));

  function find(method: string, path: string): Operation {
    const plain = path.split('?', 1)[0] ?? '';
    const found = operations.find((one) => one.method === method && one.pattern.test(plain));
    if (!found) throw new Error(`the document lists no ${method} ${plain}`);
    return found;
  }

  return {
    async call(method, path, body, headers) {
      const operation = find(method, path);
      const reply = await harness.call(method, path, body, headers);
      if (!operation.schemas.has(reply.status))
        throw new Error(`${operation.key} answered ${reply.status}, which the document lacks: ${JSON.stringify(reply.body)}`);
      const validate = operation.schemas.get(reply.status);
      if (validate && !validate(reply.body))
        throw new Error(`${operation.key} ${reply.status}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(reply.body)}`);
      if (reply.status === operation.status) missed.delete(operation.key);
      return reply;
    },
    note: (method, path) => void missed.delete(find(method, path).key),
    missed: () => [...missed],
  };
}

/** Sorts routes with fixed paths first. @param document the document served at `/api/openapi.json` */
export function readOperations(document: any): Operation[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc:', ...document });
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]): Operation => {
      const responses = Object.entries<any>(operation.responses);
      return {
        key: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
        status: Number(responses.find(([status]) => status.startsWith('2'))?.[0]),
        schemas: new Map(responses.map(([status, response]) => [Number(status), compile(ajv, response.content?.['application/json']?.schema)])),
      };
    }),
  );
  return operations.sort((left, right) => Number(left.key.includes('{')) - Number(right.key.includes('{')));
}

/** Compiles on the first body: a document has hundreds of schemas, and a test uses few of them. */
function compile(ajv: Ajv2020, schema: any): Validate | undefined {
  if (schema === undefined) return undefined;
  let compiled: ValidateFunction | undefined;
  const validate: Validate = (body) => {
    compiled ??= ajv.compile(schema.$ref === undefined ? schema : { $ref: `doc:${schema.$ref}` });
    const isValid = compiled(body);
    validate.errors = compiled.errors;
    return isValid;
  };
  return validate;
}
