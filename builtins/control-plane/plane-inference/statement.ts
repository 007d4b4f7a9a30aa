// Writes a statement of all entries of a period as CSV or JSON lines. The totals are read beforehand.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Receipt, ReceiptFilter, Receipts } from './receipts.ts';

const pageSize = 1_000;
const columns = [
  'id',
  'at',
  'userId',
  'kind',
  'model',
  'purpose',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'units',
  'heldMicro',
  'amountMicro',
  'uncoveredMicro',
  'basis',
  'outcome',
  'priceId',
  'call',
  'requestId',
] as const satisfies readonly (keyof Receipt)[];

export async function sendStatement(
  response: ServerResponse,
  receipts: Receipts,
  orgId: string,
  filter: ReceiptFilter,
  format: 'csv' | 'ndjson',
): Promise<void> {
  const { entries, amountMicro, newest } = await receipts.total(orgId, filter);
  response.writeHead(200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    'content-disposition': `attachment; filename="statement.${format}"`,
    'x-hub-entries': String(entries),
    'x-hub-total-micro': String(amountMicro),
  });
  async function* pages(): AsyncGenerator<string> {
    if (format === 'csv') yield `${columns.join(',')}\r\n`;
    for (let before = newest + 1; ;) {
      const page = await receipts.page(orgId, { ...filter, before }, pageSize);
      yield page.map((one) => (format === 'csv' ? csvLine(one) : `${JSON.stringify(one)}\n`)).join('');
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      before = last.id;
    }
  }
  await pipeline(Readable.from(pages()), response);
}

function csvLine(receipt: Receipt): string {
  return `${columns.map((name) => cellOf(receipt[name])).join(',')}\r\n`;
}

/** Escapes a text that a spreadsheet would interpret as a formula. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
