// Computes a set of texts such that every matching line contains at least one of them. Most files contain none of them and need no scan by lines.
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Set of texts such that every matching line contains at least one of them; `undefined` if unknown. */
type Texts = readonly string[] | undefined;

const maxTexts = 32;

/** Escapes a text so that a pattern matches exactly that text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * Returns the source of a pattern, for the same flags, that matches every text with a line that matches `source`. Matching takes time linear in the text. The
 * pattern is ASCII only, so that it can be applied before decoding.
 */
export function requiredText(source: string): string | undefined {
  const pattern = parse(source);
  const texts = pattern && textsOf(pattern.alternatives);
  return texts && [...new Set(texts)].map(escapePattern).join('|');
}

/** Parses a pattern; returns `undefined` for a pattern that only newer Node versions accept. */
function parse(source: string): AST.Pattern | undefined {
  try {
    return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source);
  } catch (fault) {
    if (fault instanceof SyntaxError) return undefined;
    throw fault;
  }
}

function textsOf(alternatives: readonly AST.Alternative[]): Texts {
  const all: string[] = [];
  for (const { elements } of alternatives) {
    const texts = bestOf(elements);
    if (!texts) return undefined;
    all.push(...texts);
  }
  return all.length > maxTexts ? undefined : all;
}

/** Returns the best texts for elements that must all match in sequence. */
function bestOf(elements: readonly AST.Element[]): Texts {
  const known: Texts[] = [];
  let run = '';
  for (const element of [...elements, undefined]) {
    if (element && isPlain(element)) {
      run += String.fromCharCode(element.value);
      continue;
    }
    if (run !== '') known.push([run]);
    run = '';
    if (element) known.push(textsIn(element));
  }
  return known.reduce((best, one) => (worthOf(one) > worthOf(best) ? one : best), undefined);
}

function textsIn(element: AST.Element): Texts {
  if (element.type === 'Quantifier') return element.min === 0 ? undefined : bestOf([element.element]);
  if (element.type === 'CapturingGroup') return textsOf(element.alternatives);
  // Groups with modifiers are not analysed.
  return element.type === 'Group' && !element.modifiers ? textsOf(element.alternatives) : undefined;
}

function isPlain(element: AST.Element): element is AST.Character {
  return element.type === 'Character' && element.value >= 0x20 && element.value < 0x7f;
}

/** Rates texts by the shortest one, because it matches the most files. */
function worthOf(texts: Texts): number {
  return texts ? Math.min(...texts.map(({ length }) => length)) : 0;
}
