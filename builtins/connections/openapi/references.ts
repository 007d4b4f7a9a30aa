// Resolves `$ref` inside one document.
import { isRecord } from '#lib/values';
import { fieldOf, type Json } from './table.ts';

export interface References {
  /** Resolves references; `undefined` for a missing, circular or external `$ref`. */
  resolve(value: unknown): Json | undefined;
}

/** Maximum length of a chain of references; a longer chain counts as circular. */
const maxChain = 30;

export function createReferences(document: Json): References {
  const found = new Map<string, unknown>();

  function find(ref: string): unknown {
    if (!found.has(ref)) found.set(ref, follow(document, ref));
    return found.get(ref);
  }

  return {
    resolve(value) {
      let at = value;
      for (let step = 0; step < maxChain; step++) {
        const ref = fieldOf(at, '$ref');
        if (typeof ref !== 'string') return isRecord(at) ? at : undefined;
        at = find(ref);
      }
      return undefined;
    },
  };
}

/** Follows a JSON pointer in a fragment (RFC 6901, 6). */
function follow(document: Json, ref: string): unknown {
  if (ref === '#') return document;
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map(decodeStep)
    .reduce<unknown>((at, step) => (Array.isArray(at) && /^\d+$/.test(step) ? (at as unknown[])[Number(step)] : fieldOf(at, step)), document);
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
