// Defines the selectable sections of a support bundle. Pure.
import type { ViewInput } from 'agent-harness/plugins/views';

export interface NamedPart {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Included by default. */
  readonly isUsual?: true;
}

/** Parts of the turn, which is replayable without them. */
export const turnParts = {
  results: { title: 'What its calls answered', description: 'Contents of files, output of commands, pages. Without it their lengths alone are there.' },
  requests: {
    title: 'What the model was told',
    description: 'The system prompt with instructions, persona and notes, the tools, and what plugins said to it.',
  },
  earlier: { title: 'Earlier messages', description: 'What was said in the chat before this turn.' },
} as const;

/** Sections beside it. */
export const ownParts = {
  versions: { title: 'Versions', description: 'Of the program, of node and of the operating system.', isUsual: true },
  plugins: { title: 'Plugins', description: 'Which there are, where from, and in which state; of those that do not run the reason.', isUsual: true },
  settings: { title: 'Settings', description: 'What is set to something else than its default, and where; of secrets only that they are set.' },
  faults: {
    title: 'Faults',
    description: 'What the server told of as an error from ten minutes before the turn until its end: sentences of plugins and of the system.',
  },
} as const;

/** @param added sections of other plugins */
export function namedParts(added: readonly NamedPart[]): NamedPart[] {
  const own = Object.entries({ ...ownParts, ...turnParts }).map(([name, part]) => ({ name, ...part }));
  return [...own, ...added.map(({ name, title, description }) => ({ name, title, description }))];
}

/** Returns the view's parameters: the turn, the selected sections, and the one shown. */
export function inputOf(parts: readonly NamedPart[]): ViewInput {
  return {
    type: 'object',
    properties: {
      turn: { type: 'string', title: 'Turn', description: 'The newest one that was recorded, where nothing else is said.', default: 'last', maxLength: 100 },
      ...Object.fromEntries(
        parts.map(({ name, title, description, isUsual = false }) => [name, { type: 'boolean', title, description, default: isUsual }] as const),
      ),
      strike: {
        type: 'string',
        title: 'Strike out',
        description: 'Words that are to stand nowhere in it, each on a line.',
        format: 'multiline',
        maxLength: 5_000,
      },
      shown: {
        type: 'string',
        title: 'Look at',
        description: 'The file as it is saved, or one of its parts, ticked or not.',
        enum: ['file', 'turn', ...parts.map(({ name }) => name)],
        default: 'file',
      },
      page: { type: 'integer', title: 'Page of the text', minimum: 1, maximum: 1_000, default: 1 },
    },
  };
}
