// The text of an HTML file: what a reader sees, with headings, lists and tables; no scripts, nothing hidden.
import { Parser } from 'htmlparser2';

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg', 'math', 'iframe', 'object', 'canvas', 'select']);
const blocks = new Set(
  'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header hr legend li main nav ol p pre section summary table tbody tfoot thead title tr ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

export function readHtml(html: string): string {
  const lines: string[] = [];
  let line = '';
  let cells = 0;
  let inPre = 0;
  // Open elements below one that is not shown; 0 where everything is.
  let inSilence = 0;

  const endLine = (): void => {
    const text = inPre > 0 ? line : line.replace(/[ \t\n\r\f]+/g, ' ').trim();
    if (text !== '' && !/^(#+|-)$/.test(text)) lines.push(text);
    line = '';
  };

  const parser = new Parser({
    onopentag(name, attributes) {
      if (inSilence > 0 || silent.has(name) || isHidden(attributes)) {
        if (!empty.has(name)) inSilence++;
        return;
      }
      if (blocks.has(name) || name === 'br') endLine();
      if (name === 'pre') inPre++;
      else if (name === 'li') line = '- ';
      else if (/^h[1-6]$/.test(name)) line = `${'#'.repeat(Number(name[1]))} `;
      else if (name === 'tr') cells = 0;
      else if (name === 'td' || name === 'th') line += cells++ > 0 ? ' | ' : '';
      else if (name === 'img' && attributes['alt']) line += ` [${attributes['alt']}] `;
    },
    ontext(text) {
      if (inSilence === 0) line += text;
    },
    onclosetag(name) {
      if (inSilence > 0) {
        if (!empty.has(name)) inSilence--;
        return;
      }
      if (blocks.has(name)) endLine();
      if (name === 'pre') inPre--;
    },
  });
  parser.end(html);
  endLine();
  return lines.join('\n');
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return 'hidden' in attributes || attributes['aria-hidden'] === 'true' || /display:\s*none|visibility:\s*hidden/i.test(attributes['style'] ?? '');
}
