// The text of a word processor's document: paragraphs, headings, lists and tables in their order, notes at the end.
import { oneLine } from 'agent-harness/lib/text';
import type { OfficeArchive } from './office-archive.ts';
import { attribute, walkXml } from './walk-xml.ts';

const appendices = [
  { type: '/footnotes', title: 'Footnotes' },
  { type: '/endnotes', title: 'Endnotes' },
  { type: '/comments', title: 'Comments' },
];

export function readDocx(archive: OfficeArchive): string {
  const relations = [...archive.relationsOf(archive.main).values()];
  const body = readBody(archive.read(archive.main) ?? '');
  const rest = appendices.flatMap(({ type, title }) => {
    const part = relations.find((one) => one.type.endsWith(type));
    const lines = part ? readBody(archive.read(part.target) ?? '').filter((line) => line.trim() !== '') : [];
    return lines.length > 0 ? ['', `# ${title}`, ...lines] : [];
  });
  return [...body, ...rest].join('\n');
}

/** Lines; a row of a table is one, with tabs between its cells. */
function readBody(xml: string): string[] {
  // The lines of the document, then of each cell that is open.
  const stack: string[][] = [[]];
  const rows: string[][] = [];
  const put = (line: string): void => void stack.at(-1)?.push(line);
  let line = '';
  let prefix = '';
  let isText = false;
  let inProperties = 0;
  let inFallback = 0;

  walkXml(xml, {
    open(name, attributes) {
      // The same drawing once more, for older programs.
      if (name === 'Fallback') inFallback++;
      if (inFallback > 0) return;
      if (name === 'pPr') inProperties++;
      else if (name === 'pStyle') prefix = headingOf(attribute(attributes, 'val') ?? '') ?? prefix;
      else if (name === 'numPr') prefix ||= '- ';
      else if (inProperties > 0) return;
      else if (name === 't') isText = true;
      else if (name === 'tab') line += '\t';
      else if (name === 'br' || name === 'cr') line += '\n';
      else if (name === 'noBreakHyphen') line += '-';
      else if (name === 'tr') rows.push([]);
      else if (name === 'tc') stack.push([]);
    },
    text(text) {
      if (isText && inFallback === 0) line += text;
    },
    close(name) {
      if (name === 'Fallback') inFallback--;
      if (inFallback > 0) return;
      if (name === 'pPr') inProperties--;
      else if (name === 't') isText = false;
      else if (name === 'p') {
        put(line === '' ? '' : prefix + line);
        [line, prefix] = ['', ''];
      } else if (name === 'tc' && stack.length > 1) {
        const cell = oneLine(stack.pop()?.join(' ') ?? '');
        rows.at(-1)?.push(cell);
      } else if (name === 'tr') put((rows.pop() ?? []).join('\t'));
    },
  });
  return stack[0] ?? [];
}

function headingOf(style: string): string | undefined {
  const level = /^heading ?([1-6])/i.exec(style)?.[1];
  if (level !== undefined) return `${'#'.repeat(Number(level))} `;
  return /^title$/i.test(style) ? '# ' : undefined;
}
