// Formats rows as aligned columns.

/** Formats rows as text with aligned columns; the last column is not padded. Returns an empty string without rows. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
