// The messages and tool cards of one chat. Everything is keyed, so an event that comes twice changes nothing.
import { make } from './dom.js';
import { renderMarkdown } from './markdown.js';
import { createToolCard } from './tool-cards.js';

const endings = {
  aborted: 'Stopped.',
  round_limit: 'Ended: the limit of rounds was reached.',
  interrupted: 'Interrupted: the server stopped during this turn.',
  budget: 'Ended: the budget is used up.',
};

/**
 * @param {HTMLElement} log
 * @param {{ onChange(): void, onGap(): void }} listener `onChange`: something was drawn; `onGap`: text is missing, read the transcript anew
 */
export function createConversation(log, listener) {
  /** @type {Map<string, any>} */
  let items = new Map();
  let dirty = new Set();
  let isDue = false;
  /** Turn → the reply that streams in. @type {Map<string, string>} */
  const drafts = new Map();
  /** Where new items go: before this element, or at the end. @type {Node | null} */
  let before = null;

  /** @template T @param {string} key @param {() => T & { element: Node }} create @returns {T & { element: Node }} */
  function item(key, create) {
    let found = items.get(key);
    if (!found) {
      items.set(key, (found = create()));
      log.insertBefore(found.element, before);
      changeSoon();
    }
    return found;
  }

  /** @param {string} key @param {string} kind @param {string} who */
  function textItem(key, kind, who) {
    return item(key, () => {
      const body = make('div', { className: 'body' });
      const isAside = kind === 'reasoning' || kind === 'trace';
      const shown = isAside ? make('details', {}, make('summary', {}, who), body) : body;
      const label = isAside ? null : make('span', { className: 'hidden-label' }, `${who}: `);
      return { element: make('li', { className: `entry ${kind}` }, label, shown), body, text: '', isMarkdown: kind === 'assistant' };
    });
  }

  /** @param {any} one */
  function draw(one) {
    one.body.replaceChildren(one.isMarkdown ? renderMarkdown(one.text) : document.createTextNode(one.text));
  }

  /** Many deltas make one drawing. @param {any} one */
  function drawSoon(one) {
    dirty.add(one);
    changeSoon();
  }
  function changeSoon() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      for (const one of dirty) draw(one);
      dirty = new Set();
      listener.onChange();
    });
  }

  /** @param {string} key @param {string} kind @param {string} who @param {string} text */
  function setText(key, kind, who, text) {
    const one = textItem(key, kind, who);
    one.text = text;
    drawSoon(one);
  }

  /** @param {string} callId @param {string} name */
  function card(callId, name) {
    return item(`call:${callId}`, () => createToolCard(name));
  }

  /** What a failed attempt streamed is void. @param {string | undefined} messageId */
  function dropDraft(messageId) {
    if (messageId === undefined) return;
    for (const [key, one] of items) {
      const isText = key === `assistant:${messageId}` || key === `reasoning:${messageId}`;
      if (!isText && !(key.startsWith('call:') && one.messageId === messageId && !one.isStarted())) continue;
      one.element.remove();
      items.delete(key);
    }
  }

  const takers = {
    message_accepted(event) {
      const files = (event.attachments ?? []).map((file) => `[${file.name}]`);
      setText(`user:${event.messageId}`, 'user', 'You', [event.text, ...files].join('\n'));
    },
    text(event) {
      const channel = event.channel ?? 'user';
      const kind = channel === 'user' ? 'assistant' : channel;
      drafts.set(event.turnId, event.messageId);
      const one = textItem(`${kind}:${event.messageId}`, kind, kind === 'assistant' ? 'Assistant' : kind === 'reasoning' ? 'Reasoning' : 'Trace');
      if (event.offset > one.text.length) return listener.onGap();
      one.text = one.text.slice(0, event.offset) + event.delta;
      drawSoon(one);
    },
    tool_start(event) {
      const one = card(event.callId, event.name);
      one.messageId = event.messageId;
      // With its arguments a call is about to run, so its reply is whole.
      if (event.args === undefined && event.argsText === undefined) drafts.set(event.turnId, event.messageId);
      else drafts.delete(event.turnId);
      if (event.args !== undefined || event.argsText !== undefined) one.begin(event.args ?? event.argsText);
    },
    tool_delta: (event) => items.get(`call:${event.callId}`)?.addArgs(event.argsDelta),
    tool_progress: (event) => items.get(`call:${event.callId}`)?.progress(event.note),
    compose_preview: (event) => items.get(`call:${event.callId}`)?.addPreview(event),
    tool_result: (event) => card(event.callId, event.name).finish(event),
    tool_approval: (event) => items.get(`call:${event.callId}`)?.wait(true),
    approval_decision: (event) => items.get(`call:${event.callId}`)?.wait(false),
    ask_user: (event) => items.get(`call:${event.callId}`)?.wait(true),
    ask_user_answered: (event) => items.get(`call:${event.callId}`)?.wait(false),
    turn_end(event) {
      const said = event.error?.message ?? endings[event.reason];
      if (said !== undefined) setText(`end:${event.turnId}`, event.error ? 'error' : 'system', event.error ? 'Error' : 'Note', said);
    },
    usage(event) {
      if (event.purpose === 'chat') drafts.delete(event.turnId);
    },
    provider_retry(event) {
      if ((event.purpose ?? 'chat') !== 'chat') return;
      dropDraft(drafts.get(event.turnId));
      setText(`retry:${event.turnId}`, 'system', 'Note', `The model did not answer (${event.reason}); attempt ${event.attempt} of ${event.of} follows.`);
    },
    error: (event) => setText(`error:${event.id ?? items.size}`, 'error', 'Error', event.message ?? 'Something went wrong.'),
    conversation_reset: (event) => setText(`reset:${event.id ?? items.size}`, 'system', 'Note', 'The conversation starts anew; what is above is forgotten.'),
  };

  /** @param {any} entry one entry of the transcript */
  function takeEntry(entry) {
    const messageId = entry.messageId ?? entry.id;
    if (entry.kind === 'user') takers.message_accepted({ ...entry, messageId });
    else if (entry.kind === 'assistant') {
      if (entry.reasoning) setText(`reasoning:${messageId}`, 'reasoning', 'Reasoning', entry.reasoning);
      if (entry.text) setText(`assistant:${messageId}`, 'assistant', 'Assistant', entry.text);
    } else if (entry.kind === 'tool') {
      const one = card(entry.callId ?? entry.id, entry.name);
      one.begin(entry.args ?? entry.argsText ?? '');
      if (entry.ok !== undefined) one.finish({ output: '', ...entry });
      else if (entry.isInterrupted) one.finish({ ok: false, output: 'Interrupted.' });
    } else
      setText(
        `${entry.kind}:${entry.id}`,
        entry.kind === 'error' ? 'error' : 'system',
        entry.kind === 'error' ? 'Error' : 'Note',
        entry.text ?? entry.message ?? '',
      );
  }

  return {
    clear() {
      items = new Map();
      dirty = new Set();
      log.replaceChildren();
    },
    /** @param {any} event of this chat */
    take: (event) => Object.hasOwn(takers, event.kind) && takers[event.kind](event),
    /** @param {any[]} entries oldest first */
    showEntries: (entries) => entries.forEach(takeEntry),
    /** An older page of the transcript, above all that is there. @param {any[]} entries */
    showEarlier(entries) {
      before = log.firstChild;
      entries.forEach(takeEntry);
      before = null;
    },
    /** A line of the page itself. @param {string} text */
    trace: (text) => setText(`ui:${items.size}:${Date.now()}`, 'system', 'Note', `[UI] ${text}`),
    /** Puts a card of somebody else after everything. @param {string} key @param {() => { element: Node }} create */
    place: (key, create) => item(key, create),
    /** @param {string} key @returns {any} */
    find: (key) => items.get(key),
  };
}
