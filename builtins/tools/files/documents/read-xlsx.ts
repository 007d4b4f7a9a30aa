// Extracts the cells of a workbook sheet by sheet: one line per row, with tabs between the cells.
import type { OfficeArchive } from './office-archive.ts';
import { attribute, walkXml } from './walk-xml.ts';
import { readDateStyles, showDate } from './sheet-dates.ts';

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[];
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

/** Maximum number of columns per row; more columns usually result from formatting instead of data. */
const maxColumns = 16_384;

/** @param room maximum length of the result in characters */
export function readXlsx(archive: OfficeArchive, room: number): string {
  const relations = [...archive.relationsOf(archive.main).values()];
  const partOf = (type: string): string => archive.read(relations.find((one) => one.type.endsWith(type))?.target ?? '') ?? '';
  const shared = readSharedTexts(partOf('/sharedStrings'));
  const isDate = readDateStyles(partOf('/styles'));
  const { sheets, is1904 } = readWorkbook(archive);
  const blocks: string[] = [];
  let length = 0;
  for (const { name, part, isHidden } of sheets) {
    const lines = readSheet(archive.read(part) ?? '', {
      shared,
      show: (serial, style) => (isDate(style) ? showDate(serial, is1904) : undefined),
      room: room - length,
    });
    const block = [`# Sheet: ${name}${isHidden ? ' (hidden)' : ''}`, ...lines, ''].join('\n');
    blocks.push(block);
    length += block.length;
    if (length > room) break;
  }
  return blocks.join('\n');
}

function readWorkbook(archive: OfficeArchive): Workbook {
  const relations = archive.relationsOf(archive.main);
  const sheets: { name: string; part: string; isHidden: boolean }[] = [];
  let is1904 = false;
  walkXml(archive.read(archive.main) ?? '', {
    open(tag, attributes) {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      const part = tag === 'sheet' ? relations.get(attributes['r:id'] ?? attribute(attributes, 'id') ?? '')?.target : undefined;
      if (part !== undefined) sheets.push({ name: attributes['name'] ?? '', part, isHidden: (attributes['state'] ?? 'visible') !== 'visible' });
    },
  });
  return { sheets, is1904 };
}

function readSharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isReading = 0;
  walkXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isReading++;
      else if (name === 't') isText = true;
    },
    // Skips phonetic guides.
    text: (piece) => void (isText && isReading === 0 && (text += piece)),
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isReading--;
      else if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

interface SheetOptions {
  readonly shared: readonly string[];
  /** Returns the date for a number in this style; `undefined` if it is not a date. */
  show(serial: number, style: number): string | undefined;
  readonly room: number;
}

function readSheet(xml: string, { shared, show, room }: SheetOptions): string[] {
  const lines: string[] = [];
  let cells: string[] = [];
  let cell = { type: '', style: 0, column: 0, value: '' };
  let isValue = false;
  let length = 0;

  const shown = (): string => {
    const { type, style, value } = cell;
    if (type === 's') return shared[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    const serial = type === '' || type === 'n' ? Number(value) : NaN;
    return (value !== '' && Number.isFinite(serial) ? show(serial, style) : undefined) ?? value;
  };

  walkXml(xml, {
    open(name, attributes) {
      if (name === 'row') cells = [];
      else if (name === 'c') {
        const column = columnOf(attributes['r'] ?? '') ?? cells.length;
        cell = { type: attributes['t'] ?? '', style: Number(attributes['s'] ?? 0), column, value: '' };
      } else if (name === 'v' || name === 't') isValue = true;
    },
    text: (text) => void (isValue && length <= room && (cell.value += text)),
    close(name) {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell.column < maxColumns && length <= room) {
        const value = shown().replace(/[\t\n\r]+/g, ' ');
        if (value === '') return;
        while (cells.length < cell.column) cells.push('');
        cells[cell.column] = value;
      } else if (name === 'row' && cells.length > 0 && length <= room) {
        const line = cells.join('\t');
        length += line.length + 1;
        lines.push(line);
      }
    },
  });
  return lines;
}

/** Returns the column index of a cell reference: `C7` → 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Za-z]{1,3}/.exec(reference)?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
