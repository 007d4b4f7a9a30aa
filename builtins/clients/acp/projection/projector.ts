// Sends the changes in a chat to the editor as session updates. Sends each item only once, even after a reload.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { endingReason, type AssistantEntry, type Entry, type NoteEntry, type ToolEntry, type UserEntry } from 'agent-harness/transcript';
import { cardOf, type ShownInCards, type ToolCard } from './tool-card.ts';

export interface ProjectorOptions {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly shown: ShownInCards;
  tell(update: SessionUpdate): void;
  /** Returns whether the editor sent the message and therefore already displays it. */
  isOwn(message: UserEntry): boolean;
  /** Returns whether updates of the turn must no longer be sent. */
  isOver(turnId: string): boolean;
  /** Sends a note that is neither a message nor a call. */
  note(entry: NoteEntry): void;
  /** Called when an update is delayed. Call {@link Projector.release} after `ms` milliseconds. */
  later(ms: number): void;
}

export interface Projector {
  /** Sends new content. */
  advance(entries: readonly Entry[]): void;
  /** Marks the entries as sent. */
  skip(entries: readonly Entry[]): void;
  /** Sends the delayed updates. */
  release(): void;
  /** Sends the updated card of a call again. Returns whether the editor has the card. */
  reportAgain(callId: string): boolean;
}

interface Sent {
  entry: Entry;
  text: string;
  reasoning: string;
  /** Number of times the text was restarted. */
  revision: number;
  card?: ToolCard;
  /** Time of the last update, in milliseconds. */
  at: number;
}

/** Minimum interval between updates of a running command's output, in milliseconds. */
const progressEveryMs = 100;

export function createProjector(options: ProjectorOptions): Projector {
  const sent = new Map<string, Sent>();
  /** Calls whose output is delayed. */
  const held = new Set<Sent>();
  let before: readonly Entry[] = [];

  function begin(entry: Entry): Sent {
    const one: Sent = { entry, text: '', reasoning: '', revision: 0, at: 0 };
    sent.set(entry.id, one);
    return one;
  }

  function take(entry: Entry): void {
    const known = sent.get(entry.id);
    if (known?.entry === entry) return;
    if (entry.turnId !== undefined && options.isOver(entry.turnId)) return pass(entry);
    const one = known ?? begin(entry);
    const isNew = known === undefined;
    one.entry = entry;
    if (entry.kind === 'assistant') return sendText(one, entry);
    if (entry.kind === 'tool') return showCall(one, entry);
    if (entry.kind === 'user') return showMessage(one, entry);
    if (!isNew) return;
    if (entry.kind === 'announcement') chunk('agent_message_chunk', entry.id, entry.text);
    else if (endingReason(entry) === undefined) options.note(entry);
  }

  /** Records the current content of the entry as sent. */
  function pass(entry: Entry): void {
    const one = sent.get(entry.id) ?? begin(entry);
    one.entry = entry;
    if (entry.kind === 'assistant') Object.assign(one, { text: entry.text, reasoning: entry.reasoning });
    if (entry.kind === 'user') one.text = entry.text;
    if (entry.kind === 'tool') one.card = cardOf(entry, options.root, options.shown);
  }

  function chunk(kind: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk', messageId: string, text: string): void {
    options.tell({ sessionUpdate: kind, messageId, content: { type: 'text', text } });
  }

  function sendText(one: Sent, { id, text, reasoning }: AssistantEntry): void {
    if (!text.startsWith(one.text) || !reasoning.startsWith(one.reasoning)) {
      // The model restarted its text. The editor keeps the old text, so the new text becomes another message.
      Object.assign(one, { text: '', reasoning: '', revision: one.revision + 1 });
    }
    const messageId = one.revision === 0 ? id : `${id}-${one.revision}`;
    if (reasoning.length > one.reasoning.length) chunk('agent_thought_chunk', `${messageId}-thought`, reasoning.slice(one.reasoning.length));
    if (text.length > one.text.length) chunk('agent_message_chunk', messageId, text.slice(one.text.length));
    one.text = text;
    one.reasoning = reasoning;
  }

  function showMessage(one: Sent, entry: UserEntry): void {
    if (one.text !== '' || entry.state === 'queued') return;
    one.text = entry.text === '' ? ' ' : entry.text;
    if (options.isOwn(entry)) return;
    if (entry.text !== '') chunk('user_message_chunk', entry.id, entry.text);
    for (const { name, mimeType, attachmentId } of entry.attachments) {
      if (attachmentId === undefined) continue;
      options.tell({
        sessionUpdate: 'user_message_chunk',
        messageId: entry.id,
        content: { type: 'resource_link', name, uri: `attachment:${attachmentId}`, mimeType },
      });
    }
  }

  function showCall(one: Sent, entry: ToolEntry): void {
    const now = Date.now();
    const isProgress = one.card !== undefined && entry.state === 'running' && one.card.status === 'in_progress';
    if (isProgress && now - one.at < progressEveryMs) {
      if (held.size === 0) options.later(progressEveryMs);
      held.add(one);
      return;
    }
    held.delete(one);
    const card = cardOf(entry, options.root, options.shown);
    const old = one.card;
    one.card = card;
    one.at = now;
    const toolCallId = entry.callId;
    if (!old) return options.tell({ sessionUpdate: 'tool_call', toolCallId, name: entry.name, ...card });
    const change = changesOf(old, card);
    if (Object.keys(change).length > 0) options.tell({ sessionUpdate: 'tool_call_update', toolCallId, ...change });
  }

  function showNow(one: Sent): void {
    one.at = 0;
    if (one.entry.kind === 'tool' && !options.isOver(one.entry.turnId ?? '')) showCall(one, one.entry);
  }

  return {
    advance(entries) {
      const old = before;
      before = entries;
      for (let at = 0; at < entries.length; at++) {
        const entry = entries[at] as Entry;
        if (entry !== old[at]) take(entry);
      }
    },
    skip(entries) {
      before = entries;
      for (const entry of entries) pass(entry);
    },
    release() {
      const waiting = [...held];
      held.clear();
      for (const one of waiting) showNow(one);
    },
    reportAgain(callId) {
      for (const one of sent.values()) {
        if (one.entry.kind !== 'tool' || one.entry.callId !== callId || !one.card) continue;
        showNow(one);
        return true;
      }
      return false;
    },
  };
}

function changesOf(old: ToolCard, card: ToolCard): Partial<ToolCard> {
  return {
    ...(old.title === card.title ? {} : { title: card.title }),
    ...(old.kind === card.kind ? {} : { kind: card.kind }),
    ...(old.status === card.status ? {} : { status: card.status }),
    ...(isSame(old.locations, card.locations) ? {} : { locations: card.locations }),
    ...(isSame(old.content, card.content) ? {} : { content: card.content }),
    ...(old.rawInput === card.rawInput ? {} : { rawInput: card.rawInput }),
  };
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
