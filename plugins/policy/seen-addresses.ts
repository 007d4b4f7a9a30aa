// Tracks the web addresses in each chat's user messages and tool outputs. After a turn has read external content, any other address may have been crafted to
// exfiltrate data.
import { oneLine } from '#lib/text';
import type { ToolCall } from 'agent-harness/plugins/agent';

export interface SeenAddresses {
  /** Records a source of external content. */
  noteSource(call: ToolCall): void;
  /** Returns the newest source of external content, for example `web_fetch https://…`. */
  sourceOf(chatId: string): string | undefined;
  /** Records the addresses in a text. */
  note(chatId: string, text: string): void;
  /** Records the addresses in the outcome of a call, except those that the model invented and wrote in this or an earlier call. */
  noteOutcome(call: ToolCall, text: string): void;
  /** Returns whether the call uses an address that is not recorded for the chat. */
  goesSomewhereNew(call: ToolCall): boolean;
  forget(chatId: string): void;
}

/** Maximum number of addresses per text and per chat; the oldest are dropped first. */
const maxInText = 5_000;
const maxInChat = 20_000;
const maxDepth = 64;
/** Maximum length of a source for display, in characters. */
const maxSource = 200;
const pattern = /https?:\/\/[^\s<>"'`\\^{}|]{1,4000}/gi;

export function createSeenAddresses(): SeenAddresses {
  const byChat = new Map<string, Set<string>>();
  /** Unknown addresses that the model wrote after it had read external content. */
  const made = new Map<string, Set<string>>();
  /** Ids of chats in which the model invented more addresses than are tracked. In these chats, outputs no longer add known addresses. */
  const overfull = new Set<string>();
  const sources = new Map<string, string>();

  function noteAll(chatId: string, text: string, except?: ReadonlySet<string>): void {
    if (!text.includes('://')) return;
    const seen = byChat.get(chatId) ?? new Set<string>();
    byChat.set(chatId, seen);
    for (const address of shownAddresses(text)) if (except?.has(address) !== true) seen.add(address);
    for (const oldest of seen) {
      if (seen.size <= maxInChat) break;
      seen.delete(oldest);
    }
  }

  return {
    note: (chatId, text) => noteAll(chatId, text),
    noteOutcome({ tool, args, turn: { chatId, isTainted } }, text) {
      // Otherwise, external content could make its own addresses known.
      if (isTainted && tool.effects?.includes('network') !== true) {
        const seen = byChat.get(chatId);
        const own = made.get(chatId) ?? new Set<string>();
        for (const address of shownAddresses(JSON.stringify(args), Infinity)) {
          if (seen?.has(address) === true) continue;
          if (own.size < maxInChat) own.add(address);
          else overfull.add(chatId);
        }
        if (own.size > 0) made.set(chatId, own);
      }
      if (overfull.has(chatId)) return;
      noteAll(chatId, text, made.get(chatId));
    },
    goesSomewhereNew({ tool, args, turn }) {
      if (tool.effects?.includes('network') !== true) return false;
      const seen = byChat.get(turn.chatId);
      // Compares exactly, because trailing punctuation can also carry data.
      return addressesIn(args, 0).some((address) => !exact(address).some((reading) => seen?.has(reading)));
    },
    noteSource({ tool, args, turn }) {
      const about = ['url', 'path', 'uri', 'query'].map((name) => args[name]).find((value) => typeof value === 'string');
      sources.set(turn.chatId, oneLine(`${tool.name} ${about ?? ''}`, maxSource));
    },
    sourceOf: (chatId) => sources.get(chatId),
    forget(chatId) {
      byChat.delete(chatId);
      made.delete(chatId);
      overfull.delete(chatId);
      sources.delete(chatId);
    },
  };
}

/** Returns all addresses in a text, in all readings; a link to an anchor also makes the page known. */
function shownAddresses(text: string, limit = maxInText): string[] {
  const found = text.includes('://') ? Array.from(text.matchAll(pattern), ([address]) => address).slice(0, limit) : [];
  return found.flatMap(readings).flatMap((address) => [address, withoutFragment(address)]);
}

/** Returns the address verbatim, and without trailing punctuation or surrounding brackets. */
function readings(text: string): string[] {
  return [text, text.replace(/[.,;:!?*_)\]]+$/, '')].flatMap(exact);
}

function exact(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  // The request does not contain the fragment, but a page opened in a browser can read it.
  return [url.hash === '' ? withoutFragment(url.href) : url.href];
}

function withoutFragment(address: string): string {
  const [page = address] = address.split('#', 1);
  return page;
}

/** Returns the values of fields named `url` at any depth, including values that are not addresses, because their target is unknown. */
function addressesIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([name, field]) => (name === 'url' && typeof field === 'string' ? [field] : addressesIn(field, depth + 1)));
}
