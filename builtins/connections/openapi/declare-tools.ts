// The tools of one connection, declared from its table: schemas and code come when they are needed.
import type { Tool, ToolContext, ToolFamily, ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import type { CallParts } from './call-operation.ts';
import { snakeCase } from './operation-names.ts';
import type { OperationPlan, OperationRow } from './table.ts';
import type { OpenedTable } from './table-file.ts';

export interface DeclareParts extends CallParts {
  readonly name: string;
  readonly table: OpenedTable;
  /** Read at each use. */
  readonly tools: () => Pick<Tools, 'reveal'>;
}

type FamilyTool = ToolFamily['tools'][number];

/** More operations, or more tags, than these are not listed in the prompt; they are searched. */
const listedOperations = 30;
const listedFamilies = 5;
const callTimeoutMs = 60_000;

export function finderName(connection: string): string {
  return `${snakeCase(connection)}_find_operations`;
}

/** In the order in which they are to be added; each is made when it is asked for. */
export function* declareFamilies(parts: DeclareParts): Generator<ToolFamily> {
  const byFamily = new Map<string, OperationRow[]>();
  for (const row of parts.table.rows) {
    const rows = byFamily.get(row.family);
    if (rows) rows.push(row);
    else byFamily.set(row.family, [row]);
  }
  const isLarge = parts.table.rows.length > listedOperations || byFamily.size > listedFamilies;
  const finder = isLarge ? { finder: finderName(parts.name) } : {};
  if (isLarge) yield finderFamily(parts);
  for (const [name, rows] of byFamily) yield { ...familyOf(name, rows, parts), ...finder };
}

function familyOf(name: string, rows: readonly OperationRow[], parts: DeclareParts): ToolFamily {
  return {
    name,
    description: `Operations of ${parts.table.title}.`,
    tools: rows.map((row) => describeOperation(row, parts)),
    load: async () => {
      const { callOperation } = await import('./call-operation.ts');
      return Object.fromEntries(
        rows.map((row) => [
          row.name,
          (args: never, context: ToolContext): Promise<ToolOutcome> => callOperation(row, parts.table.planOf(row), args, context, parts),
        ]),
      );
    },
  };
}

function describeOperation(row: OperationRow, parts: DeclareParts): FamilyTool {
  const isRead = row.method === 'get' || row.method === 'head';
  const { entry, name } = parts;
  let plan: OperationPlan | undefined;
  const planOf = (): OperationPlan => (plan ??= parts.table.planOf(row));
  return {
    name: row.name,
    description: `${row.summary === '' ? '' : `${row.summary} — `}${row.method.toUpperCase()} ${row.path}`.slice(0, 500),
    get input() {
      return planOf().input;
    },
    effects: isRead ? ['read', 'network'] : ['external'],
    undo: 'none',
    replay: isRead && entry.autoApproveReads ? 'pure' : 'never',
    timeoutMs: callTimeoutMs,
    ...(isRead && !entry.autoApproveReads ? { needsApproval: () => `The connection ${name} asks before it reads from ${entry.baseUrl}.` } : {}),
    preview: async (args: never, { workspaceRoot }) => (await import('./call-operation.ts')).previewCall(row, planOf(), args, entry.baseUrl, workspaceRoot),
  };
}

interface FindArgs {
  readonly query: string;
}

function finderFamily(parts: DeclareParts): ToolFamily {
  const { name, table } = parts;
  const tool: Omit<Tool, 'run' | 'load' | 'family'> = {
    name: finderName(name),
    description: `Finds operations of ${table.title} by words, and makes those it finds callable as tools.`,
    input: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, maxLength: 400, description: 'What the operation does: verb and thing, such as "create issue".' } },
      required: ['query'],
      additionalProperties: false,
    },
    effects: ['read'],
    undo: 'none',
    replay: 'pure',
  };
  return {
    name,
    description: `${table.title}, ${table.rows.length} operations. They are not listed: ${tool.name} finds them.`,
    tools: [tool],
    async load() {
      const { createFindTool } = await import('./find-tool.ts');
      const find = createFindTool(table, tool.name, parts.tools);
      return { [tool.name]: (args: FindArgs, context: ToolContext) => find(args.query, context.chatId) };
    },
  };
}
