// Defines the selectable sections of a support bundle, and reads the sections outside of the turn.
import { release } from 'node:os';
import type { TurnTest } from 'agent-harness/builtins/turn/replay';
import type { SupportedTurn, SupportPart } from 'agent-harness/builtins/turn/support-file';
import type { Services } from 'agent-harness/kernel';
import { isRecord, jsonOf } from '#lib/values';
import type { ViewInput } from 'agent-harness/plugins/views';

export interface Section extends Omit<SupportPart, 'read'> {
  /** Included by default. */
  readonly isUsual?: true;
  /** Left out for a part of the turn; a turn can be replayed without that part. */
  readonly read?: SupportPart['read'];
}

export type SectionParts = Pick<Services, 'eventLog' | 'kernel' | 'product'>;

/** Milliseconds before the turn in which other faults may be related to it. */
const before = 10 * 60_000;

/** @param added sections of other plugins */
export function sectionsOf({ kernel, product, eventLog }: SectionParts, added: Iterable<SupportPart>): Section[] {
  return [
    {
      ...{ name: 'versions', title: 'Versions', description: 'Of the program, of node and of the operating system.', isUsual: true },
      read: () => ({ [product.name]: product.version, node: process.versions.node, system: `${process.platform} ${release()} ${process.arch}` }),
    },
    {
      ...{ name: 'plugins', title: 'Plugins', isUsual: true },
      description: 'Which there are, where from, and in which state; of those that do not run the reason.',
      read: () =>
        kernel.report().plugins.map(({ name, origin, state, code, reason, isolation, warnings }) => ({
          ...{ name, origin, state, code, reason, isolation },
          ...(warnings.length > 0 ? { warnings } : {}),
        })),
    },
    {
      ...{ name: 'settings', title: 'Settings' },
      description: 'What is set to something else than its default, and where; of secrets only that they are set.',
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
      description: 'What the server told of as an error from ten minutes before the turn until its end: sentences of plugins and of the system.',
      read: (turn) =>
        eventLog
          .newest()
          .map(({ json }) => jsonOf(json))
          .filter((event) => isOfTime(event, turn)),
    },
    {
      ...{ name: 'results', title: 'What its calls answered' },
      description: 'Contents of files, output of commands, pages. Without it their lengths alone are there.',
    },
    {
      ...{ name: 'requests', title: 'What the model was told' },
      description: 'The system prompt with instructions, persona and notes, the tools, and what plugins said to it.',
    },
    { name: 'earlier', title: 'Earlier messages', description: 'What was said in the chat before this turn.' },
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

/** Returns the view's parameters: the turn, the selected sections, and the section to show. */
export function inputOf(sections: readonly Section[]): ViewInput {
  const ticks = sections.map(({ name, title, description, isUsual = false }) => [name, { type: 'boolean', title, description, default: isUsual }] as const);
  return {
    type: 'object',
    properties: {
      turn: { type: 'string', title: 'Turn', description: 'The newest one that was recorded, where nothing else is said.', default: 'last', maxLength: 100 },
      ...Object.fromEntries(ticks),
      strike: {
        ...{ type: 'string', title: 'Strike out', format: 'multiline', maxLength: 5_000 },
        description: 'Words that are to stand nowhere in it, each on a line.',
      },
      shown: {
        ...{ type: 'string', title: 'Look at', description: 'The file as it is saved, or one of its parts, ticked or not.' },
        ...{ enum: ['file', 'turn', ...sections.map(({ name }) => name)], default: 'file' },
      },
      page: { type: 'integer', title: 'Page of the text', minimum: 1, maximum: 1_000, default: 1 },
    },
  };
}
