// What an operation of browser_act answers.
import type { Shot } from './screenshot.ts';

/** What is said about an action that worked; `body` may be long. */
export interface ActionDone {
  readonly note?: string;
  readonly body?: string;
  readonly shot?: Shot;
}
