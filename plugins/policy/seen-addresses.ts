// Which web addresses a chat has come across: in what the user wrote, and in what tools showed. After text from outside
// was read, a new address may be one that was made to carry something out.
import { oneLine } from 'agent-harness/lib/text';
import type { ToolCall } from 'agent-harness/plugins/agent';

export interface SeenAddresses {
  /** Notes where text from outside came from. */
  noteSource(call: ToolCall): void;
  /** The newest source of text from outside: `web_fetch https://…`. */
  sourceOf(chatId: string): string | undefined;
  /** Notes the addresses in a text. */
  note(chatId: string, text: string): void;
  /** Notes the addresses that the outcome of a call shows, but for those that the model made up and had written down before, or in this call. */
  noteOutcome(call: ToolCall, text: string): void;
  /** Whether the call goes to an address that nobody showed. */
  goesSomewhereNew(call: ToolCall): boolean;
  forget(chatId: string): void;
}

/** Of one text, and of one chat; the oldest are forgotten first. */
const maxInText = 5_000;
const maxInChat = 20_000;
const maxDepth = 64;
/** Characters of a source as people read it. */
const maxSource = 200;
const pattern = /https?:\/\/[^\s<>"'`\\^{}|]{1,4000}/gi;

export function createSeenAddresses(): SeenAddresses {
  const byChat = new Map<string, Set<string>>();
  /** What the model wrote after text from outside, and nobody had shown by then. */
  const made = new Map<string, Set<string>>();
  /** Chats in which the model made up more addresses than are kept: results show nothing there any more. */
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
      // Somebody else's text shows what it wants to show.
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
      // Exactly what is called: what may end a sentence can also carry something.
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

/** All that a text shows, each in all its readings; who shows a place in a page shows the page. */
function shownAddresses(text: string, most = maxInText): string[] {
  const found = text.includes('://') ? Array.from(text.matchAll(pattern), ([address]) => address).slice(0, most) : [];
  return found.flatMap(readings).flatMap((address) => [address, withoutFragment(address)]);
}

/** As it stands, and without what ends a sentence or a bracket around it. */
function readings(text: string): string[] {
  return [text, text.replace(/[.,;:!?*_)\]]+$/, '')].flatMap(exact);
}

function exact(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  // No request carries it, but a page that a browser opens reads it.
  return [url.hash === '' ? withoutFragment(url.href) : url.href];
}

function withoutFragment(address: string): string {
  const [page = address] = address.split('#', 1);
  return page;
}

/** Values of fields called `url`; of anything that is no address itself, nobody can say where it leads. */
function addressesIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([name, field]) => (name === 'url' && typeof field === 'string' ? [field] : addressesIn(field, depth + 1)));
}
