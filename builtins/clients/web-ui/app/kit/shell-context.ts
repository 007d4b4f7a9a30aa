// Defines the shared services of the page's frame: notices, dialogs, theme.
import { createContext, use } from 'react';
import type { ThemeName } from './theme.ts';

export type DialogName = 'palette' | 'shortcuts' | 'model' | 'connect' | 'new-chat';
export type Tone = 'plain' | 'bad';

export interface Shell {
  /** Display name of the product. */
  readonly brand: string;
  readonly theme: ThemeName;
  setTheme(name: ThemeName): void;
  openDialog(name: DialogName): void;
  /** Shows a temporary notice. */
  tell(text: string, tone?: Tone): void;
  /** Runs the work; a failure is shown as a notice. */
  attempt(work: () => Promise<unknown>): void;
}

/** The open dialog. It has its own context, so that opening a dialog rerenders nothing else. */
export interface OpenDialog {
  readonly name: DialogName | undefined;
  close(): void;
}

export const DialogContext = createContext<OpenDialog>({ name: undefined, close: () => undefined });

export const ShellContext = createContext<Shell | undefined>(undefined);

export function useShell(): Shell {
  const shell = use(ShellContext);
  if (!shell) throw new Error('a component that needs the shell is outside of ShellContext');
  return shell;
}
