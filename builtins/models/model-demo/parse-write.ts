// Converts "write notes.md with a haiku" into a `write_file` call with content.
import type { ToolStep } from './steps.ts';
import { capitalise, fileToken, unquote } from './sentence-parts.ts';

type Write = Pick<ToolStep, 'tool' | 'args' | 'contentFrom'>;

const verbs = '(?:write|create|make|save|append|add|put|overwrite|store)';
const nameFirst = new RegExp(
  `^${verbs}\\s+(?:to\\s+)?(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:(?:text\\s+)?file\\s+)?(?:called\\s+|named\\s+)?${fileToken}(?:\\s*(?:with|containing|that says|saying|:|=)\\s*([\\s\\S]+))?$`,
  'i',
);
const nameLast = new RegExp(
  `^${verbs}\\s+([\\s\\S]+?)\\s+(?:to|into|in|as)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${fileToken}$`,
  'i',
);

const modes: readonly (readonly [verb: RegExp, mode: string])[] = [
  [/^(?:append|add)\b/i, 'append'],
  [/^(?:create|make)\b/i, 'create'],
];

export function parseWrite(text: string): Write | undefined {
  const first = nameFirst.exec(text);
  const last = first ? undefined : nameLast.exec(text);
  const path = first?.[1] ?? last?.[2];
  if (path === undefined) return undefined;
  const mode = modes.find(([verb]) => verb.test(text))?.[1] ?? 'overwrite';
  const wanted = (first ? first[2] : last?.[1])?.trim();
  const from = sourceOf(wanted);
  const content = from ? '' : contentFor(wanted, unquote(path));
  return {
    tool: 'write_file',
    args: { path: unquote(path), content: mode === 'append' ? `\n${content}` : content, mode },
    ...(from ? { contentFrom: from } : {}),
  };
}

function sourceOf(wanted: string | undefined): ToolStep['contentFrom'] {
  if (wanted === undefined) return undefined;
  if (
    /^(?:it|that|this|them|(?:the|that|these|those)\s+(?:results?|output|list(?:ing)?|files?|page|text|contents?)(?:\s+of\s+.*)?|a list of (?:the |all )?files)$/i.test(
      wanted,
    )
  )
    return 'result';
  return /^(?:my|the|that)\s+(?:answer|choice|reply|colour|color|name)$|^what i (?:said|answered|chose)$/i.test(wanted) ? 'answer' : undefined;
}

/** Returns the content to write: a haiku or a to-do list if requested, otherwise the text itself. */
function contentFor(wanted: string | undefined, path: string): string {
  if (wanted === undefined) return `# ${path}\n\nWritten by the demo model.\n`;
  const topic = /\babout\s+(.+)$/i.exec(wanted)?.[1];
  if (/^(?:an?\s+)?(?:short\s+|little\s+)?(?:haiku|poem)\b/i.test(wanted)) {
    return `# ${topic ? capitalise(unquote(topic)) : 'Haiku'}\n\nLines of quiet text\nwait in a folder for you:\none file, and then rest.\n`;
  }
  if (/^(?:an?\s+)?(?:short\s+)?(?:to-?do|task)s?(?:[ -]list)?\b/i.test(wanted))
    return `# To do${topic ? `: ${unquote(topic)}` : ''}\n\n- [ ] First thing\n- [ ] Second thing\n- [ ] Third thing\n`;
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(wanted)?.[1];
  const text = fenced ?? unquote(wanted.replace(/^the\s+(?:text|words?|line|content)\s*:?\s+/i, ''));
  return text.endsWith('\n') ? text : `${text}\n`;
}
