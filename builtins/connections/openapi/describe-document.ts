// Checks whether a value is a supported OpenAPI document; otherwise describes the problem.
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import { fieldOf } from './table.ts';

export type DocumentKind =
  | { readonly kind: 'openapi'; /** `3.0`, `3.1`, … */ readonly version: string }
  | { readonly kind: 'swagger' }
  | { readonly kind: 'other'; /** Completes the sentence "It is …". */ readonly what: string };

export function describeDocument(value: unknown): DocumentKind {
  if (!isRecord(value)) return { kind: 'other', what: describeValue(value) };
  const version = fieldOf(value, 'openapi');
  if (typeof version === 'string' || typeof version === 'number') {
    const text = String(version);
    if (/^3\.\d+(\.|$)/.test(text)) return { kind: 'openapi', version: text.split('.').slice(0, 2).join('.') };
    return { kind: 'other', what: `an OpenAPI document of version '${text.slice(0, 20)}'; versions 3.0 and 3.1 are supported` };
  }
  if (fieldOf(value, 'swagger') !== undefined) return { kind: 'swagger' };
  return { kind: 'other', what: describeObject(value) };
}

function describeObject(value: Readonly<Record<string, unknown>>): string {
  const named = (name: string): boolean => fieldOf(value, name) !== undefined;
  if (named('asyncapi')) return 'an AsyncAPI document';
  if (String(fieldOf(fieldOf(value, 'info'), 'schema')).includes('getpostman.com')) return 'a Postman collection';
  if (named('__schema') || named('data')) return 'a reply of a GraphQL server, or other data';
  if (named('$schema') || named('properties')) return 'a JSON Schema';
  if (named('mcpServers') || named('tools')) return 'a list of tools or MCP servers';
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? 'an empty object' : `an object with the fields ${keys.map((key) => `'${textStart(key, 40)}'`).join(', ')} and no field 'openapi'`;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'empty';
  if (typeof value !== 'string') return `a ${typeof value}`;
  return /^\s*<(!doctype|html)/i.test(value) ? 'a web page' : /^\s*</.test(value) ? 'XML' : 'plain text';
}
