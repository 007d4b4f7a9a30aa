// Defines the contract of views: plugin UI as data with actions, which every client renders.
import type { Permission, Principal } from 'agent-harness/plugins/http';
import type { View, ViewInput, ViewValues } from './view-schema.ts';

export type { Block, BlockKind, Cell, CellKind, InputField, RowState, View, ViewAction, ViewInput, ViewValues } from './view-schema.ts';

/** The caller of a view and its current chat. */
export interface ViewAsker {
  /** Id of the caller's current chat, if any. */
  readonly chatId?: string;
  /** Real path of that chat's workspace. */
  readonly workspaceRoot?: string;
  /** The caller; omitted without a request. */
  readonly principal?: Principal;
}

export interface ViewContext extends ViewAsker {
  /** Parameters of the read, validated and with defaults; empty if the view has no parameters. */
  readonly parameters: ViewValues;
}

/** An action that a user chose. Contract: the view offers the action, and the values match the action's `input`. */
export interface ViewCall {
  readonly action: string;
  /** Id of the row, for an action of rows. */
  readonly row?: string;
  readonly input: ViewValues;
}

/** Contribution point `view`: UI of a plugin as data, which every client renders. */
export interface ViewContribution {
  /** Unique name in kebab-case, at most 64 characters. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** Name of one of the page's icons (`chart`, `list`, …), or one character: a letter or an emoji. */
  readonly icon?: string;
  /**
   * Position in the page: a separate page with a link (default), a tab of the pane next to a chat, or none. Every client can show the view by name: `/view
   * <name>`, `app view <name>`.
   */
  readonly place?: 'page' | 'pane' | 'none';
  /** Name of a view with a page: this view is a tab on that page, and has no link of its own. */
  readonly tabOf?: string;
  /** Permission that is needed to read the view; default: owner only. */
  readonly permission?: Permission;
  /** Permission that is needed to run actions; default: owner only. */
  readonly actPermission?: Permission;
  /**
   * Input for reading the view (a range, a filter, an id), in the form of an action's input: a JSON Schema of one level. Every client can set it, and actions
   * receive it. The names `chatId`, `token` and `authToken` are reserved.
   */
  readonly parameters?: ViewInput;
  /** Events after which the content may have changed; clients that display the view then reload it. */
  readonly changesOn?: readonly string[];
  /** Whether actions never change the content, so the result of an action stays until the next read. */
  readonly changesNothing?: true;
  /** Returns the view. Time limit: 10 s. Clients display the message of a thrown coded error. */
  read(context: ViewContext): View | Promise<View>;
  /**
   * Runs an action. Time limit: 2 min. Returns the updated view, a sentence about the result, or nothing; after nothing, clients reload the view. Clients
   * display the message of a thrown coded error.
   */
  act?(call: ViewCall, context: ViewContext): ViewAnswer | Promise<ViewAnswer>;
}

export type ViewAnswer = View | { readonly message: string; /** Saved on the caller's machine. */ readonly file?: ViewFile } | undefined | void;

/** A file that an action returns: the page saves it as a download, the command line in its working directory. */
export interface ViewFile {
  /** File name without a path: letters, digits, `.`, `_`, `-`, at most 100 characters. */
  readonly name: string;
  /** Content, at most 32 MB as UTF-8. */
  readonly text: string;
}

/** A view in the list for clients. */
export interface ViewRow extends Pick<ViewContribution, 'name' | 'title' | 'description' | 'icon' | 'place' | 'tabOf' | 'parameters' | 'changesOn'> {
  readonly plugin: string;
}

export interface Views {
  /** Returns the views that the caller may read; without a caller, all views. */
  list(caller?: Principal): readonly ViewRow[];
  /**
   * Returns a validated view. Rejects with `VIEWS_ERR_NOT_FOUND`, `VIEWS_ERR_FORBIDDEN`, `VIEWS_ERR_WRONG_PARAMETER`, `VIEWS_ERR_BROKEN`, or with the plugin's
   * error.
   * @param parameters an object. String values are converted to the types of their fields, because URLs and command lines contain only text
   */
  read(name: string, asker: ViewAsker, parameters?: unknown): Promise<View>;
  /**
   * Checks that the view now offers the action and that the input matches, then runs the action. Rejects as {@link Views.read} does, and with
   * `VIEWS_ERR_NO_ACTION` or `VIEWS_ERR_WRONG_INPUT`.
   */
  act(
    name: string,
    call: Omit<ViewCall, 'input'> & { readonly input?: unknown; readonly parameters?: unknown },
    asker: ViewAsker,
  ): Promise<{ readonly view: View; readonly message?: string; readonly file?: ViewFile }>;
  /** Makes clients that show the view reload it. @param chatId set if the view changed only for that chat */
  changed(name: string, chatId?: string): void;
  /**
   * Validates a view; returns the error as a sentence, or `undefined`.
   * @param isKept whether the view will be stored in a journal, where its maximum size is a quarter
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
