// Copies arguments to headers as a tool requires; intermediaries can then route a call without parsing it (protocol revision 2026-07).
import { isRecord } from '#lib/values';
import { walksInto } from '../server/clean-schema.ts';

/** An argument, and the header to which it is copied. */
export interface ParamHeader {
  readonly path: readonly string[];
  /** In lower case. */
  readonly header: string;
}

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const plainTypes = new Set(['string', 'integer', 'boolean']);

/** Returns the headers that a validated input schema requires. If they are not allowed, returns the rest of an error sentence. */
export function readParamHeaders(schema: Readonly<Record<string, unknown>>): readonly ParamHeader[] | string {
  const found = new Map<string, readonly string[]>();
  const why = collect(schema, [], found);
  return why ?? [...found].map(([header, path]) => ({ path, header }));
}

/** @param path path of the argument that the schema describes; `undefined` if the schema does not belong to exactly one argument */
function collect(schema: Record<string, unknown>, path: readonly string[] | undefined, found: Map<string, readonly string[]>): string | undefined {
  if (Object.hasOwn(schema, keyword)) {
    const why = take(schema, path, found);
    if (why !== undefined) return why;
  }
  for (const [key, one, name] of walksInto(schema)) {
    const why = collect(one, key === 'properties' && path && name !== undefined ? [...path, name] : undefined, found);
    if (why !== undefined) return why;
  }
  return undefined;
}

function take(schema: Record<string, unknown>, path: readonly string[] | undefined, found: Map<string, readonly string[]>): string | undefined {
  const name = schema[keyword];
  if (typeof name !== 'string' || !token.test(name)) return 'it requires an argument in a header with an invalid name';
  if (path === undefined || path.length === 0) return 'it requires content in a header that is not a single argument';
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const isPlain = types.length > 0 && types.every((type) => typeof type === 'string' && plainTypes.has(type));
  if (!isPlain) return 'it requires an argument in a header that is not a text, integer or boolean';
  const header = `mcp-param-${name.toLowerCase()}`;
  if (found.has(header)) return 'it requires two arguments in one header';
  found.set(header, path);
  return undefined;
}

/** Returns the name and value of each header of a call; a missing or `null` argument has no header. */
export function paramHeadersOf(wanted: readonly ParamHeader[], args: unknown): [string, string][] {
  return wanted.flatMap(({ path, header }): [string, string][] => {
    const value = path.reduce<unknown>((one, key) => (isRecord(one) && Object.hasOwn(one, key) ? one[key] : undefined), args);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[header, headerText(String(value))]] : [];
  });
}

/** Encodes characters that a header cannot contain. */
export function headerText(text: string): string {
  const isPlain = /^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
