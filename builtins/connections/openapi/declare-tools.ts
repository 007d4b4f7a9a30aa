// Declares the tools of one connection from its table; loads schemas and code on demand.
import { countWithNoun, textStart } from '#lib/text';
import type { Tool, ToolContext, ToolFamily, ToolOutcome } from 'agent-harness/plugins/tools';
import type { CallParts } from './call-operation.ts';
import type { OperationPlan, OperationRow } from './table.ts';
import type { OpenedTable } from './table-file.ts';
import { callerName, finderName } from './tool-names.ts';

export interface DeclareParts extends CallParts {
  readonly name: string;
  readonly table: OpenedTable;
}

type FamilyTool = ToolFamily['tools'][number];

/** Numbers of operations and tags, and size of schemas, above which tools are found by search instead of being listed in requests. */
const listedOperations = 30;
const listedFamilies = 5;
const listedBytes = 20_000;
const callTimeoutMs = 60_000;

/** Yields tool families in registration order; creates each on demand. */
export function* declareFamilies(parts: DeclareParts): Generator<ToolFamily> {
  const byFamily = new Map<string, OperationRow[]>();
  for (const row of parts.table.rows) {
    const rows = byFamily.get(row.family);
    if (rows) rows.push(row);
    else byFamily.set(row.family, [row]);
  }
  const { rows } = parts.table;
  const isLarge = rows.length > listedOperations || byFamily.size > listedFamilies || rows.reduce((sum, { bytes }) => sum + bytes, 0) > listedBytes;
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
    description: textStart(`${row.summary === '' ? '' : `${row.summary} — `}${row.method.toUpperCase()} ${row.path}`, 500),
    get input() {
      return planOf().input;
    },
    effects: isRead ? ['read', 'network'] : ['external'],
    sendsArguments: true,
    undo: 'none',
    replay: isRead && entry.autoApproveReads ? 'pure' : 'never',
    timeoutMs: callTimeoutMs,
    ...(isRead && !entry.autoApproveReads ? { needsApproval: () => `The connection ${name} asks before it reads from ${entry.baseUrl}.` } : {}),
    async preview(args: never, call) {
      const { decideFiles, previewCall } = await import('./call-operation.ts');
      decideFiles(planOf(), args, call, parts.files());
      return previewCall(row, planOf(), args, entry.baseUrl, call.workspaceRoot);
    },
  };
}

type FamilyOnly = Omit<Tool, 'run' | 'load' | 'family'>;

interface FindArgs {
  readonly query: string;
}

interface CallArgs {
  readonly operation: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** Two tools for all operations keep requests small and the prompt cache valid. */
function finderFamily(parts: DeclareParts): ToolFamily {
  const { name, table } = parts;
  const finder: FamilyOnly = {
    name: finderName(name),
    description: `Searches the operations of ${table.title} and describes their arguments. Call them with ${callerName(name)}.`,
    input: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 400,
          description: 'Verb and object, such as "create issue"; or an operation name, for all its arguments.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    effects: ['read'],
    undo: 'none',
    replay: 'pure',
  };
  const caller: FamilyOnly = {
    name: callerName(name),
    description: `Calls an operation of ${table.title} described by ${finder.name}.`,
    input: {
      type: 'object',
      properties: {
        operation: { type: 'string', minLength: 1, maxLength: 100, description: 'Its name, as found.' },
        arguments: { type: 'object', description: 'Its arguments.' },
      },
      required: ['operation'],
      additionalProperties: false,
    },
    effects: ['external'],
    undo: 'none',
    replay: 'never',
    standsFor: ({ operation, arguments: args = {} }: CallArgs) => ({ tool: operation, args }),
  };
  return {
    name,
    description: `${table.title}, ${countWithNoun(table.rows.length, 'operation')}. ${finder.name} finds them, ${caller.name} calls them.`,
    tools: [finder, caller],
    async load() {
      const { createFindTool } = await import('./find-tool.ts');
      const find = createFindTool(table, finder.name, caller.name);
      return { [finder.name]: (args: FindArgs) => find(args.query) };
    },
  };
}
