// Serialises query parameters as the PostgreSQL driver does, so that PostgreSQL and the embedded database receive the same text.

export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value : `${value as number | bigint | boolean}`;
}

function toElement(value: unknown): string {
  if (Array.isArray(value)) return toText(value) ?? '';
  const text = toText(value);
  return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
