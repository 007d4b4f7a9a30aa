// Panels: what a plugin shows in the page, and where; and the words of the page in other languages.

/**
 * `panel`: a page of its own, with an entry in the navigation; `tool_result`, `note`: instead of the plain result of certain tools, and of the
 * plain line of certain events; the others are parts: under the header of a chat, over and beside the field for messages, in an empty chat, and
 * on the pages of settings, account and connections; `pane` is a tab of the pane beside a chat, whose id `mount` gets.
 */
export type PanelSlot =
  'panel' | 'tool_result' | 'note' | 'header' | 'over-composer' | 'composer' | 'first-run' | 'settings' | 'account' | 'connections' | 'pane';

/**
 * Contribution point `ui.panel`. The module runs in the browser. It exports
 * `mount(element, { client, chatId, theme, entry })`, which fills the element and may answer a function that undoes it.
 */
export interface UiPanel {
  /** kebab-case, at most 64 characters; no two panels have the same one. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly slot: PanelSlot;
  /** The name of one of the page's pictures (`chart`, `globe`, …), or one sign: a letter or an emoji. */
  readonly icon?: string;
  /** Of a `panel`, where its entry stands: among the pages, where left out; beside the search of the chats; in the menu of a chat, whose id `mount` gets. */
  readonly place?: 'chats' | 'chat';
  /** Of a `panel` and of parts: what has a smaller one comes first; the pages of the platform have 10, 40, … and 0 holds where left out. */
  readonly order?: number;
  /** The tools whose results it shows; for `tool_result`, and only there. */
  readonly tools?: readonly string[];
  /** The kinds of the events whose lines in a chat it shows; for `note`, and only there. */
  readonly events?: readonly string[];
  /** Absolute path or `file:` URL of one ES module without imports; read when a page asks for it. */
  readonly module: string;
  /** What it calls and listens to, for people who decide whether they want it. */
  readonly uses?: { readonly routes?: readonly string[]; readonly events?: readonly string[] };
}

/** A panel as clients see it: `GET /api/ui/panels`. */
export interface PanelRow extends Omit<UiPanel, 'module'> {
  readonly plugin: string;
  /** Of the module, on this server; another one whenever the plugin was loaded again or the module changed. */
  readonly url: string;
}

/**
 * Contribution point `ui.messages`: words of the page in a language, by the English sentence. It translates what its plugin shows (the titles of
 * its panels, what its commands and settings say), and may bring a language that the page has not, or say something of the page otherwise.
 */
export interface UiMessages {
  /** BCP 47: `de`, `pt-BR`. */
  readonly language: string;
  /** A sentence with `{count}` has a text for each form that the language tells apart by `Intl.PluralRules`. */
  readonly messages: Readonly<Record<string, UiMessage>>;
}

export type UiMessage = string | Readonly<Record<string, string>>;

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    'ui.panel': UiPanel;
    'ui.messages': UiMessages;
  }
}
