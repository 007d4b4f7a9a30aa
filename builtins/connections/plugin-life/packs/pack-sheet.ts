// `plugin.json` in a pack: what it is, what it needs, each of its files by its hash, and who signed that.
import { createPublicKey, sign as signBytes, verify, type KeyObject } from 'node:crypto';
import { failure } from 'agent-harness/lib/errors';
import { sha256 } from 'agent-harness/lib/hash';
import { lateAjv } from 'agent-harness/lib/late-ajv';
import { jsonOf, stableJson } from 'agent-harness/lib/values';
import { isVersion } from 'agent-harness/lib/versions';
import type { FileRow } from 'agent-harness/builtins/connections/plugin-life';
import type { Files } from './tar.ts';

/** Its name in a pack. It is not installed: whoever loads plugins would take the folder for one of other agents. */
export const sheetName = 'plugin.json';

export interface PackSheet {
  readonly format: 1;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The plugin contract's majors that it was made for. */
  readonly api: { readonly from: number; readonly to: number };
  readonly isolation: 'process' | 'worker' | 'child';
  /** As in the manifest of its code. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly services: readonly string[];
  readonly files: readonly FileRow[];
  /** Public key of its author: ed25519, 32 bytes, base64url. */
  readonly key: string;
  /** Of the sorted JSON of all other fields: base64url. */
  readonly signature: string;
}

const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const fileRow = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1, maxLength: 1_000 }, sha256: hash, size: { type: 'integer', minimum: 0 } },
  required: ['path', 'sha256', 'size'],
  additionalProperties: false,
} as const;
const major = { type: 'integer', minimum: 1, maximum: 1_000 } as const;
const schema = {
  type: 'object',
  properties: {
    format: { const: 1 },
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' },
    version: { type: 'string', maxLength: 64 },
    description: { type: 'string', maxLength: 500 },
    api: { type: 'object', properties: { from: major, to: major }, required: ['from', 'to'], additionalProperties: false },
    isolation: { enum: ['process', 'worker', 'child'] },
    capabilities: { type: 'object' },
    services: { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 100 },
    files: { type: 'array', items: fileRow, maxItems: 500 },
    key: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    signature: { type: 'string', pattern: '^[A-Za-z0-9_-]{86}$' },
  },
  required: ['format', 'name', 'version', 'description', 'api', 'isolation', 'capabilities', 'services', 'files', 'key', 'signature'],
  additionalProperties: false,
} as const;

/** In the order of their names. */
export function rowsOf(files: Files): readonly FileRow[] {
  return [...files]
    .map(([path, content]) => ({ path, sha256: sha256(content), size: content.byteLength }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** What all files together are told apart by: SHA-256, in hex, of their names and hashes. */
export function digestOf(rows: readonly FileRow[]): string {
  return sha256(rows.map((row) => `${row.sha256} ${row.path}`).join('\n'));
}

/** @param key of the author, private */
export function signSheet(sheet: Omit<PackSheet, 'signature' | 'key'>, key: KeyObject): PackSheet {
  const own = { ...sheet, key: publicPart(key) };
  return { ...own, signature: signBytes(null, Buffer.from(stableJson(own)), key).toString('base64url') };
}

export function publicPart(key: KeyObject): string {
  return String(createPublicKey(key).export({ format: 'jwk' }).x);
}

/**
 * Takes the sheet out of the files of a pack and checks it against them. `undefined` where there is none, and nobody signed. Throws a sentence where
 * it does not hold: of another form, not signed by its key, or about other files.
 */
export function readSheet(files: Map<string, Uint8Array>): PackSheet | undefined {
  const found = files.get(sheetName);
  if (!found) return undefined;
  const sheet = jsonOf(Buffer.from(found).toString('utf8')) as PackSheet;
  const ajv = new (lateAjv().Ajv2020)({ allErrors: false, strict: false });
  if (!ajv.validate(schema, sheet)) {
    throw failure(
      `Its ${sheetName} is not that of a plugin (${ajv.errorsText(ajv.errors, { dataVar: sheetName })}). A bundle of another agent goes into the plugin folder as it is.`,
    );
  }
  if (!isVersion(sheet.version)) throw failure(`Its version '${sheet.version}' is none, such as 1.4.2.`);
  const { signature, ...signed } = sheet;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: sheet.key }, format: 'jwk' });
  if (!verify(null, Buffer.from(stableJson(signed)), key, Buffer.from(signature, 'base64url')))
    throw failure(`Its ${sheetName} was changed after it was signed.`);
  files.delete(sheetName);
  const rows = rowsOf(files);
  const said = [...sheet.files].sort((one, other) => (one.path < other.path ? -1 : 1));
  if (stableJson(rows) !== stableJson(said)) {
    const other = rows.find((row) => stableJson(row) !== stableJson(said.find(({ path }) => path === row.path)));
    throw failure(`What is in it is not what was signed${other ? `: ${other.path}` : ''}.`);
  }
  return sheet;
}

/** How people compare keys: 16 signs in groups of four. */
export function fingerprintOf(key: string): string {
  return (sha256(key).slice(0, 16).match(/.{4}/g) ?? []).join('-');
}
