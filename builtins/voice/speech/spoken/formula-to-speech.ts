// Converts short TeX formulas to words.
import { oneLine } from '#lib/text';

const words: readonly (readonly [RegExp, string])[] = [
  [/\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, ' $1 over $2 '],
  [/\\sqrt\s*\{([^{}]*)\}/g, ' the square root of $1 '],
  [/\\(?:text|mathrm|mathbf|operatorname)\s*\{([^{}]*)\}/g, ' $1 '],
  [/\\left|\\right|\\,|\\;|\\!|\\quad/g, ' '],
  [/\\(?:cdot|times)(?![a-z])/g, ' times '],
  [/\\(?:leq?|leqslant)(?![a-z])|\u2264/g, ' is at most '],
  [/\\(?:geq?|geqslant)(?![a-z])|\u2265/g, ' is at least '],
  [/\\neq?(?![a-z])|\u2260/g, ' is not '],
  [/\\approx(?![a-z])|\u2248/g, ' is about '],
  [/\\(?:to|rightarrow)(?![a-z])/g, ' to '],
  [/\\infty(?![a-z])/g, ' infinity '],
  [/\\pm(?![a-z])/g, ' plus or minus '],
  [/\\sum(?![a-z])/g, ' the sum '],
  [/\\int(?![a-z])/g, ' the integral '],
  [/\^\s*\{?2\}?(?!\d)/g, ' squared '],
  [/\^\s*\{?3\}?(?!\d)/g, ' cubed '],
  [/\^\s*\{([^{}]*)\}|\^\s*(\S)/g, ' to the power of $1$2 '],
  [/_\s*\{([^{}]*)\}|_\s*(\S)/g, ' $1$2 '],
  [/=/g, ' equals '],
  [/\+/g, ' plus '],
  [/(?<=\s|[\p{L}\p{N})}])-/gu, ' minus '],
  [/</g, ' is less than '],
  [/>/g, ' is more than '],
  [/\//g, ' over '],
  // Greek letters; all other commands are spoken by name.
  [/\\([a-z]+)/gi, ' $1 '],
  [/[{}\\&]/g, ' '],
];

export function formulaToSpeech(formula: string): string {
  return oneLine(words.reduce((text, [sign, word]) => text.replace(sign, word), formula));
}
