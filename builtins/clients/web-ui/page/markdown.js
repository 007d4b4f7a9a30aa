// A small part of markdown, through DOM calls only: paragraphs, headings, lists, code blocks, inline code, emphasis, links.
import { make } from './dom.js';

const inline = /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\*\*([^*\n]+)\*\*|\[([^\]\n]{1,200})\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/[^\s<>"')\]]+)/g;

/** @param {string} text @returns {DocumentFragment} */
export function renderMarkdown(text) {
  const fragment = document.createDocumentFragment();
  const lines = text.split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence[1]) && other.trim().replace(/[`~]/g, '') === '');
      const last = end < 0 ? lines.length : end;
      fragment.append(make('pre', {}, make('code', { 'data-language': fence[2] }, lines.slice(at + 1, last).join('\n'))));
      at = last + 1;
    } else if (line.trim() === '') at++;
    else {
      const { element, next } = readBlock(lines, at);
      fragment.append(element);
      at = next;
    }
  }
  return fragment;
}

/** @param {string[]} lines @param {number} at @returns {{ element: Node, next: number }} */
function readBlock(lines, at) {
  const heading = /^(#{1,6})\s+(.*)$/.exec(lines[at]);
  // The page itself has the first two levels.
  if (heading) return { element: withInline(make(`h${Math.min(6, heading[1].length + 2)}`), heading[2]), next: at + 1 };
  const mark = /^\s*(?:[-*•]|\d+[.)])\s+/;
  if (/^\s*[-*•]\s+/.test(lines[at])) {
    const list = make('ul');
    for (; at < lines.length && /^\s*[-*•]\s+/.test(lines[at]); at++) list.append(withInline(make('li'), lines[at].replace(mark, '')));
    return { element: list, next: at };
  }
  const paragraph = make('p');
  const begin = at;
  do {
    if (at > begin) paragraph.append(make('br'));
    withInline(paragraph, lines[at++]);
  } while (at < lines.length && lines[at].trim() !== '' && !/^\s*(?:`{3,}|~{3,}|#{1,6}\s|[-*•]\s)/.test(lines[at]));
  return { element: paragraph, next: at };
}

/** @param {any} element @param {string} text */
function withInline(element, text) {
  let done = 0;
  for (const found of text.matchAll(inline)) {
    if (found.index > done) element.append(text.slice(done, found.index));
    done = found.index + found[0].length;
    const [, , code, strong, label, target, bare] = found;
    if (code !== undefined) element.append(make('code', {}, code));
    else if (strong !== undefined) element.append(make('strong', {}, strong));
    else element.append(link(target ?? bare, label ?? bare));
  }
  if (done < text.length) element.append(text.slice(done));
  return element;
}

/** @param {string} target @param {string} label */
function link(target, label) {
  const trimmed = target.replace(/[.,;:!?]+$/, '');
  return make(
    'span',
    {},
    make('a', { href: trimmed, rel: 'noreferrer noopener', target: '_blank' }, label === target ? trimmed : label),
    label === target ? target.slice(trimmed.length) : '',
  );
}
