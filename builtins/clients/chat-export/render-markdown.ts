// Renders a chat as Markdown.
import { oneLine } from '#lib/text';
import { durationText } from 'agent-harness/transcript';
import { removedLine, type ExportedChat, type ExportedEntry } from './exported-chat.ts';

export function renderMarkdown({ chat, entries, isCut }: ExportedChat): string {
  const head = [`# ${oneLine(chat.title)}`, `${minuteOf(chat.createdAt)} – ${minuteOf(chat.updatedAt)}${chat.tags.map((tag) => ` #${tag}`).join('')}`];
  const begin = isCut === true ? ['*The beginning is omitted.*'] : [];
  return `${[...head, ...begin, ...entries.map(blockOf)].join('\n\n')}\n`;
}

function blockOf(entry: ExportedEntry): string {
  const block = plainBlockOf(entry);
  return entry.kind !== 'note' && entry.isTakenOut === true ? `${block}\n\n*${removedLine}*` : block;
}

function plainBlockOf(entry: ExportedEntry): string {
  switch (entry.kind) {
    case 'user':
      return [`## You · ${minuteOf(entry.at)}`, entry.text, ...(entry.files ?? []).map((name) => `*File: ${oneLine(name)}*`)].join('\n\n');
    case 'assistant':
      return [`## Assistant · ${minuteOf(entry.at)}`, ...(entry.reasoning === undefined ? [] : [quoted(entry.reasoning)]), entry.text]
        .filter((part) => part.trim() !== '')
        .join('\n\n');
    case 'tool': {
      const took = entry.durationMs === undefined ? '' : `, ${durationText(entry.durationMs)}`;
      return [
        `**${entry.name}** ${inlineCode(entry.subject ?? '')} (${entry.ok ? 'done' : 'failed'}${took})`,
        ...(entry.output === '' ? [] : [fenced(entry.output)]),
      ].join('\n\n');
    }
    case 'note':
      return `*${oneLine(entry.text)}*`;
  }
}

function quoted(text: string): string {
  return text.split('\n').map((line) => `> ${line}`).join('\n'); // prettier-ignore
}

/** Wraps a text in a fence that cannot occur in it. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text.replace(/\n$/, '')}\n${fence}`;
}

function inlineCode(text: string): string {
  const line = oneLine(text, 200);
  if (line === '') return '';
  const tick = '`'.repeat(longestRun(line) + 1);
  return tick.length === 1 ? `\`${line}\`` : `${tick} ${line} ${tick}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function minuteOf(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
