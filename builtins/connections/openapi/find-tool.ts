// Implements the tool that finds operations: returns the best matches with as many schemas as fit into a reply.
import { textStart } from '#lib/text';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { createFinder } from './find-operations.ts';
import type { OperationRow } from './table.ts';
import type { OpenedTable } from './table-file.ts';

const answered = 10;
/** Maximum size of the schemas in one result, in characters; the result stays in the conversation. */
const schemaChars = 12_000;

export function createFindTool(table: OpenedTable, ownName: string, callerName: string): (query: string) => Promise<ToolOutcome> {
  const finder = createFinder(table.rows);
  const byName = new Map(table.rows.map((row) => [row.name, row]));
  return async (query) => {
    const find = await finder;
    const named = byName.get(query.trim());
    const found = named ? [named] : find(query, answered);
    if (found.length === 0) {
      return {
        ok: false,
        error: `No operation of ${table.title} matches '${textStart(query, 100)}'.`,
        hint: `Call ${ownName} with another verb and object.`,
      };
    }
    let room = schemaChars;
    let isFull = false;
    const lines = found.map((row) => {
      const schema = JSON.stringify(table.planOf(row).input);
      // Keeps the ranking order instead of filling the remaining space with a later schema.
      isFull ||= schema.length > room && row !== found[0];
      if (isFull) return lineOf(row);
      room -= schema.length;
      return `${lineOf(row)}\n  arguments: ${schema}`;
    });
    const rest = isFull ? ` For arguments not shown, call ${ownName} with the operation name.` : '';
    const head = named ? 'The operation.' : `The best ${found.length} of ${table.rows.length} operations.`;
    return { ok: true, output: `${head} Call one with ${callerName}.${rest}\n${lines.join('\n')}`, isUntrusted: true };
  };
}

function lineOf({ name, method, path, summary, required }: OperationRow): string {
  return `- ${name}(${required.join(', ')}): ${method.toUpperCase()} ${path}${summary === '' ? '' : ` — ${summary}`}`;
}
