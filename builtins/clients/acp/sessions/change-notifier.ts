// Reports changes to a session's options and title to the editor.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ChatMeta } from 'agent-harness/client';
import type { SessionOptions } from './session-options.ts';

export interface ChangeNotifier {
  /** Marks options as reported: the reply that opened the session contained them. */
  replied(options: SessionOptions): void;
  see(options: SessionOptions, row: Pick<ChatMeta, 'title' | 'updatedAt'> | undefined): void;
}

export function createChangeNotifier(title: string, tell: (update: SessionUpdate) => void): ChangeNotifier {
  let lastOptions = '';
  let lastTitle = title;

  return {
    replied(options) {
      lastOptions = JSON.stringify(options);
    },
    see(options, row) {
      const text = JSON.stringify(options);
      if (text !== lastOptions) {
        lastOptions = text;
        tell({ sessionUpdate: 'current_mode_update', currentModeId: options.modes.currentModeId });
        tell({ sessionUpdate: 'config_option_update', configOptions: options.configOptions });
      }
      if (!row || row.title === lastTitle) return;
      lastTitle = row.title;
      tell({ sessionUpdate: 'session_info_update', title: row.title, updatedAt: row.updatedAt });
    },
  };
}
