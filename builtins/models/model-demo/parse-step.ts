// Converts one part of a request to one tool call, using an ordered list of rules; the first matching rule applies.
import { parseWrite } from './parse-write.ts';
import { parseQuestion } from './parse-question.ts';
import type { Step, ToolStep } from './steps.ts';
import { capitalise, fileToken, toKey, trimRequest, unquote } from './sentence-parts.ts';

type Call = Omit<ToolStep, 'kind' | 'source'>;
interface Rule {
  /** Matches the beginning of a text that this rule understands. */
  readonly head: RegExp;
  parse(text: string): Call | undefined;
}

const file = new RegExp(fileToken);
const url = /https?:\/\/[^\s<>"'`]+/i;
const listNouns = '(?:files?|folders?|director(?:y|ies)|contents?|workspace|entries)';

const rules: readonly Rule[] = [
  { head: /^(?:call|use)\s+(?:the\s+)?(?:tool\s+)?`?[a-z]\w*_\w+/i, parse: parseToolCall },
  {
    head: /^(?:(?:fetch|get|download|visit|open|read|load|summari[sz]e|show|look at)\b[^.\n]{0,60}?)?https?:\/\//i,
    parse: (text) => call('web_fetch', { url: url.exec(text)?.[0]?.replace(/[.,;:!?)\]]+$/, '') }),
  },
  { head: /^(?:run|execute)\s+(?:`|\$\s|(?!(?:my|a|an|all|away)\s)(?!the\s+(?!(?:\w+\s+)?command))\S)/i, parse: parseRun },
  {
    head: new RegExp(
      `^(?:ls\\b|(?:list|show|see)\\b[^.\\n,]{0,30}?\\b${listNouns}\\b|list\\s+${fileToken}|(?:what|which)(?: files?\\b|(?:'s| is) in (?:the|this|my) (?:folder|directory|workspace)))`,
      'i',
    ),
    parse: parseList,
  },
  {
    head: new RegExp(`^(?:edit|update|change|in)\\s+(?:the\\s+)?(?:file\\s+)?${fileToken}\\s*[:,]?\\s*(?:and\\s+|by\\s+|to\\s+)?(?:replac|chang)`, 'i'),
    parse: (text) =>
      parseEdit(
        text,
        new RegExp(
          `^\\w+\\s+(?:the\\s+)?(?:file\\s+)?(?<path>${fileToken})\\s*[:,]?\\s*(?:and\\s+|by\\s+|to\\s+)?(?:replac(?:e|ing)|chang(?:e|ing))\\s+(?<from>[\\s\\S]+?)\\s+(?:with|by|to|into|->|→)\\s+(?<to>[\\s\\S]+)$`,
          'i',
        ),
      ),
  },
  {
    head: new RegExp(`^(?:replace|change)\\s[^\\n]+?\\s(?:with|by|to|into)\\s[^\\n]+?\\sin\\s+(?:the\\s+)?(?:file\\s+)?${fileToken}`, 'i'),
    parse: (text) =>
      parseEdit(text, new RegExp(`^\\w+\\s+(?<from>.+?)\\s+(?:with|by|to|into)\\s+(?<to>.+)\\s+in\\s+(?:the\\s+)?(?:file\\s+)?(?<path>${fileToken})$`, 'is')),
  },
  { head: new RegExp(`^(?:write|create|make|save|append|add|put|overwrite|store)\\b[^\\n]{0,300}?${fileToken}`, 'i'), parse: parseWrite },
  {
    head: new RegExp(
      `^(?:read|show|open|print|cat|display|view)\\s+(?:me\\s+)?(?:the\\s+)?(?:contents?\\s+of\\s+)?(?:the\\s+)?(?:file\\s+\\S|${fileToken})`,
      'i',
    ),
    parse: (text) => call('read_file', { path: unquoted(file.exec(text)?.[0] ?? /\bfile\s+(\S+)/i.exec(text)?.[1]) }),
  },
  {
    head: /^find\s+(?:all\s+)?(?:the\s+)?(?:files?\s+(?:named|called|matching|like)\s|\S*\*\S*)/i,
    parse: (text) =>
      call('find_files', { pattern: unquote(text.replace(/^find\s+(?:all\s+)?(?:the\s+)?(?:files?\s+(?:named|called|matching|like)\s+)?/i, '')) }),
  },
  { head: /^(?:search|grep|find|look for)\s+(?!the web|the internet|online)\S/i, parse: parseSearch },
  { head: /^(?:recall\b|what do you (?:know|remember)|do you remember|what did i (?:say|tell you)|what(?:'s| is) my\s)/i, parse: parseRecall },
  { head: /^(?:remember|note that|keep in mind)\s+\S/i, parse: parseRemember },
  { head: /^forget\s+\S/i, parse: (text) => call('forget', { key: toKey(unquote(text.replace(/^forget\s+(?:about\s+|that\s+)?/i, ''))) }) },
  { head: /^ask me\s+\S/i, parse: (text) => call('ask_user', parseQuestion(text.replace(/^ask me\s+/i, ''))) },
];

/** Returns whether the demo understands the beginning of a text. */
export function startsStep(text: string): boolean {
  return rules.some((rule) => rule.head.test(text));
}

export function parseStep(source: string): Step {
  const text = trimRequest(source);
  for (const rule of rules) {
    const found = rule.head.test(text) ? rule.parse(text) : undefined;
    if (found) return { kind: 'tool', source, ...found };
  }
  return { kind: 'unknown', source };
}

/** Parses a call of any tool by name, including a plugin's: `call say_hello with {"name": "Ann"}`. */
function parseToolCall(text: string): Call | undefined {
  const [, tool, argsText = '{}'] = /^\S+\s+(?:the\s+)?(?:tool\s+)?`?(\w+)`?(?:\s+tool)?(?:\s+with\s+(\{[\s\S]*\}))?$/i.exec(text) ?? [];
  if (tool === undefined) return undefined;
  try {
    return { tool, args: JSON.parse(argsText) as Record<string, unknown> };
  } catch {
    return undefined; // not JSON, so the demo does not understand the text
  }
}

function parseRun(text: string): Call | undefined {
  const marked = /`([^`]+)`/.exec(text)?.[1];
  const plain = text.replace(/^\S+\s+(?:the\s+)?(?:(?:shell|terminal|following)\s+)?(?:command\s*:?\s+)?(?:\$\s+)?/i, '');
  return call('run_command', { command: marked ?? unquote(plain) });
}

function parseList(text: string): Call | undefined {
  const where = /\b(?:in|of|under|inside)\s+(?:the\s+|this\s+|my\s+)?(?:folder\s+|directory\s+)?(.+?)(?:\s+(?:folder|directory))?$/i.exec(text)?.[1];
  const named = where ?? new RegExp(`^(?:ls|list)\\s+${fileToken}$`, 'i').exec(text)?.[1];
  const isHere = named === undefined || /^(?:here|there|workspace|folder|directory|current\b.*|project|it)$/i.test(named);
  return call('list_dir', { path: isHere ? '.' : unquote(named) });
}

function parseEdit(text: string, pattern: RegExp): Call | undefined {
  const found = pattern.exec(text)?.groups;
  if (!found?.['path'] || !found['from'] || found['to'] === undefined) return undefined;
  const all = /^(?:all|every)\s+(?:occurrences? of\s+)?/i.exec(found['from'])?.[0] ?? '';
  const edit = { search: unquote(found['from'].slice(all.length)), replace: unquote(found['to']), ...(all ? { all: true } : {}) };
  return call('edit_file', { path: unquote(found['path']), edits: [edit] });
}

function parseSearch(text: string): Call | undefined {
  const what = text.replace(
    /^(?:search|grep|find|look)\s+(?:(?:through|in)\s+)?(?:(?:all|the|my)\s+)*(?:files?\s+)?(?:for\s+)?(?:the\s+(?:word|text)\s+)?/i,
    '',
  );
  const [, pattern = what, where] = /^([\s\S]+?)\s+in\s+(?:(?:all|the|my|these)\s+)*([^\s]+)(?:\s+(?:folder|directory))?$/i.exec(what) ?? [];
  const isEverywhere = where === undefined || /^(?:files?|folder|workspace|project|it|them|here)$/i.test(where);
  return call('grep_files', { pattern: unquote(pattern), literal: true, ...(isEverywhere ? {} : { path: unquote(where) }) });
}

function parseRemember(text: string): Call | undefined {
  const value = unquote(text.replace(/^(?:remember|note|keep in mind)\s+(?:that\b|this\b)?\s*:?\s*/i, ''));
  const subject = /^(.{2,60}?)\s+(?:is|are|was|were|=)\s+/i.exec(value)?.[1];
  return call('remember', { key: toKey(subject ?? value), value: capitalise(value) });
}

function parseRecall(text: string): Call | undefined {
  const about = text.replace(/^(?:recall|what do you (?:know|remember)|do you remember|what did i (?:say|tell you)|what(?:'s| is))\s*(?:about\s+|of\s+)?/i, '');
  return call('recall_relevant', { query: unquote(about) || 'everything' });
}

function call(tool: string, args: Readonly<Record<string, unknown>>): Call | undefined {
  if (Object.values(args).some((value) => value === undefined || value === '')) return undefined;
  return { tool, args };
}

function unquoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : unquote(text);
}
