// Checkpoints: what tools change in files can be taken back, turn by turn.
import type { ToolContext } from 'agent-harness/plugins/tools';

export type CheckpointContext = Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;

export interface UndoReply {
  readonly turnId: string;
  /** Relative to the workspace, absolute outside of it. */
  readonly restored: string[];
  /** Changed since by somebody else, so left alone. */
  readonly conflicts: string[];
}

export interface Checkpoints {
  /**
   * Saves what is at `path` and that `next` is about to be there (`null`: it is about to be deleted). When it resolves,
   * that is on the disk; when it rejects, the change must not happen.
   */
  before(context: CheckpointContext, path: string, next: Uint8Array | null): Promise<void>;
  /** The change that was announced last for the path did not happen. */
  cancel(context: CheckpointContext, path: string): Promise<void>;
  /**
   * Takes back what a turn changed; the last one with changes when left out. Rejects with `turn_in_progress`,
   * `not_found`, `already_resolved`.
   */
  undo(chatId: string, turnId?: string): Promise<UndoReply>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    checkpoints: Checkpoints;
  }
  interface Events {
    checkpoint_restored: { readonly chatId: string } & UndoReply;
  }
}
