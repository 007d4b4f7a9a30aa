// Builds one SVG path from the dark squares of a QR code. Pure.

/** @param rows `true` for a dark square */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows.map((row, y) => rowPath(row, y)).join('');
}

/** Merges neighbouring squares into one rectangle to avoid hairlines between them. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    const length = x + 1 - from;
    path += `M${from} ${y}h${length}v1h-${length}z`;
  }
  return path;
}
