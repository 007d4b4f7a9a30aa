// Defines the features that a server offers (tools, resources and prompts): validated, truncated, and safe to store.
import type { ParamHeader } from '../transport/param-headers.ts';

/** A tool, with the name that the server uses. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** Sanitised JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
  /** Whether the tool must be called as a task. */
  readonly isTask: boolean;
  /** Arguments that a call copies to headers. */
  readonly headers?: readonly ParamHeader[];
}

export interface ServerOffer {
  readonly tools: readonly OfferedTool[];
  /** Sentences about unusable tools. */
  readonly faults: readonly string[];
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

export const emptyOffer: ServerOffer = { tools: [], faults: [], hasResources: false, hasPrompts: false };
