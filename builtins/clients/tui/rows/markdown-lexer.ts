// Markdown as its blocks. What is written in it as mathematics is no markdown: it is shown as it stands, with every sign of it.
import { Lexer, Marked, type Token, type TokenizerAndRendererExtension } from 'marked';
import { mathBlockAt, mathInLineAt, nextMathBlock, nextMathInLine, type MathMark } from 'agent-harness/lib/math-marks';

function shownAsItStands(
  name: string,
  level: 'block' | 'inline',
  start: (source: string) => number | undefined,
  markAt: (source: string) => MathMark | undefined,
): TokenizerAndRendererExtension {
  return {
    ...{ name, level, start },
    tokenizer(source) {
      const mark = markAt(source);
      return mark && !mark.isOpen ? { type: name, raw: mark.raw, text: mark.raw.trimEnd() } : undefined;
    },
  };
}

const { defaults } = new Marked({
  gfm: true,
  extensions: [shownAsItStands('mathBlock', 'block', nextMathBlock, mathBlockAt), shownAsItStands('math', 'inline', nextMathInLine, mathInLineAt)],
});

/** Throws where it is nested too deep to be read. */
export function lexMarkdown(source: string): Token[] {
  return new Lexer(defaults).lex(source);
}
