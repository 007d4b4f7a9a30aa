// Formats JSON for review: short values on one line, others on indented lines. Pure.
const widest = 160;

/** Returns JSON text that ends with a line break and parses to the same value. */
export function readableJson(value: unknown): string {
  return `${write(value, '')}\n`;
}

function write(value: unknown, indent: string): string {
  const flat = JSON.stringify(value) ?? 'null';
  const isNumbers = Array.isArray(value) && value.every((one) => typeof one === 'number');
  if (flat.length <= widest || isNumbers || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent} `;
  if (Array.isArray(value)) return `[\n${value.map((one) => inner + write(one, inner)).join(',\n')}\n${indent}]`;
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{\n${fields.map(([key, one]) => `${inner}${JSON.stringify(key)}: ${write(one, inner)}`).join(',\n')}\n${indent}}`;
}
