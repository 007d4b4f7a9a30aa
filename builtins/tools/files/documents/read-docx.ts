// Extracts the text of a word processor document: paragraphs, headings, lists and tables in order, followed by notes.
import { oneLine } from '#lib/text';
import type { OfficeArchive } from './office-archive.ts';
import { attribute, walkXml } from './walk-xml.ts';

/** Additional parts: the end of the relation's type, the usual name of the part, and the element that refers to its entries. */
const appendices = [
  { type: '/header', name: 'header1.xml', title: 'Header' },
  { type: '/footer', name: 'footer1.xml', title: 'Footer' },
  { type: '/footnotes', name: 'footnotes.xml', title: 'Footnotes', reference: 'footnoteReference', entry: 'footnote', sign: '' },
  { type: '/endnotes', name: 'endnotes.xml', title: 'Endnotes', reference: 'endnoteReference', entry: 'endnote', sign: 'e' },
  { type: '/comments', name: 'comments.xml', title: 'Comments', reference: 'commentReference', entry: 'comment', sign: 'c' },
] as const;
type Appendix = (typeof appendices)[number];
const signs: ReadonlyMap<string, string> = new Map(appendices.flatMap((one) => ('reference' in one ? [[one.reference, one.sign]] : [])));

export function readDocx(archive: OfficeArchive): string {
  const relations = [...archive.relationsOf(archive.main).values()];
  const body = readBody(archive.read(archive.main) ?? '');
  const folder = archive.main.slice(0, archive.main.lastIndexOf('/') + 1);
  const rest = appendices.flatMap((appendix) => {
    const targets = relations.filter((one) => one.type.endsWith(appendix.type)).map(({ target }) => target);
    // Some programs omit the relation.
    const parts = targets.length > 0 ? targets : [`${folder}${appendix.name}`];
    const lines = parts.flatMap((part) => readBody(archive.read(part) ?? '', appendix)).filter((line) => line.trim() !== '');
    return lines.length > 0 ? ['', `# ${appendix.title}`, ...new Set(lines)] : [];
  });
  return [...body, ...rest].join('\n');
}

/** Returns the lines of a part; a table row is one line with tabs between the cells. @param appendix the part that contains the XML; default: the main part */
function readBody(xml: string, appendix?: Appendix): string[] {
  // Lines of the document, and of each table cell that is currently open.
  const stack: string[][] = [[]];
  const rows: string[][] = [];
  const put = (line: string): void => void stack.at(-1)?.push(line);
  let line = '';
  let prefix = '';
  let isText = false;
  let inProperties = 0;
  let inFallback = 0;
  /** Whether the current text is hidden. */
  let isHidden = false;
  const entry = appendix && 'entry' in appendix ? appendix : undefined;

  walkXml(xml, {
    open(name, attributes) {
      // Skips the copy of a drawing that is intended for older programs.
      if (name === 'Fallback') inFallback++;
      if (inFallback > 0) return;
      const sign = signs.get(name);
      if (name === entry?.entry) prefix = `[^${entry.sign}${attribute(attributes, 'id') ?? ''}]: `;
      else if (sign !== undefined) line += `[^${sign}${attribute(attributes, 'id') ?? ''}]`;
      else if (name === 'vanish') isHidden = !/^(0|false|off)$/.test(attribute(attributes, 'val') ?? '');
      else if (name === 'r') isHidden = false;
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
      if (isText && !isHidden && inFallback === 0) line += text;
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
