// Defines the result of one operation of the tool `browser_act`.
import type { Shot } from './screenshot.ts';

/** The report about a successful action; `body` may be long. */
export interface ActionDone {
  readonly note?: string;
  readonly body?: string;
  readonly shot?: Shot;
}
