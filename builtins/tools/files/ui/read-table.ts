// Parses text with cells separated by commas, semicolons or tabs. Pure.

export interface TableText {
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows. */
  readonly isCut: boolean;
}

/** Parses the text. Quoted cells may contain any character. @param separator default: detected in the first line */
export function readTable(text: string, separator: string | undefined, maxRows: number): TableText {
  const between = separator ?? separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.length > 1 || cell !== '') rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at++) {
    if (rows.length > maxRows) return { rows: rows.slice(0, maxRows + 1), isCut: true };
    const sign = text[at] ?? '';
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1];
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === between) [cell] = ['', row.push(cell)];
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return { rows, isCut: false };
}

function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
