// Reads a fetched or pasted document (JSON or YAML) into an object, and resolves references to documents on the same server.
import type { $RefParser as RefParser } from '@apidevtools/json-schema-ref-parser';
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Json } from './table.ts';

export type DocumentFault = 'NOT_FETCHED' | 'TOO_LARGE' | 'NOT_READABLE' | 'FOREIGN_REFERENCE';

/** Error for a document that cannot be fetched, parsed or resolved. */
export class UnreadableDocument extends Error {
  readonly reason: DocumentFault;
  constructor(reason: DocumentFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

export const maxDocumentBytes = 50 * 1024 * 1024;
/** Maximum size of YAML in bytes; parsing takes half a second per megabyte. */
const maxYamlBytes = 50 * 1024 * 1024;
/** Maximum number of referenced documents. */
const maxParts = 50;

export async function parseDocument(text: string): Promise<unknown> {
  const plain = text.replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(plain)) {
    try {
      return JSON.parse(plain) as unknown;
    } catch (fault) {
      // YAML may start like JSON, but a long text that starts like JSON is probably JSON.
      if (plain.length > 100_000) throw new UnreadableDocument('NOT_READABLE', `it is not valid JSON: ${messageOf(fault)}`);
    }
  }
  if (plain.trim() === '' || /^\s*</.test(plain)) return plain;
  if (plain.length > maxYamlBytes)
    throw new UnreadableDocument('TOO_LARGE', `YAML is limited to ${maxYamlBytes / 1024 / 1024} MB; send a document of this size as JSON`);
  const { parseYaml } = await import('./parse-yaml.ts');
  try {
    return parseYaml(plain, { maxAliasCount: 1_000, logLevel: 'error' }) as unknown;
  } catch (fault) {
    throw new UnreadableDocument('NOT_READABLE', `it is neither JSON nor YAML: ${messageOf(fault)}`);
  }
}

export type ReadText = (url: string) => Promise<string>;

/** Resolves references to other documents on the document's own server. Refuses references to other hosts and to files. */
export async function withParts(document: Json, specUrl: string | undefined, readText: ReadText): Promise<Json> {
  const foreign = outerReferences(document);
  if (foreign.length === 0) return document;
  const origin = specUrl === undefined ? undefined : new URL(specUrl).origin;
  const refuse = (url: string): never => {
    throw new UnreadableDocument('FOREIGN_REFERENCE', `it refers to '${url.slice(0, 200)}'${origin === undefined ? '' : `, which is not at ${origin}`}`);
  };
  for (const ref of foreign) if (origin === undefined || !URL.canParse(ref, specUrl) || new URL(ref, specUrl).origin !== origin) refuse(ref);
  let count = 0;
  // Stores the original error to rethrow it, because the parser wraps errors in its own.
  let refusal: unknown;
  const read = async (url: string): Promise<string> => {
    try {
      if (!URL.canParse(url) || new URL(url).origin !== origin) refuse(url);
      if (++count > maxParts) throw new UnreadableDocument('TOO_LARGE', `it refers to more than ${maxParts} other documents`);
      return await readText(url);
    } catch (fault) {
      refusal ??= fault;
      throw fault;
    }
  };
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  const parser: RefParser = new $RefParser();
  try {
    const options = {
      mutateInputSchema: true,
      timeoutMs: 60_000,
      resolve: { file: false, http: false, sameServer: { order: 1, canRead: true, read: ({ url }: { url: string }) => read(url) } },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        any: { order: 1, canParse: true, parse: ({ data }: { data: unknown }) => parseDocument(String(data)) },
      },
    };
    return (await parser.bundle(specUrl ?? '', document as object, options as never)) as Json;
  } catch (fault) {
    if (refusal instanceof UnreadableDocument) throw refusal;
    throw new UnreadableDocument('NOT_READABLE', `its referenced documents cannot be read: ${messageOf(fault)}`);
  }
}

/** Returns every `$ref` to another document. */
function outerReferences(document: Json): string[] {
  const found = new Set<string>();
  const open: object[] = [document];
  // With YAML aliases, one object can occur several times.
  const seen = new Set<object>(open);
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [name, value] of Object.entries(next) as [string, unknown][]) {
      if (name === '$ref' && typeof value === 'string' && !value.startsWith('#') && isReference(next)) found.add(value);
      if (typeof value !== 'object' || value === null || seen.has(value)) continue;
      seen.add(value);
      open.push(value);
    }
  }
  return [...found];
}

/** Returns whether an object is a reference, as opposed to example data with a field of that name. */
function isReference(holder: object): boolean {
  return isRecord(holder) && Object.keys(holder).every((key) => ['$ref', 'summary', 'description'].includes(key));
}
