// Extracts the continuation of an article after the position at which its page was cut.
import { attributesOf, type HtmlToken, tokenize, voidNames } from '#lib/html-tokens';
import { okMaybeItsACandidate, unlikelyCandidates } from './clean-html.ts';

/**
 * @param rest the rest of the HTML, cleaned
 * @param open names of the elements that contain the article and are open at the cut, outermost first
 * @returns the HTML up to the end of the outermost element, without sections that do not belong to the article
 */
export function restOf(rest: string, open: readonly string[]): string {
  if (open.length === 0) return '';
  const { tokens, closing } = tokenize(rest);
  const stack = [...open];
  const kept: string[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as HtmlToken;
    const { kind, name } = token;
    const end = closing[index] as number;
    if (kind === 'open' && end > 0 && isBeside(rest, token)) {
      index = end;
      continue;
    }
    if (kind === 'open' && !voidNames.has(name)) stack.push(name);
    if (kind === 'close') {
      const at = stack.lastIndexOf(name);
      if (at === 0) break;
      if (at > 0) stack.length = at;
    }
    kept.push(rest.slice(token.start, token.end));
  }
  return kept.join('');
}

function isBeside(html: string, token: HtmlToken): boolean {
  const attributes = attributesOf(html, token);
  const words = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
  return words !== ' ' && unlikelyCandidates.test(words) && !okMaybeItsACandidate.test(words);
}
