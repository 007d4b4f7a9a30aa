// The contract of views: plugin UI as data, rendered by every client, with actions.
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View, ViewInput, ViewValues } from './view-schema.ts';

export type { Block, BlockKind, Cell, CellKind, InputField, RowState, View, ViewAction, ViewInput, ViewValues } from './view-schema.ts';

/** The caller and its context. */
export interface ViewAsker {
  /** The caller's current chat, if any. */
  readonly chatId?: string;
  /** Real path of that chat's workspace. */
  readonly workspaceRoot?: string;
  /** The caller; left out without a request. */
  readonly principal?: Principal;
}

export interface ViewContext extends ViewAsker {
  /** Input of the reading: checked against `parameters` of the contribution, with defaults. Empty if it has none. */
  readonly parameters: ViewValues;
}

/** A chosen action: it was offered just before, and its values match its `input`. */
export interface ViewCall {
  readonly action: string;
  /** For an action of rows. */
  readonly row?: string;
  readonly input: ViewValues;
}

/** Contribution point `view`. */
export interface ViewContribution {
  /** kebab-case, at most 64 characters; unique. */
  readonly name: string;
  /** Display title. */
  readonly title: string;
  readonly description?: string;
  /** Name of one of the page's icons (`chart`, `list`, …), or one character: a letter or an emoji. */
  readonly icon?: string;
  /**
   * Its location in the page: a separate page with a link (when left out), a tab of the pane beside a chat, or none. Every client
   * shows it by name: `/view <name>`, `app view <name>`.
   */
  readonly place?: 'page' | 'pane' | 'none';
  /** The name of a view with a page: this one is a tab on that page, after it, and has no link of its own. */
  readonly tabOf?: string;
  /** The permission to read it. Owner only when left out. */
  readonly permission?: Permission;
  /** The permission to run its actions. Owner only when left out. */
  readonly actPermission?: Permission;
  /**
   * Input of the reading (a range, a filter, an id), like an action's input: a JSON Schema of one level. Every client can set it, and it
   * is passed to actions. The names `chatId`, `token` and `authToken` are reserved.
   */
  readonly parameters?: ViewInput;
  /** Events after which its content may differ; clients that show it reload it. */
  readonly changesOn?: readonly string[];
  /** Its actions do not change its content, so a result stays until another reading. */
  readonly changesNothing?: true;
  /** Limited to 10 s. The message of a thrown coded error is shown. */
  read(context: ViewContext): View | Promise<View>;
  /**
   * Limited to 2 min. Returns the updated view, a sentence about the result, or nothing: then the view is reloaded.
   * The message of a thrown coded error is shown.
   */
  act?(call: ViewCall, context: ViewContext): ViewAnswer | Promise<ViewAnswer>;
}

export type ViewAnswer = View | { readonly message: string; /** Saved on the caller's side. */ readonly file?: ViewFile } | undefined | void;

/** A file returned by an action: the page saves it as a download, the command line in its working directory. */
export interface ViewFile {
  /** File name only: letters, digits, `.`, `_`, `-`, at most 100. */
  readonly name: string;
  /** At most 32 MB as UTF-8. */
  readonly text: string;
}

/** A view as clients list it. */
export interface ViewRow extends Pick<ViewContribution, 'name' | 'title' | 'description' | 'icon' | 'place' | 'tabOf' | 'parameters' | 'changesOn'> {
  readonly plugin: string;
}

export interface Views {
  /** Returns the views that the caller may read; all without a caller. */
  list(caller?: Principal): readonly ViewRow[];
  /**
   * Validated. Rejects with `VIEWS_ERR_NOT_FOUND`, `VIEWS_ERR_FORBIDDEN`, `VIEWS_ERR_WRONG_PARAMETER`, `VIEWS_ERR_BROKEN`, or with the plugin's error.
   * @param parameters an object; texts are converted to the types of their fields, as addresses and command lines contain only text
   */
  read(name: string, asker: ViewAsker, parameters?: unknown): Promise<View>;
  /**
   * Checks that the action is offered now and the input matches, then runs it. Rejects as {@link Views.read} does, and with
   * `VIEWS_ERR_NO_ACTION` or `VIEWS_ERR_WRONG_INPUT`.
   */
  act(
    name: string,
    call: Omit<ViewCall, 'input'> & { readonly input?: unknown; readonly parameters?: unknown },
    asker: ViewAsker,
  ): Promise<{ readonly view: View; readonly message?: string; readonly file?: ViewFile }>;
  /** Makes clients that show it reload it. @param chatId if only that chat's view changed */
  changed(name: string, chatId?: string): void;
  /**
   * Validates a view; returns the fault as a sentence, or `undefined`.
   * @param isKept for a journal, where a view may have a quarter of the size
   */
  check(view: unknown, isKept?: boolean): Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    views: Views;
  }
  interface ContributionPoints {
    view: ViewContribution;
  }
  interface Events {
    /** The content of a view changed. */
    view_changed: { readonly name: string; readonly chatId?: string };
  }
}
