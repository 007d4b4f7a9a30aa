// Defines the contract of the desktop window, a local browser window that shows only the page of the server.
import type { Bail } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';

/** A separate debugging session (CDP) with the page; enabling a domain does not affect other sessions. */
export interface CdpSession {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol defines a type for each method
  send(method: string, params?: object): Promise<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol defines a type for each event
  on(event: string, listener: (payload: any) => void): void;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the protocol defines a type for each event
  off(event: string, listener: (payload: any) => void): void;
  detach(): Promise<void>;
}

export type WindowState = 'normal' | 'minimized' | 'maximized' | 'fullscreen';

export interface OpenWindow {
  session(): Promise<CdpSession>;
  /** Content size in CSS pixels; `scale` is the number of screen pixels per CSS pixel in each direction. */
  geometry(): Promise<{ readonly width: number; readonly height: number; readonly scale: number }>;
  state(): Promise<WindowState>;
  /** Restores a minimised window and brings it to the front. */
  restore(): Promise<void>;
  /** Aborted when the window is closed for any reason. */
  readonly closed: AbortSignal;
}

export interface WindowOptions {
  /** Chat to show; default: the last shown one. */
  readonly chatId?: string;
  /** Environment variables that locate the screen (`DISPLAY`, `WAYLAND_DISPLAY`, …), if this process was started without them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** There is at most one window per home folder. */
export interface DesktopWindow {
  current(): OpenWindow | undefined;
  /** Opens the window, or brings the open window to the front. The server must be listening. Rejects with an instruction for the user. */
  open(options?: WindowOptions): Promise<OpenWindow>;
  /** Returns whether a request comes from the page in the window. */
  isPage(principal: Principal): boolean;
  /** Calls the listener for the current window and for each window that opens. Returns a function that removes the listener. */
  watch(listener: (window: OpenWindow) => void): () => void;
}

declare module 'agent-harness/kernel' {
  interface Services {
    desktopWindow: DesktopWindow;
  }
  interface Hooks {
    /** Called before an external address opens in the user's own browser. A returned refusal prevents that; its text completes a sentence for the user. */
    'window.outside': Bail<[{ readonly url: string }], { readonly refuse: string }>;
  }
}
