// Compiles an OpenAPI document into a table row and a request plan per operation.
import { yieldToEventLoop } from '#lib/event-loop';
import { isRecord } from '#lib/values';
import { line, listOf } from './convert-schema.ts';
import { createNameRegistry, familyName } from './operation-names.ts';
import { planOperation, textOf, type PlanParts } from './operation-plan.ts';
import { createReferences } from './references.ts';
import { fieldOf, type CompiledDocument, type Json, type Method, type OperationPlan } from './table.ts';

export interface CompileOptions {
  readonly connection: string;
  /** OpenAPI version: `3.0`, `3.1`. */
  readonly version: string;
  readonly ownNames: readonly string[];
  /** Tool names that are reserved for other tools of the connection. */
  readonly reserved: readonly string[];
  readonly isTaken: (name: string) => boolean;
}

export class TooManyOperations extends Error {}

/** Maximum number of operations; the largest public documents have about twenty thousand. */
export const maxOperations = 50_000;
const maxFamilies = 200;
/** Number of operations after which the event loop can run other work. */
const atOnce = 25;
/** HTTP methods of operations; excludes `trace`, which returns the request including credentials. */
const methods: readonly Method[] = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

/** Compiles a document. Accepts any object with `openapi: 3…` and skips invalid parts. Rejects with {@link TooManyOperations}. */
export async function compileDocument(document: Json, options: CompileOptions): Promise<CompiledDocument> {
  const { connection, version } = options;
  const references = createReferences(document);
  const parts: PlanParts = { references, isOld: version === '3.0', ownNames: options.ownNames };
  const names = createNameRegistry(connection, options.reserved, options.isTaken);
  const families = new Set<string>();
  const operations: CompiledDocument['operations'][number][] = [];

  for (const { path, method, pathItem, operation } of listOperations(document, references)) {
    if (operations.length % atOnce === 0) await yieldToEventLoop();
    const key = `${method} ${path}`;
    const plan = planOperation(method, pathItem, operation, parts);
    const wanted = familyName(connection, firstTag(operation, path));
    const family = families.has(wanted) || families.size < maxFamilies ? wanted : familyName(connection, 'other');
    families.add(family);
    operations.push({
      row: {
        name: names.toolName(textOf(operation, 'operationId') || key, key),
        method,
        path,
        summary: line(textOf(operation, 'summary') || textOf(operation, 'description') || textOf(pathItem, 'summary'), 160),
        required: listOf(plan.input['required']).map(String),
        ...(fieldOf(operation, 'deprecated') === true ? { isDeprecated: true } : {}),
        family,
      },
      plan: { ...plan, ...securityOf(operation, document) },
    });
  }
  return { title: line(textOf(fieldOf(document, 'info'), 'title'), 80) || connection, operations };
}

interface Found {
  readonly path: string;
  readonly method: Method;
  readonly pathItem: Json;
  readonly operation: Json;
}

function listOperations(document: Json, references: ReturnType<typeof createReferences>): Found[] {
  const paths = fieldOf(document, 'paths');
  if (!isRecord(paths)) return [];
  const found = Object.entries(paths).flatMap(([path, given]) => {
    const pathItem = path.startsWith('/') && path.length <= 2_000 ? references.resolve(given) : undefined;
    return pathItem ? methods.flatMap((method) => foundAt(path, method, pathItem)) : [];
  });
  if (found.length > maxOperations) throw new TooManyOperations();
  return found;
}

function foundAt(path: string, method: Method, pathItem: Json): Found[] {
  const operation = fieldOf(pathItem, method);
  return isRecord(operation) ? [{ path, method, pathItem, operation }] : [];
}

/** Returns the security requirements; those of the operation override those of the document. */
function securityOf(operation: Json, document: Json): Pick<OperationPlan, 'security'> {
  const given = fieldOf(operation, 'security') ?? fieldOf(document, 'security');
  return Array.isArray(given) ? { security: given.filter(isRecord).map((way) => Object.keys(way)) } : {};
}

/** If there is no tag, returns the first fixed segment of the path. */
function firstTag(operation: Json, path: string): string {
  const tag = listOf(fieldOf(operation, 'tags'))[0];
  if (typeof tag === 'string' && tag !== '') return tag;
  return path.split('/').find((part) => /^[a-z]/i.test(part) && !/^v\d+$/i.test(part)) ?? 'general';
}
