// Parses JSON from files that other programs may write.

/** Parses JSON without keys named `__proto__`, because a later merge could change a prototype through such a key. Throws for invalid JSON. */
export function parseJson(text: string): unknown {
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A reviver makes parsing several times slower, so only suspicious text needs it; \u005f is an underscore.
  const isSuspicious = clean.includes('__proto__') || /\\u005f/i.test(clean);
  return isSuspicious ? JSON.parse(clean, dropPrototypeKey) : JSON.parse(clean);
}

function dropPrototypeKey(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
