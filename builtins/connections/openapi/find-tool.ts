// The tool that finds operations: tells the best ones and shows them to the model from then on.
import type { ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import { createFinder } from './find-operations.ts';
import type { OperationTable } from './table.ts';

const answered = 10;

/** The index is made at once: tens of milliseconds for a thousand operations. */
export function createFindTool(table: OperationTable, ownName: string, tools: () => Pick<Tools, 'reveal'>): (query: string, chatId: string) => ToolOutcome {
  const find = createFinder(table.rows);
  return (query, chatId) => {
    const found = find(query, answered);
    if (found.length === 0) {
      return {
        ok: false,
        error: `No operation of ${table.title} fits '${query.slice(0, 100)}'.`,
        hint: `Call ${ownName} with other words: what the operation does, and to what.`,
      };
    }
    // The best one last: where there are too many, those that were shown first go.
    for (const row of [...found].reverse()) tools().reveal(chatId, row.name);
    const lines = found.map(({ name, method, path, summary, required }) => {
      return `- ${name}(${required.join(', ')}): ${method.toUpperCase()} ${path}${summary === '' ? '' : ` — ${summary}`}`;
    });
    return {
      ok: true,
      output: `The best ${found.length} of ${table.rows.length} operations, with the arguments they need. They are tools now.\n${lines.join('\n')}`,
      isUntrusted: true,
    };
  };
}
