// What a line must contain for a pattern to match it: most files contain none of it, and need not be taken apart.
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Each matching line contains one of them. `undefined`: nothing is known. */
type Texts = readonly string[] | undefined;

const maxTexts = 32;

/** So that a pattern matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * The source of a pattern that finds something in each text of which a line matches `source`, in time that grows with the
 * text alone. With the same flags. Of ASCII alone, so that it may be looked for before a text is decoded.
 */
export function requiredText(source: string): string | undefined {
  const pattern = parse(source);
  const texts = pattern && textsOf(pattern.alternatives);
  return texts && [...new Set(texts)].map(escapePattern).join('|');
}

/** Newer versions of node take patterns that the parser does not know. */
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

/** Of elements that all have to match, one after the other. */
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
  // What a modifier does inside is not looked into.
  return element.type === 'Group' && !element.modifiers ? textsOf(element.alternatives) : undefined;
}

function isPlain(element: AST.Element): element is AST.Character {
  return element.type === 'Character' && element.value >= 0x20 && element.value < 0x7f;
}

/** The shortest one finds the most files. */
function worthOf(texts: Texts): number {
  return texts ? Math.min(...texts.map(({ length }) => length)) : 0;
}
