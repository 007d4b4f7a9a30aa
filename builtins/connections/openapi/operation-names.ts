// Builds the names of tools and families from names in a document: snake_case, at most 64 characters, unique.
import { sha256 } from '#lib/hash';

const maxLength = 64;
const hashLength = 6;

export interface NameRegistry {
  /** Returns a unique tool name. @param key identifies the operation, such as `get /pets` */
  toolName(wanted: string, key: string): string;
}

/** @param isTaken returns whether another tool has that name */
export function createNameRegistry(connection: string, reserved: readonly string[], isTaken: (name: string) => boolean): NameRegistry {
  const used = new Set(reserved);
  const prefix = `${snakeCase(connection)}_`;
  const isFree = (name: string): boolean => !used.has(name) && !isTaken(name);

  return {
    toolName(wanted, key) {
      const plain = prefix + (snakeCase(wanted) || 'operation');
      let name = plain.length <= maxLength && isFree(plain) ? plain : withHash(plain, key);
      for (let again = 2; !isFree(name); again++) name = withHash(plain, `${key} ${again}`);
      used.add(name);
      return name;
    },
  };
}

/** Converts `listForOrg`, `repos/list-for-org` and `ListFOROrg` to words joined by `_`. */
export function snakeCase(text: string): string {
  return text
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** Returns `<connection>-<tag>`, at most 64 characters. */
export function familyName(connection: string, tag: string): string {
  const slug = snakeCase(tag).replaceAll('_', '-') || 'general';
  return `${connection}-${slug}`.slice(0, maxLength).replace(/[-_]+$/, '');
}

function withHash(name: string, key: string): string {
  const hash = sha256(key).slice(0, hashLength);
  return `${name.slice(0, maxLength - hashLength - 1).replace(/_+$/, '')}_${hash}`;
}
