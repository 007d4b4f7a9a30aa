// Reads and writes the file of an operation table: one line with the length of the rows, then the rows, then the plans.
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tableFormat, type CompiledDocument, type OperationPlan, type OperationRow, type OperationTable } from './table.ts';

/** Number of digits in the first line, without its line break. */
const lengthDigits = 12;
const maxRowsBytes = 64 * 1024 * 1024;

export interface OpenedTable extends OperationTable {
  /** Reads one plan of a few kilobytes. Synchronous, because tool schemas are read synchronously. Throws if the file is missing. */
  planOf(row: OperationRow): OperationPlan;
}

/** Returns the content of a table file. */
export function packTable({ title, operations }: CompiledDocument, baseUrl: string): Buffer {
  const plans: Buffer[] = [];
  let at = 0;
  const rows = operations.map(({ row, plan }): OperationRow => {
    const text = Buffer.from(`${JSON.stringify(plan)}\n`);
    plans.push(text);
    at += text.length;
    return { ...row, at: at - text.length, bytes: text.length };
  });
  const head = Buffer.from(JSON.stringify({ format: tableFormat, title, baseUrl, rows } satisfies OperationTable));
  return Buffer.concat([Buffer.from(`${String(head.length).padStart(lengthDigits, '0')}\n`), head, ...plans]);
}

/** Reads only the rows. Returns `undefined` if the file is missing, truncated, or has another format. */
export async function openTable(path: string): Promise<OpenedTable | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const first = Buffer.alloc(lengthDigits + 1);
    await file.read(first, 0, first.length, 0);
    const length = /^\d{12}\n$/.test(first.toString('latin1')) ? Number(first.toString('latin1')) : 0;
    if (length === 0 || length > maxRowsBytes) return undefined;
    const head = Buffer.alloc(length);
    const { bytesRead } = await file.read(head, 0, length, first.length);
    const table = bytesRead === length ? (JSON.parse(head.toString('utf8')) as OperationTable) : undefined;
    if (table?.format !== tableFormat) return undefined;
    return { ...table, planOf: (row) => readPlan(path, first.length + length + row.at, row.bytes) };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

function readPlan(path: string, at: number, bytes: number): OperationPlan {
  const file = openSync(path, 'r');
  try {
    const text = Buffer.alloc(bytes);
    readSync(file, text, 0, bytes, at);
    return JSON.parse(text.toString('utf8')) as OperationPlan;
  } finally {
    closeSync(file);
  }
}
