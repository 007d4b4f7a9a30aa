// Markdown of the page as tokens: that of GitHub, and mathematics.
import { Lexer, type MarkedOptions, type Token } from 'marked';
import { mathBlockAt, mathInLineAt, mayHaveMath, nextMathBlock, nextMathInLine, type MathMark } from 'agent-harness/lib/math-marks';

export interface MathToken extends MathMark {
  readonly type: 'math';
}

export function isMath(token: Token | MathToken): token is MathToken {
  return token.type === 'math';
}

const toToken = (mark: MathMark | undefined): MathToken | undefined => mark && { type: 'math', ...mark };
const plain: MarkedOptions = { gfm: true };
const withMath: MarkedOptions = {
  gfm: true,
  extensions: {
    ...{ renderers: {}, childTokens: {} },
    block: [(source) => toToken(mathBlockAt(source))],
    startBlock: [(source) => nextMathBlock(source)],
    inline: [(source) => toToken(mathInLineAt(source))],
    startInline: [(source) => nextMathInLine(source)],
  },
};

const lexerFor = (text: string): Lexer => new Lexer(mayHaveMath(text) ? withMath : plain);

/** Throws where it nests too deep to be read. */
export function lexMarkdown(text: string): Token[] {
  return lexerFor(text).lex(text);
}

/** Only where the blocks begin and end. */
export function lexBlocks(text: string): Token[] {
  return lexerFor(text).blockTokens(text);
}

/** What stands within a line. */
export function lexInline(text: string): Token[] {
  return lexerFor(text).inlineTokens(text);
}
