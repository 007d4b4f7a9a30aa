// Composes the texts of the demo model: a line before each call, a summary of the actual results, and help for requests that it does not understand.
import { firstLine, oneLine } from '#lib/text';
import type { StepOutcome, ToolStep } from './steps.ts';
import type { Standing } from './read-conversation.ts';

/** Texts about the demo and about connecting a real model. The first sentence is used to detect conversations that already contain them. */
export interface Notes {
  readonly introduction: string;
  readonly howToSetKey: string;
}

const blockLines = 20;
const blockChars = 1_200;

const examples = [
  'list the files',
  'read notes.md',
  'write notes.md with a haiku',
  'edit notes.md: replace quiet with silent',
  'search for haiku',
  'fetch https://example.com',
  'remember that my favourite colour is green',
  'recall my favourite colour',
  'ask me which colour I like',
  'run `ls -la`',
  'call the_tool with {"name": "value"}',
  'list the files, then write notes.md with a haiku',
];

const doing: Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => string>> = {
  list_dir: ({ path }) => `I look at the files${path === '.' ? '' : ` in \`${String(path)}\``}.`,
  read_file: ({ path }) => `I read \`${String(path)}\`.`,
  write_file: ({ path, mode }) => `I ${mode === 'append' ? 'add to' : 'write'} \`${String(path)}\`.`,
  edit_file: ({ path }) => `I edit \`${String(path)}\`.`,
  grep_files: ({ pattern }) => `I search the files for \`${String(pattern)}\`.`,
  find_files: ({ pattern }) => `I look for files like \`${String(pattern)}\`.`,
  web_fetch: ({ url }) => `I fetch ${String(url)}.`,
  remember: ({ key }) => `I save that as \`${String(key)}\`.`,
  recall_relevant: ({ query }) => `I look in the notes for "${String(query)}".`,
  forget: ({ key }) => `I forget \`${String(key)}\`.`,
  ask_user: () => 'I have a question for you.',
  run_command: ({ command }) => `I run \`${String(command)}\`.`,
};

/** Returns the line before a call. */
export function announce(step: ToolStep, position: number): string {
  const line = doing[step.tool]?.(step.args) ?? `I call ${step.tool}.`;
  return `${position === 0 ? '' : 'Next: '}${line}\n`;
}

export function summarise(standing: Standing, notes: Notes): string {
  const understood = standing.outcomes.filter((outcome) => outcome.state !== 'unknown');
  const body =
    understood.length === 0
      ? helpText()
      : [headline(understood), ...standing.outcomes.map((outcome, index) => reportOf(outcome, standing.outcomes.length > 1 ? `${index + 1}. ` : ''))];
  const extras = [
    ...(standing.dropped.length > 0 ? [`Your newer message replaced: ${standing.dropped.join('; ')}.`] : []),
    ...(standing.attached.length > 0 ? [`The demo model cannot read attachments (${standing.attached.join(', ')}).`] : []),
  ];
  const footer = standing.isIntroduced ? '(Demo model, no key set.)' : `${notes.introduction} ${notes.howToSetKey}`;
  return [...body, ...extras, footer].join('\n\n');
}

function helpText(): string[] {
  return ['I understand plain requests like these, one or several joined by "then":', examples.map((example) => `- ${example}`).join('\n')];
}

function headline(outcomes: readonly StepOutcome[]): string {
  const done = outcomes.filter((outcome) => outcome.state === 'done').length;
  if (outcomes.length === 1) return done === 1 ? 'Done.' : 'That did not work.';
  return done === outcomes.length ? `Done: all ${done} steps.` : `${done} of ${outcomes.length} steps worked.`;
}

function reportOf(outcome: StepOutcome, number: string): string {
  switch (outcome.state) {
    case 'unknown':
      return `${number}I did not understand "${outcome.step.source}".`;
    case 'skipped':
      return `${number}Skipped "${outcome.step.source}": the step before it returned no usable result.`;
    case 'failed':
      return `${number}\`${outcome.step.tool}\` did not work: ${oneLine(excerpt(outcome.output))}`;
    case 'done':
      return number + resultOf(outcome.step, outcome.output);
  }
}

function resultOf(step: ToolStep, output: string): string {
  const { path, command, url, query, pattern } = step.args;
  switch (step.tool) {
    case 'list_dir':
      return `The files${path === '.' ? '' : ` in \`${String(path)}\``}:\n${block(output)}`;
    case 'read_file':
      return `Content of \`${String(path)}\`:\n${block(output)}`;
    case 'write_file':
    case 'edit_file':
      return `\`${String(path)}\` is ${step.tool === 'edit_file' ? 'changed' : 'written'}. ${firstLine(output)}`;
    case 'run_command':
      return `Output of \`${String(command)}\`:\n${block(output)}`;
    case 'web_fetch':
      return `Content of ${String(url)}:\n${block(output)}`;
    case 'ask_user':
      return `You answered: ${output.trim()}`;
    case 'remember':
    case 'forget':
      return firstLine(output);
    default:
      return `For "${typeof query === 'string' ? query : typeof pattern === 'string' ? pattern : step.source}" I found:\n${block(output)}`;
  }
}

function block(text: string): string {
  const body = excerpt(text) || '(nothing)';
  const fence = '`'.repeat(Math.max(3, ...[...body.matchAll(/`+/g)].map((run) => run[0].length + 1)));
  return `${fence}\n${body}\n${fence}`;
}

/** Truncates a text and appends the number of omitted characters. */
function excerpt(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, blockLines).join('\n').slice(0, blockChars);
  const rest = text.trimEnd().length - shown.length;
  return rest > 0 ? `${shown}\n… ${rest} more characters` : shown;
}
