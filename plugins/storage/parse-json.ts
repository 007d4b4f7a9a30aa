// Reads JSON text from a disk that others can write to.

/** Throws where the text is no JSON. Keys named `__proto__` are dropped, so that no later merge can reach a prototype. */
export function parseJson(text: string): unknown {
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A reviver makes parsing several times slower, so only suspicious text pays for it; \u005f is an underscore.
  const isSuspicious = clean.includes('__proto__') || /\\u005f/i.test(clean);
  return isSuspicious ? JSON.parse(clean, dropPrototypeKey) : JSON.parse(clean);
}

function dropPrototypeKey(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
