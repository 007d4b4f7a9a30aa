// JSON with sorted keys: equal values give equal texts.

export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isPlain(inner) ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1))) : inner,
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
