// The points of the page: what a plugin may show in it.
import type { AssistantEntry, Client, Config, NoteEntry, OpenChat, Store, ToolEntry } from 'agent-harness/client';
import type { Route } from '../kit/hooks.ts';
import type { Icon } from '../kit/icon.ts';
import { createContext, type ComponentType, type ReactNode } from 'react';

export interface PageLink {
  /** Its address is `#/<page>`, with an id `#/<page>/<id>`. */
  readonly page: string;
  readonly id?: string;
  readonly title: string;
  readonly icon: Icon;
  readonly Page: ComponentType;
  /** Stands after the title in the navigation. */
  readonly Badge?: ComponentType;
  /** Where its link stands: among the pages, where left out; beside the search of the chats; in the menu of a chat, whose id its address has; nowhere. */
  readonly place?: 'chats' | 'chat' | 'none';
  /** Smaller ones come first; 0 where left out. */
  readonly order?: number;
  /** The page is there only while somebody adds a part to this slot of it. */
  readonly slot?: SlotName;
}

/**
 * Under the header of a chat; over and beside the field for messages; in an empty chat; on the pages of settings, account, team, connections and what is remembered, and of
 * who the agent is; where the server lets nobody in yet; over the whole page, whatever it shows, for as long as it is open.
 */
export type SlotName =
  'header' | 'over-composer' | 'composer' | 'first-run' | 'settings' | 'account' | 'team' | 'connections' | 'knowledge' | 'character' | 'sign-in' | 'cover';

export interface Part {
  readonly slot: SlotName;
  /** For people, where it breaks or has to be told apart. */
  readonly title: string;
  /** Smaller ones come first; 0 where left out. */
  readonly order?: number;
  /** `chat`: the one that is shown, in the slots of a chat. */
  readonly Part: ComponentType<{ readonly chat?: OpenChat | undefined }>;
}

/** Draws the results of certain tools; the plain one is its fallback. */
export interface ToolResultView {
  readonly tools: readonly string[];
  readonly View: ComponentType<{ readonly entry: ToolEntry; readonly fallback: ReactNode }>;
}

/** Draws the lines of certain events; the plain one is its fallback. */
export interface NoteView {
  /** Their kinds. */
  readonly events: readonly string[];
  readonly View: ComponentType<{ readonly entry: NoteEntry; readonly fallback: ReactNode }>;
}

/** What a person may do to a chat that is shown. */
export interface ChatAction {
  readonly icon: Icon;
  readonly title: string;
  /** Where there is little room, and where there is much. */
  readonly short: string;
  readonly long: string;
  /** What it does, after the short title. */
  readonly hint: string;
  /** Further words by which the palette finds it. */
  readonly words: readonly string[];
  /** Answers what was done, as a sentence. */
  readonly run: (client: Client, chatId: string) => Promise<{ readonly text: string; readonly isBad?: boolean }>;
}

export interface Example {
  readonly title: string;
  readonly prompt: string;
}

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Stands beside each text field that people write sentences in. */
export interface FieldTool {
  readonly title: string;
  /** `field`: the one beside it, once that is drawn. */
  readonly Tool: ComponentType<{ readonly field: () => TextField | undefined }>;
}

/** Stands with what can be done with a whole message of the assistant. */
export interface MessageTool {
  readonly title: string;
  readonly Tool: ComponentType<{ readonly entry: AssistantEntry }>;
}

/** Keys that the list of shortcuts names. */
export interface ListedKeys {
  readonly keys: readonly string[];
  readonly what: string;
}

/** Speaks replies aloud, and can be told by whoever listens that somebody speaks into it. */
export interface SpokenOutput {
  /** Whether this page speaks the replies of that chat from now on. */
  turn(chatId: string, isOn: boolean): Promise<void>;
  isOn(chatId: string): boolean;
  readonly isSpeaking: Store<boolean>;
  /** How loud it goes out at this moment, in dB below full scale. */
  levelDb(): number;
  /** 1 is as loud as it is. */
  setGain(gain: number): void;
  pause(): void;
  resume(): void;
  /** Drops what is playing and what waits, and tells the server how far it was heard. */
  stop(reason: 'stop' | 'barge_in'): void;
  /** What went out in the last so many milliseconds. */
  lately(ms: number): string;
}

export interface Contribution {
  /** While this plugin of the server is not active nothing of it is shown; left out: what is as old as the page. */
  readonly plugin?: string;
  readonly pages?: readonly PageLink[];
  readonly parts?: readonly Part[];
  readonly toolResults?: readonly ToolResultView[];
  readonly notes?: readonly NoteView[];
  readonly chatActions?: readonly ChatAction[];
  readonly fieldTools?: readonly FieldTool[];
  readonly messageTools?: readonly MessageTool[];
  readonly keys?: readonly ListedKeys[];
  /** Loaded when a part asks for it. */
  readonly spokenOutput?: (client: Client) => Promise<SpokenOutput>;
  /** What an empty chat offers to begin with, instead of the usual, where it is wanted. */
  readonly firstRun?: { readonly isWanted: (config: Config) => boolean; readonly examples: readonly Example[] };
}

/** All that the page brings, whether their plugins are active or not. */
export const ContributionsContext = createContext<readonly Contribution[]>([]);

/** Those of `all` that are shown: whose plugin is active, and of pages those with a part where they need one. Pure. */
export function shownOf(all: readonly Contribution[], active: ReadonlySet<string>): readonly Contribution[] {
  const shown = all.filter(({ plugin }) => plugin === undefined || active.has(plugin));
  const slots = new Set(shown.flatMap(({ parts = [] }) => parts.map(({ slot }) => slot)));
  return shown.map((one) => (one.pages ? { ...one, pages: one.pages.filter(({ slot }) => slot === undefined || slots.has(slot)) } : one));
}

/** What stands in a slot, in its order. */
export function partsOf(shown: readonly Contribution[], name: SlotName): readonly Part[] {
  return shown.flatMap(({ parts = [] }) => parts.filter(({ slot }) => slot === name)).toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** Where its link leads. @param chatId of the chat in whose menu it stands */
export function routeOf({ page, id }: PageLink, chatId?: string): Route {
  const within = [id, chatId].filter((part) => part !== undefined);
  return { page, ...(within[0] === undefined ? {} : { id: within[0] }), ...(within[1] === undefined ? {} : { part: within[1] }) };
}

/** The page that an address means; one of a chat is there only with the id of that chat. */
export function pageAt(pages: readonly PageLink[], { page, id, part }: Route): PageLink | undefined {
  return pages.find((one) => {
    const chatId = one.id === undefined ? id : part;
    return one.page === page && (one.id === undefined || one.id === id) && (one.place !== 'chat' || chatId !== undefined);
  });
}
