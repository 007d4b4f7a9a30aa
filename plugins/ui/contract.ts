// Panels: what a plugin shows in the page, and where.

/** `panel`: a page of its own; `tool_result`: instead of the plain result of certain tools; `composer`, `settings`: a part of these. */
export type PanelSlot = 'panel' | 'tool_result' | 'composer' | 'settings';

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
  /** The tools whose results it shows; for `tool_result`, and only there. */
  readonly tools?: readonly string[];
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

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    'ui.panel': UiPanel;
  }
}
