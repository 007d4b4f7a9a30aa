// Defines the prefixes that identify authors and states in output lines: symbols for sighted users, words for screen readers and programs.
import { oneLine } from '#lib/text';

export interface LineMarks {
  /** Whether the reader benefits from lines, columns and symbols. */
  readonly isDrawn: boolean;
  /** Prefixes of the agent's text, and of the input prompt. */
  readonly agent: string;
  readonly prompt: string;
  readonly answerPrompt: string;
  /** @param author name of the author, unless it is the local user */
  message(text: string, author: string | undefined): string;
  announcement(text: string, author: string | undefined): string;
  /** Marks a note or an error. */
  note(text: string): string;
  trace(text: string): string;
  fault(text: string): string;
  /** Marks the end of a turn, or the reason for a retry. */
  ending(text: string): string;
  retry(text: string): string;
  /** Marks a decision about a call, or an answer to a question. */
  decided(text: string): string;
  toolBegins(name: string, about: string): string;
  toolSays(name: string, text: string): string;
  toolEnds(name: string, time: string): string;
  toolFails(name: string, why: string): string;
  helperBegins(goal: string): string;
  asks(text: string): string;
  option(number: number, text: string): string;
  /** Prefix of the rule to be remembered. */
  readonly remembers: string;
  readonly allow: string;
  readonly allowOrRemember: string;
  /** Hint that a command can be given network access. */
  readonly network: string;
}

const bracketed = (author: string | undefined): string => (author === undefined ? '' : `[${oneLine(author, 300)}] `);

export const signs: LineMarks = {
  isDrawn: true,
  agent: '',
  prompt: '> ',
  answerPrompt: '> ',
  message: (text, author) => `» ${bracketed(author)}${text}`,
  announcement: (text, author) => `${bracketed(author)}${text}`,
  note: (text) => text,
  trace: (text) => `· ${text}`,
  fault: (text) => `! ${text}`,
  ending: (text) => text,
  retry: (text) => `… ${text}`,
  decided: (text) => `  ${text}`,
  toolBegins: (name, about) => `→ ${name} ${about}`.trimEnd(),
  toolSays: (_name, text) => `  ${text}`,
  toolEnds: (name, time) => `✓ ${name} ${time}`.trimEnd(),
  toolFails: (name, why) => `✗ ${name}: ${why}`,
  helperBegins: (goal) => `⇢ task: ${goal}`,
  asks: (text) => `? ${text}`,
  option: (number, text) => `  ${number}) ${text}`,
  remembers: 'Rule that [a]lways or [f]older would add:',
  allow: 'Approve it? [y]es, [n]o, [e]dit: ',
  allowOrRemember: 'Approve it? [y]es, [n]o, [e]dit, [a]lways in this chat, always in this [f]older: ',
  network: 'It runs without network; [w] allows it with network.',
};

/** Each line begins with a word for its kind, and no symbols are used. */
export const words: LineMarks = {
  isDrawn: false,
  agent: 'Agent: ',
  prompt: 'You: ',
  answerPrompt: 'Your answer: ',
  message: (text, author) => (author === undefined ? `You: ${text}` : `Message from ${unended(author)}: ${text}`),
  announcement: (text, author) => (author === undefined ? `Note: ${text}` : `Message from ${unended(author)}: ${text}`),
  note: (text) => `Note: ${text}`,
  trace: (text) => `Note: ${text}`,
  fault: (text) => `Error: ${text}`,
  ending: (text) => `Error: ${text}`,
  retry: (text) => `Note: ${text}`,
  decided: (text) => `Decision: ${text}`,
  toolBegins: (name, about) => (about === '' ? `Tool ${name} begins.` : `Tool ${name} begins: ${about}`),
  toolSays: (name, text) => `Tool ${name} says: ${text}`,
  toolEnds: (name, time) => (time === '' ? `Tool ${name} is done.` : `Tool ${name} is done after ${time}.`),
  toolFails: (name, why) => `Tool ${name} failed: ${why}`,
  helperBegins: (goal) => `Task begins: ${goal}`,
  asks: (text) => `Asks: ${text}`,
  option: (number, text) => `Option ${number}: ${text}`,
  remembers: 'Rule that always or folder would add:',
  allow: 'Approve it? Type yes, no or edit; a reason may follow no: ',
  allowOrRemember: 'Approve it? Type yes, no or edit, always for this chat, or folder for always in this folder; a reason may follow no: ',
  network: 'It runs without network; type network to allow it with network.',
};

/** Removes a final period from an author, which may be a sentence and is followed by text. */
const unended = (author: string): string => oneLine(author, 300).replace(/\.$/, '');
