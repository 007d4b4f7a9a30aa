// How lines say who speaks and how something stands: by signs, for eyes, or by words, for whoever hears them or has them read by a program.
import { oneLine } from 'agent-harness/lib/text';

export interface LineMarks {
  /** Whether bars, columns and signs say something to whoever gets these lines. */
  readonly isDrawn: boolean;
  /** Before what the agent says, and before what a person types. */
  readonly agent: string;
  readonly prompt: string;
  readonly answerPrompt: string;
  /** @param author who it is from, where that is not the person here */
  message(text: string, author: string | undefined): string;
  announcement(text: string, author: string | undefined): string;
  /** Something that happened, and something that went wrong. */
  note(text: string): string;
  trace(text: string): string;
  fault(text: string): string;
  /** What ended a turn, and why it is tried again. */
  ending(text: string): string;
  retry(text: string): string;
  /** What was decided about a call, or answered to it. */
  decided(text: string): string;
  toolBegins(name: string, about: string): string;
  toolSays(name: string, text: string): string;
  toolEnds(name: string, time: string): string;
  toolFails(name: string, why: string): string;
  helperBegins(goal: string): string;
  asks(text: string): string;
  option(number: number, text: string): string;
  /** Before what would be remembered. */
  readonly remembers: string;
  readonly allow: string;
  readonly allowOrRemember: string;
  /** Where a command could get network. */
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
  remembers: 'To remember the answer with [a]lways or [f]older:',
  allow: 'Allow it? [y]es, [n]o, [e]dit: ',
  allowOrRemember: 'Allow it? [y]es, [n]o, [e]dit, [a]lways in this chat, always in this [f]older: ',
  network: 'It runs without network; [w] allows it with network.',
};

/** Each line begins with the word for what it is; no sign of it has a meaning. */
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
  helperBegins: (goal) => `Helper begins: ${goal}`,
  asks: (text) => `Asks: ${text}`,
  option: (number, text) => `Option ${number}: ${text}`,
  remembers: 'What always and folder would remember:',
  allow: 'Allow it? Type yes, no or edit; a reason may follow no: ',
  allowOrRemember: 'Allow it? Type yes, no or edit, always for this chat, or folder for always in this folder; a reason may follow no: ',
  network: 'It runs without network; type network to allow it with network.',
};

/** An author may be a sentence, and the text follows it. */
const unended = (author: string): string => oneLine(author, 300).replace(/\.$/, '');
