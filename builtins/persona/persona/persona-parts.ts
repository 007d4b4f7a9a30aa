// Defines the dependencies that the modules of the persona share.
import type { StateContext } from 'agent-harness/builtins/turn/checkpoints';
import type { Emitter, KernelError, Logger } from 'agent-harness/kernel';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Models } from 'agent-harness/plugins/models';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { Static } from 'typebox';
import type { ArtifactRegistry } from './artifact-registry.ts';
import type { errorTable } from './error-table.ts';
import type { settingsSchema } from './settings-schema.ts';

/** @param context if it has no turn, the running turn of the chat is used */
export type TrackCharacter = <T>(context: StateContext, work: () => Promise<T>) => Promise<T>;

export type MakeError = (reason: keyof typeof errorTable, details?: Readonly<Record<string, unknown>>) => KernelError;

export interface PersonaParts {
  readonly services: { readonly product: Product; readonly storage: Storage; readonly chats: Chats; readonly models: Models };
  /** Values of the settings; read on every use, because they may change. */
  readonly config: Static<typeof settingsSchema>;
  readonly emitter: Emitter;
  readonly log: Logger;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
  readonly artifacts: ArtifactRegistry;
  readonly error: MakeError;
  /** Runs work that changes the character, so that undoing the turn restores the character. */
  readonly track: TrackCharacter;
}
