// Encodes a turn record as a document: joins pieces, removes secrets, and stores only what each request adds to the conversation.
import { yieldToEventLoop } from '#lib/event-loop';
import { maskSecrets } from '#lib/secrets';
import { isRecord, jsonOf } from '#lib/values';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { RegisteredTool } from 'agent-harness/plugins/tools';
import type { Ask, Entry, ToolFacts, TurnRecord } from './record-schema.ts';
import { recordVersion, type Checked, type EncodedRecord } from './record-types.ts';
import { changeTexts } from './strip-turn.ts';
import type { Recording, SeenAsk, SeenCheck } from './recorder.ts';

/** Number of characters after which the encoder yields to the event loop. */
const pauseAfter = 256 * 1024;

/** Builds the record, which refers to texts by index. */
export function sealRecording({ turn, config, log, values, asks, tools }: Recording): TurnRecord {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const toolTexts = new Map<ModelRequest['tools'], string>();
  const intern = (text: string): number => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const encodeAsk = ({ key, request: { system, tools: specs }, added }: SeenAsk): Ask => {
    const toolText = toolTexts.get(specs) ?? JSON.stringify(specs);
    toolTexts.set(specs, toolText);
    return { key, system: intern(system), tools: intern(toolText), messages: added };
  };
  return {
    version: recordVersion,
    ...{ chatId: turn.chatId, turnId: turn.turnId, workspaceRoot: turn.workspaceRoot, startedAt: turn.startedAt },
    ...(turn.model === undefined ? {} : { model: turn.model }),
    ...(turn.effort === undefined ? {} : { effort: turn.effort }),
    config,
    texts,
    tools: Object.fromEntries([...tools].map(([name, tool]) => [name, factsOf(tool)])),
    asks: asks.map(encodeAsk),
    values: Object.fromEntries([...values].map(([key, list]) => [key, key.includes('/check/') ? (list as SeenCheck[]).map(encodeCheck) : list])),
    log,
  };
}

function factsOf(tool: RegisteredTool | undefined): ToolFacts | null {
  if (!tool) return null;
  const { family, replay, isConcurrent, compose, display } = tool;
  return {
    family,
    ...(replay === undefined ? {} : { replay }),
    ...(isConcurrent === undefined ? {} : { isConcurrent }),
    ...(display?.icon === undefined ? {} : { icon: display.icon }),
    ...(display?.verb === undefined ? {} : { verb: display.verb }),
    ...(compose === undefined ? {} : { compose }),
  };
}

function encodeCheck({ argsText, checked }: SeenCheck): Checked {
  if (!checked.ok) return { argsText, error: checked.error, ...(checked.hint === undefined ? {} : { hint: checked.hint }) };
  const { tool, args } = checked;
  const isAsWritten = JSON.stringify(jsonOf(argsText)) === JSON.stringify(args);
  const subject = subjectOf(tool, args);
  return { argsText, tool: tool.name, ...(isAsWritten ? {} : { args }), ...(subject === undefined ? {} : { subject }) };
}

function subjectOf(tool: RegisteredTool, args: object): string | undefined {
  try {
    return tool.display?.subject?.(args as never);
  } catch {
    return undefined; // the turn itself also ignores this error
  }
}

/** Serializes the record without secrets, yielding between parts. @param known values of known secrets */
export async function encodeRecord(record: TurnRecord, known: readonly string[]): Promise<Required<EncodedRecord>> {
  const mask = (text: string): string => maskSecrets(text, known);
  // No field is exempt, because a secret may occur in any field.
  const none = new Set<string>();
  const { log, texts, ...head } = dropRepeated(record);
  const parts: string[] = [];
  let since = 0;
  for (const entry of log) {
    const text = JSON.stringify(changeTexts(entry, mask, none));
    parts.push(text);
    since += text.length;
    if (since < pauseAfter) continue;
    since = 0;
    await yieldToEventLoop();
  }
  const start = JSON.stringify(changeTexts(head, mask, none));
  return { text: `${start.slice(0, -1)},"log":[\n${parts.join(',\n')}\n]}\n`, texts: JSON.stringify(texts.map(mask)) };
}

/** Removes the calls from the end of each reply, and the text if the pieces contain the same text. */
function dropRepeated(record: TurnRecord): TurnRecord {
  const texts = new Map<string, string>();
  const log = record.log.map((entry): Entry => {
    if (entry.on === 'retry') texts.set(entry.key, '');
    if (entry.on === 'pieces' && entry.channel === 'text') texts.set(entry.key, (texts.get(entry.key) ?? '') + entry.text);
    if (entry.on !== 'answer' || !isRecord(entry.value) || !entry.key.includes('/stream/')) return entry;
    const { text, toolCalls: _, ...value } = entry.value;
    return { ...entry, value: text === (texts.get(entry.key) ?? '') ? value : { ...value, text } };
  });
  return { ...record, log };
}
