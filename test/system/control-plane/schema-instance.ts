// Generates an instance of a JSON Schema, for the keywords that the control plane routes use.

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}

/** @param text beginning of every generated text, as far as its length permits */
export function instanceOf(schema: unknown, text: string): unknown {
  const { type, anyOf, properties = {}, required = [], ...rest } = (schema ?? {}) as Schema;
  if ('const' in rest) return rest.const;
  if (rest.enum) return rest.enum[0];
  if (anyOf) return instanceOf(anyOf[0], text);
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).flatMap(([name, one]) => (required.includes(name) ? [[name, instanceOf(one, text)]] : [])));
    case 'array':
      return Array.from({ length: rest.minItems ?? 1 }, () => instanceOf(rest.items, text));
    case 'integer':
    case 'number':
      return Math.max(0, rest.minimum ?? 0);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return textOf(rest, text);
  }
}

function textOf({ format, minLength = 0, maxLength = 1_000 }: Schema, text: string): string {
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (format === 'uri') return `https://${text}.example`;
  return text.padEnd(minLength, 'x').slice(0, maxLength);
}
