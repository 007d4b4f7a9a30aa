// Defines the sections of a support bundle that users can select, and reads the sections that are not part of the turn.
import { release } from 'node:os';
import type { TurnTest } from 'agent-harness/builtins/turn/replay';
import type { SupportedTurn, SupportPart } from 'agent-harness/builtins/turn/support-file';
import type { Services } from 'agent-harness/kernel';
import { isRecord, jsonOf } from '#lib/values';
import type { ViewInput } from 'agent-harness/plugins/views';

export interface Section extends Omit<SupportPart, 'read'> {
  /** Whether the section is included by default. */
  readonly isUsual?: true;
  /** Reads the section; omitted if the section is an optional part of the recorded turn. */
  readonly read?: SupportPart['read'];
}

export type SectionParts = Pick<Services, 'eventLog' | 'kernel' | 'product'>;

/** Period before the turn, in milliseconds, whose errors may be related to the turn. */
const before = 10 * 60_000;

/** @param added sections of other plugins */
export function sectionsOf({ kernel, product, eventLog }: SectionParts, added: Iterable<SupportPart>): Section[] {
  return [
    {
      ...{ name: 'versions', title: 'Versions', description: 'Versions of the program, of Node.js and of the operating system.', isUsual: true },
      read: () => ({ [product.name]: product.version, node: process.versions.node, system: `${process.platform} ${release()} ${process.arch}` }),
    },
    {
      ...{ name: 'plugins', title: 'Plugins', isUsual: true },
      description: 'Installed plugins with origin and state, and the reason if a plugin is not running.',
      read: () =>
        kernel.report().plugins.map(({ name, origin, state, code, reason, isolation, warnings }) => ({
          ...{ name, origin, state, code, reason, isolation },
          ...(warnings.length > 0 ? { warnings } : {}),
        })),
    },
    {
      ...{ name: 'settings', title: 'Settings' },
      description: 'Settings that differ from their defaults, and where they are set. For secrets, only that they are set.',
      read: () =>
        Object.fromEntries(
          kernel
            .fields()
            .filter(({ isSet, source }) => isSet || source !== 'default')
            .map(({ key, value, source }) => [key, value === undefined ? `(a secret, ${source})` : { value, source }]),
        ),
    },
    {
      ...{ name: 'faults', title: 'Faults' },
      description: 'Errors that the server reported from ten minutes before the turn until its end: messages of plugins and of the system.',
      read: (turn) =>
        eventLog
          .newest()
          .map(({ json }) => jsonOf(json))
          .filter((event) => isOfTime(event, turn)),
    },
    {
      ...{ name: 'results', title: 'Call results' },
      description: 'File contents, command output, pages. Without this section, the bundle contains only their lengths.',
    },
    {
      ...{ name: 'requests', title: 'Model input' },
      description: 'The system prompt with instructions, persona and notes, the tools, and messages of plugins.',
    },
    { name: 'earlier', title: 'Earlier messages', description: 'Messages of the chat before this turn.' },
    ...added,
  ];
}

function isOfTime(event: unknown, { chatId, startedAt, endedAt }: SupportedTurn): boolean {
  if (!isRecord(event) || event['kind'] !== 'error') return false;
  // Excludes events of other chats.
  if (event['chatId'] !== undefined && event['chatId'] !== chatId) return false;
  const at = Date.parse(String(event['at']));
  return at >= startedAt - before && at <= endedAt;
}

/** Returns the sections that are parts of the turn. @param whole the turn with all sections */
export function partsOfTurn({ record, before: earlier, expected }: TurnTest): Readonly<Record<string, unknown>> {
  return {
    results: expected.filter(({ kind }) => kind === 'tool_result' || kind === 'subtask_tool' || kind === 'tool_progress'),
    requests: { texts: record.texts, said: record.asks.flatMap(({ messages }) => messages.filter((one) => isRecord(one))) },
    earlier: earlier.filter(({ turnId }) => turnId !== record.turnId),
  };
}

/** Returns the parameters of the view: the turn, the selected sections, and the section to preview. */
export function inputOf(sections: readonly Section[]): ViewInput {
  const ticks = sections.map(({ name, title, description, isUsual = false }) => [name, { type: 'boolean', title, description, default: isUsual }] as const);
  return {
    type: 'object',
    properties: {
      turn: { type: 'string', title: 'Turn', description: 'Turn to pack; default: the newest recorded turn.', default: 'last', maxLength: 100 },
      ...Object.fromEntries(ticks),
      strike: {
        ...{ type: 'string', title: 'Strike out', format: 'multiline', maxLength: 5_000 },
        description: 'Words to redact, one per line.',
      },
      shown: {
        ...{ type: 'string', title: 'Preview', description: 'The whole file as it is saved, or one of its sections, selected or not.' },
        ...{ enum: ['file', 'turn', ...sections.map(({ name }) => name)], default: 'file' },
      },
      page: { type: 'integer', title: 'Page of the preview', minimum: 1, maximum: 1_000, default: 1 },
    },
  };
}
