// Converts phrases such as "which colour I like" to questions such as "Which colour do you like?", with options if the request lists them.
import { capitalise, unquote } from './sentence-parts.ts';

const verbsOfAsking = /^(?:am|would|should|could|can|will|must|may|was)$/i;
const colours = ['Blue', 'Green', 'Red'];

export function parseQuestion(text: string): { prompt: string; options?: readonly string[] } {
  const { question, options } = cutOptions(text.trim());
  const found = options ?? guessOptions(question);
  return { prompt: toQuestion(unquote(question)), ...(found ? { options: found } : {}) };
}

/** Separates the options that a request lists: "…: red, green or blue", "… (red or green)", "… from red, green and blue". */
function cutOptions(text: string): { question: string; options?: readonly string[] } {
  const found = /^(.+?)(?:\s*[:(]\s*|\s+(?:from|between|out of)\s+)([^:()]+?\s*(?:,\s*(?:or|and)?|\bor|\band)\s+[^:()]+?)\)?$/i.exec(text);
  const [, question, list] = found ?? [];
  if (question === undefined || list === undefined) return { question: text };
  const options = list.split(/\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+/i).map((option) => unquote(option));
  return { question, options: options.filter((option) => option !== '').slice(0, 8) };
}

function guessOptions(question: string): readonly string[] | undefined {
  if (/^(?:whether|if)\b/i.test(question)) return ['Yes', 'No'];
  return /\bcolou?r\b/i.test(question) ? colours : undefined;
}

function toQuestion(text: string): string {
  const plain = text.replace(/^(?:a question|for|about)\s*:?\s+/i, (lead) => (/^(?:for|about)/i.test(lead) ? 'what is ' : ''));
  const whether = /^(?:whether|if)\s+i\s+(\S+)(.*)$/is.exec(plain);
  if (whether) return finish(`${turnVerb(whether[1] ?? '')}${whether[2] ?? ''}`);
  const belongs = /^(what|who|where|how|when)\s+my\s+(.+?)\s+(is|are)$/is.exec(plain);
  if (belongs) return finish(`${belongs[1]} ${belongs[3]} my ${belongs[2]}`);
  const own = /^((?:which|what|who|how|where|when|why)\b.*?)\s*\bi\s+(\S+)(.*)$/is.exec(plain);
  return finish(own ? `${own[1]} ${turnVerb(own[2] ?? '')}${own[3] ?? ''}` : plain);
}

/** Converts a verb to the second person: `like` → `do you like`, `would` → `would you`. */
function turnVerb(verb: string): string {
  if (/^am$/i.test(verb)) return 'are you';
  return verbsOfAsking.test(verb) ? `${verb} you` : `do you ${verb}`;
}

function finish(text: string): string {
  const turned = text.replace(/\b(?:my|me|i)\b/gi, (word) => (word.toLowerCase() === 'my' ? 'your' : 'you'));
  return `${capitalise(turned.replace(/[?.!\s]+$/, ''))}?`;
}
